package secret

import (
	"regexp"
	"slices"
	"strings"
)

// A rule knows what stands before a secret. How long the secret is, its quotes and
// blanks tell, see length, unless the rule says.
type rule struct {
	needs  []string       // without one of these, in lower case, there is nothing to look for
	before *regexp.Regexp // groups: the quote opened just before, the name, what joins it to the secret
	value  *regexp.Regexp
	is     func(found) bool
}

// How a name is joined to its value, in the parts of a regular expression.
const (
	blank = `(?:\s|\\\s|\\[nt])`                   // also as \n in a quoted text, and a backslash before a line's end
	quote = "(?:\\\\*[\"'`]|\\\\u0022|&quot;|%22)" // also behind the backslashes of quoted texts
	shut  = `(?:` + quote + `|[\]*]|</\w+>)*`      // of a name in quotes, in brackets, bold
	sign  = `(?:=>|->|[:?=]?=|<<<|[:：|]|是|\\u003d|&#(?:61|x3d);|%3[ad])`
	joint = shut + blank + `*` + sign + blank + `*(?:\*\*|</\w+>)?` + blank + `*` + // password: x, **Password:** x
		`|` + quote + `?[,\s]\s*` + quote + `?value` + quote + `?\s*[:=]\s*` + // "name": "password", "value": "x"
		`|</[\w:]+>\s*<[\w:]+>|["']?>|\t+` + // <name>password</name><value>x, <password>x
		`|` + quote + `?,?(?:\s|\\+\s|\\{2,}n)+` // --password x, "--password", "x"
)

// kept are the parts of names that pairs are looked for at; what is a name, Name tells.
const kept = `pass|pwd|pw|psw|pswd|secret|token|key|cred|jwt|cookie|signature|[_-]auth|masterauth|authentication_s|kennwort|contraseña|mot de passe|senha|wachtwoord|hasło|lösenord|пароль|パスワード|비밀번호|密码|口令`

var rules = []rule{
	// Authorization: Bearer x, "Authorization": "Basic x"
	{needs: []string{"authorization"}, before: regexp.MustCompile(`(?i)(["']?)(authorization)(\\*["']?\s*[:=]\s*(?:\[\s*)?(?:\\*["'])?(?:(?:basic|bearer|digest|token)[ \t]+)?)`), is: always},
	{needs: []string{"bearer"}, before: regexp.MustCompile(`(?i)()(\bbearer)(:? +)`), is: func(f found) bool { return len(f.value) >= 8 }},
	// password=x, "password": "x", --password x, ["--password", "x"], <password>x<, db_pass => 'x', password%3Dx
	{needs: strings.Split(strings.Replace(kept, "[_-]auth", "auth", 1), "|"), before: regexp.MustCompile("(?i)([\"'`]?)([\\pL\\pN_.$-]*(?:" + kept + ")[\\pL\\pN_.-]*)(" + joint + ")"), is: pair},
	// diset tpcc maria_pass x, setenv MYSQL_PWD x, ENV MYSQL_PWD x
	{needs: []string{"set", "env"}, before: regexp.MustCompile(`(?i)()(?:\b(?:set|setenv|env)(?:\s+-\w+)*|\bdiset\s+\w+|\bdict\s+set\s+\w+\s+\w+)\s+(\w+)(\s+)`), is: func(f found) bool {
		return Name(f.name) && !strings.EqualFold(f.value, "for") && !strings.EqualFold(f.value, "to") && strings.Trim(f.value, ":=") != ""
	}},
	// with password x, password 'x', password for root is x1, requirepass x1, A temporary password is generated for root@localhost: x1
	{needs: []string{"pass", "pwd", "masterauth"}, before: regexp.MustCompile(`(?i)()(\bwith\s+(?:password|passphrase|pwd)|[\w.-]*(?:passw(?:or)?[dt]|passphrase|pwd|masterauth|\wpass))((?:\s+is\s+generated)?(?:\s+for\s+(?:(?:user|key)\s+)?[^\s:]+)?(?:\s+(?:is|was|set\s+to))?:?\s+)`), is: func(f found) bool {
		with := strings.ContainsAny(f.name, " \t\n")
		return (with || Name(f.name)) && f.value[0] != '(' && f.value[0] != '/' && (with || f.quoted() || !prose(f.value))
	}},
	// Changed tpcc:mysql_pass from x to y
	{needs: []string{"from"}, before: regexp.MustCompile(`(?i)()([\w:.-]+)(\s+(?:changed\s+)?from\s+)`), value: regexp.MustCompile(`^\S+\s+to\s+\S+`), is: func(f found) bool {
		return Name(f.name) && !Plain(f.name, f.value[:strings.IndexAny(f.value, " \t\n")])
	}},
	// IDENTIFIED WITH caching_sha2_password BY 'x' REPLACE 'y', PASSWORD('x'), SET PASSWORD FOR a = 'x', AES_ENCRYPT(a, 'x'), connect('db1', 'root', 'x'), mysql_real_connect(0x1, "db1", "root", "x")
	{needs: []string{"identified", "password", "connect", "pdo(", "aes_"}, before: regexp.MustCompile(`(?i)()(\bidentified\s+(?:(?:with|via)\s+\S+\s+)?(?:by|as|using)|password|set\s+password\s+for\s+\S+|replace|connect(?:ion)?|\bpdo|\baes_(?:en|de)crypt)` +
		`(\s*=\s*|\s+(?:password\s*)?\(?\s*|\s*\(\s*\w+,\s*(?:(?:\\*"+[^"]*"+,\s*){2})?|\s*\(\s*(?:["'][^"']*["'],\s*){0,2})`), is: func(f found) bool {
		return f.quoted() && (!strings.EqualFold(f.name, "replace") || sqlSecret.MatchString(f.before))
	}},
	// Cookie: a=x; b=y, curl -b a=x
	{needs: []string{"cookie:", "curl"}, before: regexp.MustCompile(`(?i)(["']?)((?:set-)?cookie|\bcurl\b[^\n]*\s-b)(:\s*|\s*)`), is: func(f found) bool {
		return f.joint != "" || f.name[0]|0x20 == 'c' && strings.HasSuffix(f.name, "-b")
	}},
	// mysql -u root -px '-px y', tpcc_start -p x
	{needs: []string{"mysql", "mariadb", "sysbench", "tpcc", "go-tpc", "mycli", "sshpass", "-u"}, before: glued, is: func(f found) bool { return short(f) && client.MatchString(f.command()) }},
	// redis-cli -a x, sqlcmd -P x, ldapsearch -w x, tpcc_start db1 tpcc root x 100, sqlplus system/x@db1
	{needs: []string{"redis-", "sqlcmd", "bcp", "ldap", "ipmitool", "tpcc_", "sqlplus"}, before: regexp.MustCompile(`()(\bredis-\w+\b[^\n|]*?\s-a|\b(?:sqlcmd|bcp|ipmitool)\b[^\n|]*?\s-P|\bldap\w+\b[^\n|]*?\s-w|\btpcc_(?:start|load)(?:\s+[^-\s]\S*){3}|\bsqlplus\b[^\n|]*?\s\w+/)(\s*)`), is: always},
	// curl -u user:x, auth=user:x
	{needs: []string{"-u", "user", "login", "auth", "cred"}, before: regexp.MustCompile(`(?i)(?:^|[\s"'(,;{])(?:-u\s*|-{0,2}(?:[\w-]*user|login|auth|cred)\b["']?(?:\s*[:=]\s*|[ \t]+))(["']?)([^\s:"'/=]+)(:)`), is: func(f found) bool {
		return !strings.HasPrefix(f.value, "//") && !number.MatchString(f.name) && !number.MatchString(f.value) && f.value != f.name && f.value[0] != ':'
	}},
	// h=db1,u=root,p=x of percona-toolkit
	{needs: []string{",p="}, before: regexp.MustCompile(`()(\b[hu]=[^\s,]*,(?:[a-zA-Z]=[^\s,]*,)*p)(=)`), is: always},
}

