package archive

import (
	"fmt"
	"path"
	"strings"
	"unicode/utf8"
)

// Printable makes a name valid UTF-8: other bytes are written %FF. Two names stay
// two names.
func Printable(name string) string {
	if utf8.ValidString(name) && !strings.ContainsFunc(name, isControl) {
		return name
	}
	var b strings.Builder
	for len(name) > 0 {
		r, n := utf8.DecodeRuneInString(name)
		if r == utf8.RuneError && n == 1 || isControl(r) {
			for i := range n {
				fmt.Fprintf(&b, "%%%02X", name[i])
			}
		} else {
			b.WriteString(name[:n])
		}
		name = name[n:]
	}
	return b.String()
}

func isControl(r rune) bool { return r < ' ' || r == 0x7f }

// memberName makes a plain relative name of what an archive says. It is only a
// name: nothing is ever written under it.
func memberName(name string) string {
	name = path.Clean("/" + strings.ReplaceAll(Printable(name), `\`, "/"))
	return strings.TrimPrefix(name, "/")
}

func isHidden(name string) bool {
	return strings.HasPrefix(name, ".") || strings.Contains(name, "/.") || strings.HasPrefix(name, "__MACOSX/")
}
