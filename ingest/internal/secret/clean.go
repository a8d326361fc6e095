package secret

import (
	"regexp"
	"slices"
	"strings"
)

// A rule knows what stands before a secret. How long the secret is, its quotes and
// blanks tell, see length.
type rule struct {
	needs  []string       // without one of these, in lower case, there is nothing to look for
	before *regexp.Regexp // groups: the quote opened just before, the name, what joins it to the secret
	is     func(found) bool
}

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

func (f found) quoted() bool { return f.value[0] == '"' || f.value[0] == '\'' }

var rules = []rule{
	// Authorization: Bearer x, "Authorization": "Basic x"
	{[]string{"authorization"}, regexp.MustCompile(`(?i)(["']?)(authorization)(\\?["']?\s*[:=]\s*(?:\\?["'])?(?:(?:basic|bearer|digest|token)[ \t]+)?)`), always},
	{[]string{"bearer "}, regexp.MustCompile(`(?i)()(\bbearer)( +)`), func(f found) bool { return len(f.value) >= 8 }},
	// password=x, "password": "x", --password x, ["--password", "x"], <password>x<, db_pass => 'x', password%3Dx
	{[]string{"pass", "pwd", "pw", "secret", "token", "key", "cred", "jwt", "cookie", "signature", "_auth", "authentication_s", "kennwort", "密码", "口令", "contraseña"},
		regexp.MustCompile(`(?i)(["']?)([\pL\pN_.$-]*(?:pass|pwd|pw|secret|token|key|cred|jwt|cookie|signature|_auth|authentication_s|kennwort|密码|口令|contraseña)[\pL\pN_.-]*)` +
			`(\\?["']?\]?(?:\x1b\[[\d;]*m)?\s*(?:=>|:=|->|==?|:|\|)\s*|["']?>|\t+|(?:%22)?%3[AD](?:%22)?|\\?["']?,?(?:\s|\\\n)+)`), pair},
	// diset tpcc maria_pass x, setenv MYSQL_PWD x
	{[]string{"set"}, regexp.MustCompile(`(?i)()(?:\bset(?:env)?|\bdiset\s+\w+|\bdict\s+set\s+\w+\s+\w+)\s+(\w+)(\s+)`), func(f found) bool {
		return Name(f.name) && !strings.EqualFold(f.value, "for") && strings.Trim(f.value, ":=") != ""
	}},
	// with password x, password 'x', password is x1, A temporary password is generated for root@localhost: x1
	{[]string{"password"}, regexp.MustCompile(`(?i)()((?:\bwith\s+)?\bpassword)(\s+is\s+generated\s+for\s+\S+:\s+|\s+(?:is:?\s+)?|:\s+)`), func(f found) bool {
		prose := f.value == strings.ToLower(f.value) || f.value == strings.ToUpper(f.value)
		prose = prose && strings.Trim(strings.ToLower(f.value), "abcdefghijklmnopqrstuvwxyz,.;:!?()-") == ""
		return f.quoted() || !prose && f.value[0] != '(' || f.name[0]|0x20 == 'w' && f.value[0] != '('
	}},
	// IDENTIFIED WITH caching_sha2_password BY 'x' REPLACE 'y', PASSWORD('x'), SET PASSWORD FOR a = 'x', mysqli_connect('db1', 'root', 'x')
	{[]string{"identified", "password", "connect("}, regexp.MustCompile(`(?i)()(\bidentified\s+(?:(?:with|via)\s+\S+\s+)?(?:by|as|using)|password|set\s+password\s+for\s+\S+|replace|connect)` +
		`(\s*=\s*|\s+(?:password\s*)?\(?\s*|\s*\(\s*(?:'[^']*',\s*)*)`), func(f found) bool {
		return f.quoted() && (!strings.EqualFold(f.name, "replace") || strings.Contains(strings.ToLower(f.before), "identified"))
	}},
	// Cookie: a=x; b=y, curl -b a=x
	{[]string{"cookie:", "curl"}, regexp.MustCompile(`(?i)(["']?)((?:set-)?cookie|\bcurl\b[^\n]*\s-b)(:\s*|\s*)`), func(f found) bool { return f.joint != "" || f.name[0]|0x20 == 'c' && strings.HasSuffix(f.name, "-b") }},
	// mysql -u root -px '-px y', tpcc_start -p x
	{[]string{"mysql", "mariadb", "sysbench", "tpcc", "go-tpc", "mycli", "sshpass", "-u"}, glued, func(f found) bool { return client.MatchString(f.command()) && short(f) }},
	// curl -u user:x
	{[]string{"-u", "--proxy-user"}, regexp.MustCompile(`(?:^|\s)(?:-u|--user|--proxy-user)[=\s]*(["']?)([^\s:"'/]+)(:)`), func(f found) bool {
		return !strings.HasPrefix(f.value, "//") && strings.Trim(f.name, "0123456789") != ""
	}},
	// h=db1,u=root,p=x of percona-toolkit
	{[]string{",p="}, regexp.MustCompile(`()(\b[hu]=[^\s,]*,(?:[a-zA-Z]=[^\s,]*,)*p)(=)`), always},
}

