package secret

import (
	"regexp"
	"slices"
	"strings"
)

// word is a password in front of an @; a port before a path is none.
const word = `(?:[^\s/"']+|\d*[^\s/"'\d][^\s"']*)`

// What is a secret by its shape, and logins in front of a host.
var shapes = []struct {
	needs []string
	shape *regexp.Regexp
}{
	// A private key, up to its end or the end of the text; a line of one.
	{[]string{"private key"}, regexp.MustCompile(`(?s)-{4,5} ?BEGIN [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)? ?-{4,5}.*?(?:-{4,5} ?END [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)? ?-{4,5}|$)`)},
	// Keys of GitHub, GitLab, Slack, AWS, Google, npm, Stripe, Hugging Face, Vault, PyPI and others; a JWT.
	{[]string{"gh", "github_pat_", "glpat-", "xox", "sk-", "sk_", "akia", "asia", "eyj", "aiza", "ya29.", "npm_", "hf_", "dop_v1_", "hvs.", "sg.", "pypi-", "pscale_", "dckr_pat_", "glsa_", "shpat_", "age-secret-"},
		regexp.MustCompile(`(\b|_)(?:gh[opsur]_\w{20,}|github_pat_\w{20,}|(?:glpat|pypi|sk|AGE-SECRET-KEY)-[\w-]{16,}|xox[abeprs]-[\w-]{10,}|sk_(?:live|test)_\w{10,}|(?:AKIA|ASIA)[0-9A-Z]{16}|eyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*|` +
			`AIza[\w-]{30,}|ya29\.[\w-]{20,}|(?:npm|hf|dop_v1|dckr_pat|glsa|shpat|pscale_(?:pw|tkn|oauth))_[\w-]{20,}|hvs\.[\w-]{20,}|SG\.[\w-]{16,}\.[\w-]{16,})`)},
	// https://hooks.slack.com/services/T0/B0/x
	{[]string{"hooks.", "webhook", "api.telegram"}, regexp.MustCompile(`((?:hooks\.slack\.com/services|discord(?:app)?\.com/api/webhooks|webhook\.office\.com/webhookb2|api\.telegram\.org)/)[\w/@:-]+()`)},
	// Hashes of passwords, of MySQL and of crypt: *6BB4837EB74329105EE4568DDA7DC67ED2CA2AD9, $6$salt$hash, $A$005$...
	{[]string{" *", "'*", "\t*", "|*", "$1$", "$5$", "$6$", "$y$", "$2", "$apr1$", "$argon2", "$a$"}, regexp.MustCompile(`(^|[^\w*])(?:\*[0-9A-F]{40}\b|\$(?:\d|y|2[abxy]|apr1|argon2id?|A)\$[^\s:'"]{20,})`)},
	// mysql://user:x@host, https://x1@github.com, ?sig=x; as the name of a file, mysql:__user:x@host
	{[]string{"://", ":__"}, regexp.MustCompile(`(:(?://|__)[^\s/:@"']*:)` + word + `(@)`)},
	{[]string{"://"}, regexp.MustCompile(`(://)[\w-]*\d[\w-]*(@)`)},
	{[]string{"sig="}, regexp.MustCompile(`([?&]sig=)[^\s&"']+()`)},
	// mysqlsh root:x@db1
	{[]string{"mysqlsh"}, regexp.MustCompile(`(\bmysqlsh\b[^\n]*[\s=]["']?[A-Za-z][\w.+-]*:)[^\s"']+(@)`)},
	// user:x@tcp(db1:3306)/sbtest, user:x@(db1:3306)/, user:x@db1:3306/sbtest
	{[]string{"@"}, regexp.MustCompile(`(["'][A-Za-z][\w.+-]*:)[^"'\n]+(@(?:tcp|unix)?\()`)},
	{[]string{"@"}, regexp.MustCompile(`(\b[A-Za-z][\w.+%-]*:)` + word + `(@(?:(?:tcp|unix)?\(|/|[\w.-]+:\d+\b))`)},
	// echo x | sudo -S, printf root:x | chpasswd
	{[]string{"echo ", "printf "}, regexp.MustCompile(`(\b(?:echo|printf)\s)[^|\n]+(\|[^|\n]*(?:\bchpasswd|--stdin|--password-stdin|\bsudo\s+-S)\b)`)},
	// A line of .pgpass: db1:5432:bench:root:x
	{[]string{":*:", ":5432:", ":5433:", ":6432:"}, regexp.MustCompile(`(?m)^((?:\*|[\w.-]*[A-Za-z][\w.-]*):(?:\*|\d{4,5}):[^:\s]+:[^:\s]+:)[^:\s]+()$`)},
}

