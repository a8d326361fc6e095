package secret

import (
	"regexp"
	"strings"
)

// piece is a value as a shell takes it: quoted, bare or both, up to a blank.
const piece = `(?:"[^"]*(?:"|$)|'[^']*(?:'|$)|\\.|[^\s"'\\])+`

// What a shell line can hide a password in, beyond what Clean knows of any text.
var (
	quotedOption = regexp.MustCompile(`"(--[\w-]+=)[^"]*|'(--[\w-]+=)[^']*`) // "--mysql-password=x y"
	anyOption    = regexp.MustCompile(`(--[\w-]+=)` + piece)                 // --mysql-password=x'y z'
	anyShort     = regexp.MustCompile(`((?:^|[\s"'(=])-p)` + piece)          // mysql -uroot '-px'
	sshpass      = regexp.MustCompile(`(sshpass\s+-p\s*)` + piece)           // sshpass -p x ssh db1
	account      = regexp.MustCompile(`([\w.+%-]+:)[^\s@/]+@`)               // root:x@tcp(db1:3306)/sbtest
)

// CleanCommand is Clean for command lines, where more looks like a password: any
// -p with something behind it.
func CleanCommand(text string) string {
	hide := func(m string) string {
		if name, _, _ := strings.Cut(m, "="); Name(strings.Trim(name, `"'-`)) {
			return name + "=" + Removed
		}
		return m
	}
	text = anyOption.ReplaceAllStringFunc(quotedOption.ReplaceAllStringFunc(text, hide), hide)
	text = anyShort.ReplaceAllString(text, "${1}"+Removed)
	text = sshpass.ReplaceAllString(text, "${1}"+Removed)
	text = account.ReplaceAllString(text, "${1}"+Removed+"@")
	return Clean(text)
}