var (
	glued  = regexp.MustCompile(`(?:^|[\s(=,\[])(["']?)(-p)((?:\\?["'],\s*|[=\s]+)?)`)
	client = regexp.MustCompile(`(?i)\b(?:mysql|mariadb|sysbench|tpcc|go-tpc|mycli|sshpass)|(?-i:(?:^|[\s"'])(?:-[uU]|--user)\b)|(?:^|\s)-u\w`)
	// Other words that begin with -p: gcc -pthread, bench -port=3306.
	otherFlag = regexp.MustCompile(`^(?:(?:thread|ipe|ie|edantic|ass|assword|asswd|w|wd)(?:$|[\s"'])|(?:ort|ool|ath|rofile|rotocol|arallel|refix|lugin|id)[\w-]*=)`)
	number    = regexp.MustCompile(`^[\d:.-]+$`)
)

func always(f found) bool { return !Plain(f.name, f.value) }

func pair(f found) bool {
	sign := strings.Trim(f.joint, " \t\r\n\\\"',")
	switch {
	case !Name(f.name), Plain(f.name, strings.Trim(f.value, `"'`)):
		return false
	case sign == "" && f.joint[0] != '\t': // --password x
		return f.name[0] == '-' && f.value[0] != '-'
	case sign == ":" && (f.value[0] == ':' || strings.HasPrefix(f.value, "//")): // a name of C++, a URL
		return false
	}
	return !strings.Contains(f.joint, "\n") || !anotherKey.MatchString(f.value) // an empty value, and the next line
}

// short tells of what stands behind -p whether it is a password.
func short(f found) bool {
	switch {
	case f.joint == "":
		return f.value[0] != '-' && !otherFlag.MatchString(f.value)
	case f.value[0] == '-':
		return false
	}
	// A port, a property of YCSB, a folder; or a password of digits.
	return !number.MatchString(f.value) && !strings.Contains(f.value, "=") && f.value[0] != '/' && f.value[0] != '.' || apart(strings.ToLower(f.command()))
}

// apart tells programs whose -p has its password behind a blank, too, and be it of
// digits.
func apart(command string) bool {
	return slices.ContainsFunc([]string{"tpcc_", "go-tpc", "sshpass", "mycli"}, func(word string) bool { return strings.Contains(command, word) })
}

// word is a password in front of an @; a port before a path is none.
const word = `(?:[^\s/"']+|\d*[^\s/"'\d][^\s"']*)`