// account is root:x@db1; mysql:8.4@sha256:... is an image.
var account = regexp.MustCompile(`(\b[A-Za-z][\w.+%-]*:)` + word + `(@(?:sha256:)?)`)

// colours of a terminal, within a name too.
var colours = regexp.MustCompile(`\x1b\[[\d;?]*[A-Za-z]`)

// Clean replaces the secrets in a text by Removed, and takes out its colours.
func Clean(text string) string {
	word := isWord(text)
	if word && len(text) < 20 {
		return text
	}
	text = bare(text)
	lower := strings.ToLower(text)
	in := func(word string) bool { return strings.Contains(lower, word) }
	for _, s := range shapes {
		if slices.ContainsFunc(s.needs, in) {
			text = s.shape.ReplaceAllString(text, "${1}"+Removed+"${2}")
		}
	}
	if word {
		return text
	}
	for i := range rules {
		if slices.ContainsFunc(rules[i].needs, in) {
			text = rules[i].apply(text)
		}
	}
	return text
}

func bare(text string) string {
	if strings.IndexByte(text, 0x1b) < 0 {
		return text
	}
	return colours.ReplaceAllString(text, "")
}

// isWord tells a text without a value in it: names of files, levels and events, by the
// hundred thousand.
func isWord(text string) bool {
	for i := range len(text) {
		switch c := text[i]; {
		case c <= ' ', c >= 0x80, strings.IndexByte("=:@|>%&\\\"", c) >= 0:
			return false
		}
	}
	return true
}

// CleanCommand is Clean for command lines, where more looks like a password: any -p
// with something behind it, any user:x@.
func CleanCommand(text string) string {
	text = bare(text)
	if strings.Contains(text, "-p") {
		text = rule{before: glued, is: short}.apply(text)
	}
	if strings.Contains(text, "@") {
		text = account.ReplaceAllStringFunc(text, func(m string) string {
			if strings.HasSuffix(m, ":") {
				return m
			}
			return account.ReplaceAllString(m, "${1}"+Removed+"${2}")
		})
	}
	return Clean(text)
}

// CleanBelow is CleanCommand for a line that may go on with a value which the line above
// began: --mysql-password \, the lines of a private key.
func CleanBelow(above, line string) string {
	alone := CleanCommand(line)
	if len(above) > reach {
		return alone
	}
	both := CleanCommand(above + "\n" + line)
	if strings.HasSuffix(both, "\n"+alone) {
		return alone
	}
	same := 0 // bytes, behind the value
	for same < min(len(alone), len(both)) && alone[len(alone)-1-same] == both[len(both)-1-same] {
		same++
	}
	return Removed + alone[len(alone)-same:]
}

// reach is how far before a secret its command may begin, and how long it is at most:
// without an end to both, a long line of many such words would take the square of its
// length.
const reach = 4 << 10

type found struct {
	before string // the text before the name, as far as reach
	name   string
	joint  string
	value  string // with its quotes
}

// command is the part of before that is of the same command: from the start of the
// line, or of the first that a backslash makes one with it.
func (f found) command() string {
	for i := len(f.before) - 1; i >= 0; i-- {
		if f.before[i] == '\n' && (i == 0 || f.before[i-1] != '\\') {
			return f.before[i+1:]
		}
	}
	return f.before
}

func (f found) quoted() bool {
	return strings.IndexByte("\"'`", strings.TrimLeft(f.value, `\`)[:1][0]) >= 0
}

func (r rule) apply(text string) string {
	var out strings.Builder
	from := 0
	for _, m := range r.before.FindAllStringSubmatchIndex(text, -1) {
		at := m[1]
		if m[0] < from || strings.HasPrefix(text[at:], Removed) {
			continue
		}
		f := found{before: text[max(0, m[2]-reach):m[2]], name: text[m[4]:m[5]], joint: text[m[6]:m[7]]}
		rest := text[at:min(len(text), at+reach)]
		inside := byte(0)
		if quote := text[m[2]:m[3]]; quote != "" && !strings.HasPrefix(strings.TrimLeft(f.joint, `\`), quote) {
			inside = quote[0]
		}
		switch {
		case r.value != nil:
			f.value = r.value.FindString(rest)
		case f.isNested(rest):
			f.value = rest[:f.nested(rest)]
		default:
			f.value = rest[:length(rest, inside)]
		}
		if f.value == "" || !r.is(f) {
			continue
		}
		if !f.quoted() && inside == 0 && f.wholeLine() {
			line, _, _ := strings.Cut(rest, "\n")
			f.value = rest[:max(len(f.value), len(line))]
		}
		out.WriteString(text[from:at])
		out.WriteString(Removed)
		from = at + len(f.value)
	}
	if from == 0 {
		return text
	}
	out.WriteString(text[from:])
	return out.String()
}
