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
	// These words mark a secret wherever in a name they are.
	anywhere = []string{"password", "passwd", "passwort", "kennwort", "passphrase", "mot_de_passe", "contraseña", "密码", "口令",
		"secret", "credential", "apikey", "accesskey", "privatekey", "authtoken", "sst_auth", "basic_auth", "authorization", "authentication_string"}
	// What ends in one of these only says something about one: password_history counts passwords.
	about = []string{"history", "interval", "lifetime", "length", "count", "policy", "plugin", "users", "rounds", "digits", "case", "current", "validation", "errors", "max", "min",
		"expired", "expiry", "required", "enabled", "check", "dictionary", "file", "path", "retrieval"}
	// These mark one as its last word.
	ownWord  = regexp.MustCompile(`^(?:(?:db|root|my|mysql|maria|mariadb|pg|user|super|superuser|admin|ssh)?(?:passw?|pwd|pw)|token|jwt|cookie|creds|signature)$`)
	keyKinds = []string{"ssl", "tls", "ssh", "private", "public", "api", "access", "account", "encryption", "encrypt", "rsa", "signing", "master", "host", "auth"}
)

// Name tells whether a variable or key of this name holds a secret.
// innodb_ft_min_token_size, key_buffer_size and foreign_key_checks do not.
func Name(name string) bool {
	words := strings.FieldsFunc(humps(name), func(r rune) bool { return strings.ContainsRune("_-. /", r) })
	if len(words) == 0 {
		return false
	}
	last := words[len(words)-1]
	lower := strings.ToLower(name)
	switch {
	case slices.Contains(about, last), lower == "old_passwords":
		return false
	case ownWord.MatchString(last), slices.ContainsFunc(anywhere, func(w string) bool { return strings.Contains(lower, w) }):
		return true
	}
	for i, w := range words[:len(words)-1] {
		if slices.Contains(keyKinds, w) && (words[i+1] == "key" || words[i+1] == "keys") {
			return true
		}
	}
	return false
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
// token=8 count something, "using password: YES" is the server's word for that
// there was one.
func Plain(name, value string) bool {
	switch strings.ToLower(value) {
	case "", "yes", "no", "on", "off", "true", "false", "null", "none":
		return true
	}
	return len(value) <= 3 && strings.Trim(value, "0123456789") == "" && !strings.Contains(strings.ToLower(name), "password")
}