// What is a secret by its shape, and logins in front of a host.
var shapes = []struct {
	needs []string
	shape *regexp.Regexp
}{
	// A private key, up to its end or the end of the text.
	{[]string{"private key"}, regexp.MustCompile(`(?s)-----BEGIN [A-Z ]*PRIVATE KEY-----.*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)`)},
	// Keys of GitHub, GitLab, Slack, AWS, Google, npm, Stripe, Hugging Face, Vault, PyPI and others; a JWT.
	{[]string{"gh", "github_pat_", "glpat-", "xox", "sk-", "sk_", "akia", "asia", "eyj", "aiza", "ya29.", "npm_", "hf_", "dop_v1_", "hvs.", "sg.", "pypi-", "hooks.slack"},
		regexp.MustCompile(`(\b|_)(?:gh[opsur]_\w{20,}|github_pat_\w{20,}|glpat-[\w-]{16,}|xox[abeprs]-[\w-]{10,}|sk-[\w-]{20,}|sk_(?:live|test)_\w{10,}|(?:AKIA|ASIA)[0-9A-Z]{16}|eyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*|` +
			`AIza[\w-]{30,}|ya29\.[\w-]{20,}|npm_\w{30,}|hf_\w{20,}|dop_v1_\w{20,}|hvs\.[\w-]{20,}|SG\.[\w-]{16,}\.[\w-]{16,}|pypi-[\w-]{20,}|hooks\.slack\.com/services/[\w/]+)`)},
	// mysql://user:x@host, https://x1@github.com, ?sig=x
	{[]string{"://"}, regexp.MustCompile(`(://[^\s/:@"']*:)` + word + `(@)`)},
	{[]string{"://"}, regexp.MustCompile(`(://)[\w-]*\d[\w-]*(@)`)},
	{[]string{"sig="}, regexp.MustCompile(`([?&]sig=)[^\s&"']+()`)},
	// mysqlsh root:x@db1
	{[]string{"mysqlsh"}, regexp.MustCompile(`(\bmysqlsh\b[^\n]*[\s=]["']?[A-Za-z][\w.+-]*:)[^\s"']+(@)`)},
	// user:x@tcp(db1:3306)/sbtest, user:x@db1:3306/sbtest
	{[]string{"@"}, regexp.MustCompile(`(["'][A-Za-z][\w.+-]*:)[^"'\n]+(@(?:tcp|unix)\()`)},
	{[]string{"@"}, regexp.MustCompile(`(\b[A-Za-z][\w.+%-]*:)` + word + `(@(?:(?:tcp|unix)\(|/|[\w.-]+:\d+\b))`)},
}

// account is root:x@db1; mysql:8.4@sha256:... is an image.
var account = regexp.MustCompile(`(\b[A-Za-z][\w.+%-]*:)` + word + `(@(?:sha256:)?)`)

// Clean replaces the secrets in a text by Removed.
func Clean(text string) string {
	// What has none of these bytes is one word, without a value to it: names of files,
	// levels and events, by the hundred thousand.
	word := !strings.ContainsAny(text, " \t\n=:@|>%")
	if word && len(text) < 20 {
		return text
	}
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

// CleanCommand is Clean for command lines, where more looks like a password: any -p
// with something behind it, any user:x@.
func CleanCommand(text string) string {
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

// reach is how far before a secret its command may begin, and how long it is at most:
// without an end to both, a long line of many such words would take the square of its
// length.
const reach = 4 << 10

func (r rule) apply(text string) string {
	var out strings.Builder
	from := 0
	for _, m := range r.before.FindAllStringSubmatchIndex(text, -1) {
		at := m[1]
		if m[0] < from || strings.HasPrefix(text[at:], Removed) {
			continue
		}
		f := found{before: text[max(0, m[2]-reach):m[2]], name: text[m[4]:m[5]], joint: text[m[6]:m[7]]}
		inside := byte(0)
		if quote := text[m[2]:m[3]]; quote != "" && !strings.HasPrefix(strings.TrimLeft(f.joint, `\`), quote) {
			inside = quote[0]
		}
		end := at + length(text[at:min(len(text), at+reach)], inside)
		if f.value = text[at:end]; f.value == "" || !r.is(f) {
			continue
		}
		if !f.quoted() && inside == 0 && wholeLine(f) {
			line, _, _ := strings.Cut(text[at:], "\n")
			end = max(end, at+len(line))
		}
		out.WriteString(text[from:at])
		out.WriteString(Removed)
		from = end
	}
	if from == 0 {
		return text
	}
	out.WriteString(text[from:])
	return out.String()
}

var lineStart = regexp.MustCompile(`(?:^|\n)[\s>+#*-]*$`)

// wholeLine: what stands behind "Password: " at the start of a line is all of it.
func wholeLine(f found) bool {
	return strings.TrimSpace(f.joint) != "" && strings.ContainsAny(f.joint[len(f.joint)-1:], " \t") && lineStart.MatchString(f.before)
}
