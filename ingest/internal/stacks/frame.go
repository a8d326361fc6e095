package stacks

import (
	"bytes"
)

// Unknown is what perf prints where it knows no symbol or no library.
const Unknown = "[unknown]"

// Functions names the functions of a frame, the caller first, as inferno does: more
// than one where Java code was inlined, none for a frame that is left out. java
// tells that the command is java.
func Functions(function, library []byte, java bool) [][]byte {
	if i := bytes.LastIndex(function, []byte("+0x")); i >= 0 && (isHex(function[i+3:]) || i+3 == len(function)) {
		function = function[:i]
	}
	if bytes.HasPrefix(function, []byte("(")) && !bytes.HasPrefix(function, anonymous) {
		return nil // the name of a process: perf without symbols
	}
	function = demangleRust(function)
	var list [][]byte
	for i, name := range bytes.Split(function, []byte("->")) {
		if string(name) == Unknown {
			name = fallback(library)
		}
		name = tidy(name)
		if java {
			name = tidyJava(name)
		}
		if i > 0 && !bytes.Contains(name, inlineMark) {
			name = append(bytes.Clone(name), inlineMark...)
		}
		list = append(list, name)
	}
	return list
}

var anonymous = []byte("(anonymous namespace)")

// inlineMark is how FlameGraph's scripts mark a Java method that was inlined.
var inlineMark = []byte("_[i]")

// fallback names a function without a symbol after its library.
func fallback(library []byte) []byte {
	if len(library) == 0 || string(library) == Unknown {
		return []byte(Unknown)
	}
	library = library[bytes.LastIndexByte(library, '/')+1:]
	name := make([]byte, 0, len(library)+2)
	name = append(name, '[')
	name = append(name, library...)
	return append(name, ']')
}

// tidy takes away the arguments of a function, which begin at the first
// parenthesis outside of all brackets:
//
//	base(BasicType) const                               base
//	foo<Vec::<usize>>(Vec<usize>)                       foo<Vec::<usize>>
//	std::function<void (int)>::operator()(int) const    std::function<void (int)>::operator
//	{lambda(int)#2}::operator()                         {lambda(int)#2}::operator
//	(anonymous namespace)::bar()                        (anonymous namespace)::bar
//	net/http.(*Client).Do                               as it is: Go
func tidy(name []byte) []byte {
	name = bytes.ReplaceAll(name, []byte(";"), []byte(":"))
	depth := 0
	for i, c := range name {
		switch c {
		case '<', '{', '[':
			depth++
		case '>', '}', ']', ')':
			depth--
		case '(':
			isGo := i > 0 && name[i-1] == '.'
			if depth == 0 && !isGo && !bytes.HasPrefix(name[i:], anonymous) {
				return name[:i]
			}
			depth++
		}
	}
	return name
}

// tidyJava takes the L from a class name: Lorg/mozilla/MemberBox:.<init>.
func tidyJava(name []byte) []byte {
	if len(name) > 0 && name[0] == 'L' && bytes.IndexByte(name, '/') >= 0 {
		return name[1:]
	}
	return name
}

// rustHash is how long the hash at the end of a legacy Rust symbol is: h and 16
// digits.
const rustHash = 17

// rustEscapes are what the legacy mangling of Rust writes for what is no letter
// (rustc, compiler/rustc_symbol_mangling/src/legacy.rs).
var rustEscapes = []struct{ from, to string }{
	{"$SP$", "@"}, {"$BP$", "*"}, {"$RF$", "&"}, {"$LT$", "<"}, {"$GT$", ">"}, {"$LP$", "("}, {"$RP$", ")"}, {"$C$", ","},
	{"$u7e$", "~"}, {"$u20$", " "}, {"$u27$", "'"}, {"$u3d$", "="}, {"$u5b$", "["}, {"$u5d$", "]"}, {"$u7b$", "{"}, {"$u7d$", "}"},
	{"$u3b$", ";"}, {"$u2b$", "+"}, {"$u21$", "!"}, {"$u22$", "\""},
}

// demangleRust finishes what perf's demangler leaves of a legacy Rust symbol:
//
//	_$LT$grep..glue..ReadByLine$LT$$u27$s$C$$u20$M$GT$$GT$::run::h30ecedc997ad7e32    <grep::glue::ReadByLine<'s, M>>::run
func demangleRust(name []byte) []byte {
	at := len(name) - rustHash
	if at < 0 || name[at] != 'h' || !isHex(name[at+1:]) {
		return name
	}
	rest := bytes.TrimSuffix(name[:at], []byte("::"))
	if bytes.HasPrefix(rest, []byte("_$")) {
		rest = rest[1:]
	}
	var out []byte
next:
	for len(rest) > 0 {
		switch {
		case bytes.HasPrefix(rest, []byte("..")):
			out, rest = append(out, "::"...), rest[2:]
		case rest[0] == '.':
			out, rest = append(out, '.'), rest[1:]
		case rest[0] == '$':
			for _, e := range rustEscapes {
				if bytes.HasPrefix(rest, []byte(e.from)) {
					out, rest = append(out, e.to...), rest[len(e.from):]
					continue next
				}
			}
			return append(out, rest...)
		default:
			i := bytes.IndexAny(rest, "$.")
			if i < 0 {
				i = len(rest)
			}
			out, rest = append(out, rest[:i]...), rest[i:]
		}
	}
	return out
}

func isHex(word []byte) bool {
	for _, c := range word {
		if !(c >= '0' && c <= '9' || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F') {
			return false
		}
	}
	return len(word) > 0
}