var (
	glued  = regexp.MustCompile(`(?:^|[\s(=,\["'])(["']?)(-p)((?:\\?["'],\s*|[=\s]+)?)`)
	client = regexp.MustCompile(`(?i)\b(?:mysql|mariadb|sysbench|tpcc|go-tpc|mycli|sshpass)|(?-i:(?:^|[\s"'])(?:-[uU]|--user)[=\s"',]+[^-\s"',])|(?:^|\s)-u\w`)
	// Other words that begin with -p: cp -pr, gcc -pthread, bench -port=3306.
	otherFlag = regexp.MustCompile(`^(?:(?:[a-z]{1,2}|thread|ipe|ie|edantic|ass|assword|asswd|w|wd)(?:$|[\s"'])|(?:ort|ool|ath|rofile|rotocol|arallel|refix|lugin|id)[\w-]*=)`)
	number    = regexp.MustCompile(`^(?:[\d:.-]+|0x[\da-f]+|ALL)$`)
	sqlSecret = regexp.MustCompile(`(?i)\bidentified\b|\bset\s+password\b`)
	dashed    = regexp.MustCompile("^(?:[\\s\\\\\"'`,]|\\\\n)*$")
)

func always(f found) bool { return !Plain(f.name, f.value) }

func pair(f found) bool {
	switch {
	case !Name(f.name), Plain(f.name, strings.Trim(f.value, "\"'`")):
		return false
	case strings.HasPrefix(f.joint, "\t"):
	case f.name[0] == '-' && f.value[0] == '-' && strings.TrimRight(f.joint, " \t\n") != f.joint: // --password= --threads=8
		return false
	case dashed.MatchString(f.joint): // --password x
		return f.name[0] == '-' && (!strings.Contains(f.joint, "\n") || strings.ContainsAny(f.joint, `\,`))
	case strings.TrimSpace(f.joint) == ":" && (f.value[0] == ':' || strings.HasPrefix(f.value, "//")): // a name of C++, a URL
		return false
	}
	return true
}

// short tells of what stands behind -p whether it is a password.
func short(f found) bool {
	switch {
	case f.joint == "":
		return f.value[0] != '-' && !otherFlag.MatchString(f.value)
	case f.value[0] == '-':
		return false
	}
	// A port, a process, a property of YCSB, a folder; or a password of digits.
	return !number.MatchString(f.value) && !strings.Contains(f.value, "=") && f.value[0] != '/' && f.value[0] != '.' || apart(strings.ToLower(f.command()))
}

// apart tells programs whose -p has its password behind a blank, too, and be it of
// digits.
func apart(command string) bool {
	return slices.ContainsFunc([]string{"tpcc_", "go-tpc", "sshpass", "mycli"}, func(word string) bool { return strings.Contains(command, word) })
}
