package perfscript

import (
	"strings"
	"testing"

	"noisefloor/ingest/internal/stacks"
)

// A frame's names, the caller first; "-" where the line is none, "" where it is
// left out. What inferno 0.12 makes of the line is the same but where noted.
func TestFrame(t *testing.T) {
	in := func(java bool, line, want string) {
		t.Helper()
		got := "-"
		if f, ok := parseFrame([]byte(line)); ok {
			var list []string
			for _, name := range stacks.Functions(f.function, f.library, java) {
				list = append(list, string(name))
			}
			got = strings.Join(list, " | ")
		}
		if got != want {
			t.Errorf("%q: %q, want %q", line, got, want)
		}
	}
	is := func(line, want string) { t.Helper(); in(false, line, want) }
	is("ffffffff8103ce3b native_safe_halt ([kernel.kallsyms])", "native_safe_halt")
	is("ffffffff81aebbfe start_kernel ([kernel.kallsyms].init.text)", "start_kernel")
	is("7f533952bc77 _dl_check_map_versions+0x597 (/usr/lib/ld-2.28.so)", "_dl_check_map_versions")
	is("7f533952bc77 odd+0xname (/usr/lib/ld-2.28.so)", "odd+0xname")
	is("7f53389994d0 [unknown] ([unknown])", "[unknown]")
	is("7f0ec396bf77 [unknown] (/usr/lib/libz.so.1.2.13)", "[libz.so.1.2.13]")
	is("ffffffff8103ce3b [unknown] ([kernel.kallsyms])", "[[kernel.kallsyms]]")
	is("7f1e2215d058  (/lib/x86_64-linux-gnu/libc-2.15.so)", " ")
	is("52f4b3 text/template.(*Template).Parse+0x1f3 (/usr/lib/go/bin/go)", "text/template.(*Template).Parse")
	is("52f4b3 go/build.(*importReader).readByte (/go)", "go/build.(*importReader).readByte")
	is("401b97 std::function<void (int, int)>::operator()(int, int) const (/usr/bin/x)", "std::function<void (int, int)>::operator")
	is("401b97 {lambda(int, int)#2}::operator()() (/usr/bin/x)", "{lambda(int, int)#2}::operator")
	is("401b97 ns::(anonymous namespace)::f(int) (/usr/bin/x)", "ns::(anonymous namespace)::f")
	is("401b97 base(BasicType) const (/usr/bin/x)", "base")
	is("401b97 RegExp:[&<>\"'] (/tmp/perf-7539.map)", "RegExp:[&<>\"']")
	is("13a80b608e0a LazyCompile:~foo /home/x;y.js:1 (/tmp/perf-7539.map)", "LazyCompile:~foo /home/x:y.js:1")
	is("401b97 (mysqld) (/usr/sbin/mysqld)", "")
	is("0 read_row (inlined)", "read_row")
	is("7f722d142778 Ljava/io/PrintStream;::print (/tmp/perf-19982.map)", "Ljava/io/PrintStream:::print")
	in(true, "7f722d142778 Ljava/io/PrintStream;::print (/tmp/perf-19982.map)", "java/io/PrintStream:::print")
	in(true, "7f722d142778 Lock::lock (/usr/lib/libjvm.so)", "Lock::lock")
	in(true, "7f722d142778 La/A;::f->Lb/B;::g->Lc/C;::h (/tmp/perf-19982.map)", "a/A:::f | b/B:::g_[i] | c/C:::h_[i]")
	is("7f722d142778 f->g_[i]_[i] (/tmp/perf-19982.map)", "f | g_[i]_[i]")
	is("401b97 _$LT$grep..glue..ReadByLine$LT$$u27$s$C$$u20$M$GT$$GT$::run::h30ecedc997ad7e32 (/usr/bin/rg)", "<grep::glue::ReadByLine<'s, M>>::run")
	is("401b97 core::ops::function::FnOnce::call_once::h30ecedc997ad7e32+0x1f (/usr/bin/rg)", "core::ops::function::FnOnce::call_once")
	is("401b97 a.b$XX$c..d::h30ecedc997ad7e32 (/usr/bin/rg)", "a.b$XX$c..d")
	is("401b97 not_a_hash::h30ecedc997ad7e3z (/usr/bin/rg)", "not_a_hash::h30ecedc997ad7e3z")

	// inferno leaves these lines out or takes a part of the library into the name.
	is("401b97 (anonymous namespace)::f (/usr/bin/x)", "(anonymous namespace)::f")
	is("401b97 read_row (/usr/sbin/mariadbd) (inlined)", "read_row")
	is("7f0ec396bf77 inflate+0x12 (/usr/lib/libz.so.1.2.13 (deleted))", "inflate")
	is("7f0ec396bf77 [unknown] (/usr/lib/libz.so.1.2.13 (deleted))", "[libz.so.1.2.13]")
	is("7f0ec396bf77 f (/home/my programs/x)", "f")
	is("7f0ec396bf77 Interpreter ([JIT app cache])", "Interpreter")
	is("7f0ec396bf77 (/usr/lib/libz.so.1.2.13)", "[libz.so.1.2.13]")
	is("b3cea6c4\tLock::unlock() (/system/lib/libc.so)", "Lock::unlock")
	is("ffffffff8225fd19 pvm_irq_enable", "pvm_irq_enable")
	is("ffffffff8225fd19", "[unknown]")

	is("THIS_IS_A_WEIRD_LINE", "-")
	is("some words", "-")
	is("ffffffff8225fd19 f (", "f ") // arguments begin there
	is("ffffffff8225fd19 f x)", "-")
}

func TestSourceLine(t *testing.T) {
	is := func(line string, want bool) {
		t.Helper()
		if got := isSourceLine([]byte(line)); got != want {
			t.Errorf("%q: %v", line, got)
		}
	}
	is("  sql_select.cc:4511", true)
	is("  ??:0", true)
	is("  mariadbd[8a71f0]", true)
	is("  [kernel.kallsyms][ffffffff8103ce3b]", true)
	is("\t8a71f0 f (x)", false)
	is("  8a71f0 f (x)", false)
	is("   three.c:1", false)
	is("  x", false)
}
