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

// anywhere in a name these words mark a secret; "pwd" and the like only as its
// last word.
var (
	anywhere = []string{"password", "passwd", "passphrase", "secret", "credential", "privatekey", "apikey", "accesskey", "authtoken", "sst_auth", "basic_auth", "authorization",
		"sshpass", "pgpass", "dbpass", "userpass", "rootpass", "mysqlpass"}
	ownWord  = []string{"pwd", "pass", "token", "jwt", "cookie", "userpwd", "dbpwd"}
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

const (
	names = `(?:passw(?:or)?d|passphrase|pass|secret|token|api[_-]?key|access[_-]?key|private[_-]?key|pwd)`
	// A quote may be open at the end: values are cut out of texts.
	quoted = `"[^"]*(?:"|$)|'[^']*(?:'|$)`
)

var (
	// Cheap test first: most texts hold none of these.
	suspect = regexp.MustCompile(`(?i)pass|pwd|secret|token|[_-]?key|identified|authorization|bearer|://|@|\s-p|\s-u|gh[a-z_]+_|glpat-|xox|eyj|sk-|akia|asia`)

	// --mysql-password=x, --password x; the value of an option does not begin with a hyphen.
	option = regexp.MustCompile(`(?i)(--[a-z0-9_-]*` + names + `[a-z0-9_-]*(?:=|\s+))(` + quoted + `|[^\s'"-][^\s'"]*)`)
	// password=x, "password": "x", MYSQL_PWD=x, secret_key=x
	pair = regexp.MustCompile(`(?i)([\w.-]*` + names + `[\w-]*)(["']?\s*[:=]\s*)(` + quoted + `|[^\s,;&'")}\]]+)`)
	// maria_pass x, as HammerDB's diset; password 'x'
	worded = regexp.MustCompile(`(?i)(\b[a-z0-9.]+_(?:pass|passwd|password|pwd)\s+)[^\s'"]+|(\bpassword\s+)(?:` + quoted + `)`)
	// connect with password x; "with password authentication" is no secret, but nothing is lost with it
	with = regexp.MustCompile(`(?i)(\bwith password:?\s+)([^\s'"(]\S*)`)
	// mysql -u root -px, tpcc_start -h db1 -uroot -px
	short = regexp.MustCompile(`(?i)((?:\b(?:mysql|mariadb|sysbench|tpcc)[\w-]*\b|(?-i:(?:^|\s)-u\s*\w))[^\n]*?\s(?-i:-p))([^\s-]\S*)`)
	// curl -u user:x
	login = regexp.MustCompile(`((?:^|\s)(?:-u|--user)[=\s]?\s*[^\s:]+:)(\S+)`)
	// mysql://user:x@host
	url = regexp.MustCompile(`(://[^\s/:@]*:)([^\s/@]+)(@)`)
	// user:x@tcp(db1:3306)/sbtest, user:x@db1:3306/sbtest
	dsn = regexp.MustCompile(`([\w.+%-]+:)([^\s/:@]+)(@(?:(?:tcp|unix)\(|[\w.-]+:\d+/))`)
	// IDENTIFIED BY 'x', PASSWORD('x'), SET PASSWORD FOR a = 'x'
	grant = regexp.MustCompile(`(?i)((?:identified\s+(?:with\s+\S+\s+)?(?:by|as)\s+(?:password\s+)?|\bpassword\s*\(\s*|set\s+password\s+for\s+\S+\s*=\s*))('[^']*'|"[^"]*")`)
	// Authorization: Bearer x
	header = regexp.MustCompile(`(?i)(\bauthorization["']?\s*[:=]\s*["']?(?:(?:basic|bearer|digest|token)\s+)?|\bbearer\s+)([\w.~+/=-]{8,})`)
	// what tells by its shape that it is a key: of GitHub, GitLab, Slack, AWS, a JWT
	shape = regexp.MustCompile(`\b(?:gh[opsur]_\w{20,}|github_pat_\w{20,}|glpat-[\w-]{16,}|xox[abeprs]-[\w-]{10,}|sk-[\w-]{20,}|(?:AKIA|ASIA)[0-9A-Z]{16}|eyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*)`)
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
		case c == '@',
			last == 'p' && c == 'w', last == 'k' && c == 'e', last == 'f' && c == 'i', // pwd, token key, identified
			last == 's' && c == 'k', last == 'k' && c == 'i', // sk-, akia
			last == 's' && c == 's', last == 'e' && c == 't', // pass, secret
			last == 'z' && c == 'a', last == 'b' && c == 'e', last == 's' && c == 'i', // authorization, bearer, asia
			last == 'g' && c == 'h', last == 'g' && c == 'l', last == 'x' && c == 'o', last == 'e' && c == 'y',
			last == ':' && c == '/', last == '-' && c == 'p', last == '-' && c == 'u',
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
	text = header.ReplaceAllString(text, "${1}"+Removed)
	text = option.ReplaceAllString(text, "${1}"+Removed)
	text = pair.ReplaceAllStringFunc(text, func(m string) string {
		parts := pair.FindStringSubmatch(m)
		// "Access denied ... (using password: YES)" is what the server says about it, not the word itself.
		if v := strings.ToUpper(parts[3]); v == "YES" || v == "NO" || strings.HasPrefix(parts[3], Removed[:len(Removed)-1]) || !Name(parts[1]) {
			return m
		}
		return parts[1] + parts[2] + Removed
	})
	text = worded.ReplaceAllString(text, "${1}${2}"+Removed)
	text = with.ReplaceAllString(text, "${1}"+Removed)
	text = short.ReplaceAllString(text, "${1}"+Removed)
	text = login.ReplaceAllString(text, "${1}"+Removed)
	text = url.ReplaceAllString(text, "${1}"+Removed+"${3}")
	text = dsn.ReplaceAllString(text, "${1}"+Removed+"${3}")
	text = shape.ReplaceAllString(text, Removed)
	return grant.ReplaceAllString(text, "${1}"+Removed)
}
