// Package secret keeps passwords, tokens and keys out of a data set: it knows
// the names that hold them, and takes their values out of free text such as a
// command line that a harness echoed into its log.
package secret

import (
	"regexp"
	"slices"
	"strings"
)

// Removed stands where a secret was.
const Removed = "(removed)"

// anywhere in a name these words mark a secret; "pwd" and the like only as a
// word of their own.
var (
	anywhere = []string{"password", "passwd", "passphrase", "secret", "credential", "privatekey", "apikey", "accesskey", "authtoken", "sst_auth"}
	ownWord  = []string{"pwd", "pass", "token"}
	keyKinds = []string{"ssl", "tls", "ssh", "private", "public", "api", "access", "encryption", "rsa", "signing", "master", "host", "auth"}
)

// Name tells whether a variable or key of this name holds a secret.
// innodb_ft_min_token_size, key_buffer_size and foreign_key_checks do not.
func Name(name string) bool {
	lower := strings.ToLower(name)
	for _, w := range anywhere {
		if strings.Contains(lower, w) {
			return true
		}
	}
	words := strings.FieldsFunc(lower, func(r rune) bool { return r == '_' || r == '-' || r == '.' || r == ' ' || r == '/' })
	if len(words) == 0 {
		return false
	}
	last := words[len(words)-1]
	if slices.Contains(ownWord, last) {
		return true
	}
	for i, w := range words[:len(words)-1] {
		if slices.Contains(keyKinds, w) && (words[i+1] == "key" || words[i+1] == "keys") {
			return true
		}
	}
	return false
}

const names = `(?:password|passwd|passphrase|secret|token|api[_-]?key|access[_-]?key|private[_-]?key|pwd)`

var (
	// Cheap test first: most texts hold none of these.
	suspect = regexp.MustCompile(`(?i)passw|passphrase|pwd|secret|token|[_-]?key|identified|://|\s-p`)

	// --mysql-password=x, --password x; the value of an option does not begin with a hyphen.
	option = regexp.MustCompile(`(?i)(--[a-z0-9_-]*` + names + `[a-z0-9_-]*(?:=|\s+))("[^"]*"|'[^']*'|[^\s'"-][^\s'"]*)`)
	// password=x, "password": "x", MYSQL_PWD=x
	pair = regexp.MustCompile(`(?i)([\w.-]*` + names + `["']?\s*[:=]\s*)("[^"]*"|'[^']*'|[^\s,;&'")}\]]+)`)
	// mysql -u root -px
	short = regexp.MustCompile(`(?i)(\b(?:mysql|mariadb)[\w-]*\b[^\n]*?\s(?-i:-p))([^\s-]\S*)`)
	// mysql://user:x@host
	url = regexp.MustCompile(`(://[^\s/:@]*:)([^\s/@]+)(@)`)
	// IDENTIFIED BY 'x', PASSWORD('x'), SET PASSWORD FOR a = 'x'
	grant = regexp.MustCompile(`(?i)((?:identified\s+(?:with\s+\S+\s+)?(?:by|as)\s+(?:password\s+)?|\bpassword\s*\(\s*|set\s+password\s+for\s+\S+\s*=\s*))('[^']*'|"[^"]*")`)
	// a private key, up to its end or the end of the text
	pem = regexp.MustCompile(`(?s)-----BEGIN [A-Z ]*PRIVATE KEY-----.*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)`)
)

// harmless comes before that one, for the paths and options that are cleaned by the
// hundred thousand: each of the words has one of these pairs or letters in it.
func harmless(text string) bool {
	last := byte(0)
	for i := range len(text) {
		c := text[i]
		if 'A' <= c && c <= 'Z' {
			c |= 0x20
		}
		switch {
		case c == 'w', c == 'k', c == 'f', // passw pwd, token key, identified
			last == 'p' && c == 'h', last == 'e' && c == 't', // passphrase, secret
			last == ':' && c == '/', last == '-' && c == 'p',
			c >= 0x80: // letters that are equal to one of ASCII but for the case
			return false
		}
		last = c
	}
	return true
}

// Clean replaces the secrets in a text by Removed.
func Clean(text string) string {
	if harmless(text) || !suspect.MatchString(text) {
		return text
	}
	text = pem.ReplaceAllString(text, Removed)
	text = option.ReplaceAllString(text, "${1}"+Removed)
	text = pair.ReplaceAllStringFunc(text, func(m string) string {
		parts := pair.FindStringSubmatch(m)
		// "Access denied ... (using password: YES)" is what the server says about it, not the word itself.
		if v := strings.ToUpper(parts[2]); v == "YES" || v == "NO" || strings.HasPrefix(parts[2], Removed[:len(Removed)-1]) {
			return m
		}
		return parts[1] + Removed
	})
	text = short.ReplaceAllString(text, "${1}"+Removed)
	text = url.ReplaceAllString(text, "${1}"+Removed+"${3}")
	return grant.ReplaceAllString(text, "${1}"+Removed)
}
