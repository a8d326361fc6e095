package perfscript

import (
	"bytes"
	"unicode/utf8"

	"noisefloor/ingest/internal/stacks"
)

// frame is a line of a call chain:
//
//	ffffffff8103ce3b native_safe_halt ([kernel.kallsyms])
//	    7f533952bc77 _dl_check_map_versions+0x597 (/usr/lib/ld-2.28.so)
//	    7f1e2215d058  (/lib/x86_64-linux-gnu/libc-2.15.so)
//	    7f53389994d0 [unknown] ([unknown])
//	    7f0ec396bf77 [unknown] (/usr/lib/libz.so.1.2.13 (deleted))
//	          52f4b3 text/template.(*Template).Parse+0x1f3 (/usr/lib/go/bin/go)
//	          401b97 std::function<void (int)>::operator()(int) const (/usr/bin/x)
//	    7f722d142778 Ljava/io/PrintStream;::print->Ljava/io/Writer;::write (/tmp/perf-19982.map)
//	    7f722d142778 LazyCompile:~foo /home/x y.js:1 (/tmp/perf-19982.map)
//	               0 read_row (inlined)
//	          401b97 read_row (/usr/sbin/mariadbd) (inlined)
//	        b3cea6c4	Lock::unlock() (/system/lib/libc.so)                simpleperf
//	ffffffff8225fd19 pvm_irq_enable                                         no -F dso
type frame struct {
	function, library []byte
}

var (
	inlinedMark = []byte(" (inlined)")
	deletedMark = []byte(" (deleted)")
	unknown     = []byte(stacks.Unknown)
)

// parseFrame reads a line without the blanks around it. Without a library it is a
// frame only if it begins with an address.
func parseFrame(line []byte) (f frame, ok bool) {
	address, rest := cutWord(line)
	if len(rest) == 0 {
		return frame{function: unknown, library: unknown}, len(address) >= minAddress && isHex(address)
	}
	if marked, ok := bytes.CutSuffix(rest, inlinedMark); ok && bytes.HasSuffix(marked, []byte(")")) && openParenthesis(marked) >= 0 {
		rest = marked
	}
	at := openParenthesis(rest)
	if at < 0 {
		f.function = rest
		return f, isHex(address) && rest[len(rest)-1] != ')' && rest[len(rest)-1] != ':'
	}
	f.library = bytes.TrimSuffix(rest[at+1:len(rest)-1], deletedMark)
	f.function = bytes.TrimRight(rest[:at], blanks)
	switch {
	case at == 0 && len(address)+1 == len(line)-len(rest): // one blank between them: no -F sym
		f.function = unknown
	case len(f.function) == 0: // a symbol without a name
		f.function = []byte(" ")
	}
	return f, true
}

// openParenthesis finds the one that the last character of b closes, with a blank
// or nothing before it; -1 if there is none.
func openParenthesis(b []byte) int {
	if len(b) == 0 || b[len(b)-1] != ')' {
		return -1
	}
	depth := 0
	for i := len(b) - 1; i >= 0; i-- {
		switch b[i] {
		case ')':
			depth++
		case '(':
			depth--
			if depth == 0 {
				if i == 0 || b[i-1] == ' ' || b[i-1] == '\t' {
					return i
				}
				return -1
			}
		}
	}
	return -1
}

// valid replaces bytes that are no UTF-8.
func valid(text []byte) []byte {
	if utf8.Valid(text) {
		return text
	}
	return []byte(string([]rune(string(text))))
}
