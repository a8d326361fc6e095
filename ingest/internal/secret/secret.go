// Package secret keeps passwords, tokens and keys out of a data set: it knows
// the names that hold them, and takes their values out of free text such as a
// command line that a harness echoed into its log.
package secret

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// Removed stands where a secret was.
const Removed = "(removed)"

var (
	// These mark a secret wherever in a name they are, whatever stands between the words
	// of the name.
	anywhere = []string{"password", "passwd", "passwrd", "pswd", "passphrase", "passwort", "kennwort", "motdepasse", "contraseña", "senha", "wachtwoord", "hasło", "lösenord",
		"пароль", "パスワード", "비밀번호", "密码", "口令", "secret", "credential", "authorization", "amzsignature", "authenticationstring", "authtoken", "sstauth", "basicauth", "masterauth",
		"sslkey", "tlskey", "sshkey", "privatekey", "publickey", "apikey", "accesskey", "accountkey", "encryptionkey", "encryptkey", "rsakey", "rsapublickey", "signingkey",
		"masterkey", "hostkey", "authkey", "filekey", "licensekey", "licencekey"}
	// What ends in one of these only says something about one: password_history counts passwords.
	about = strings.Fields("history interval lifetime length count policy plugin users rounds digits characters case current validation errors max min expired expiry required enabled check " +
		"dictionary file path retrieval name type algorithm hashing method mode timeout ttl version rotation")
	// These mark one as its last word, a number behind them apart.
	ownWord = regexp.MustCompile(`^(?:(?:db|root|my|mysql|maria|mariadb|pg|user|super|superuser|admin|ssh|require)?(?:passw?|(?:pwd|pw|psw)\d*)|token|jwt|cookie|creds)$`)
)

// Name tells whether a variable or key of this name holds a secret.
// innodb_ft_min_token_size, key_buffer_size and foreign_key_checks do not.
func Name(name string) bool {
	words := strings.FieldsFunc(humps(name), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	if len(words) == 0 {
		return false
	}
	last, flat := words[len(words)-1], strings.Join(words, "")
	if slices.Contains(about, last) || flat == "oldpasswords" {
		return false
	}
	return ownWord.MatchString(last) || slices.ContainsFunc(anywhere, func(w string) bool { return strings.Contains(flat, w) })
}

// humps writes accessToken as access_token.
func humps(name string) string {
	var b strings.Builder
	before := ' '
	for _, r := range name {
		if unicode.IsUpper(r) && unicode.IsLower(before) {
			b.WriteByte('_')
		}
		b.WriteRune(unicode.ToLower(r))
		before = r
	}
	return b.String()
}

// Plain tells whether a value is none of a secret for all its name: pass=3 and
// token=8.5 measure something, PWD=/home/a is a folder, "using password: YES" is the
// server's word for that there was one.
func Plain(name, value string) bool {
	switch strings.ToLower(value) {
	case "", "yes", "no", "on", "off", "true", "false", "null", "none":
		return true
	}
	name = strings.ToLower(name)
	return measure.MatchString(value) && (len(value) == 1 || !strings.Contains(name, "password")) || strings.HasSuffix(name, "pwd") && value[0] == '/'
}

// measure is a small number, or one with decimals.
var measure = regexp.MustCompile(`^(?:\d{0,3}|\d+\.\d+)%?$`)
