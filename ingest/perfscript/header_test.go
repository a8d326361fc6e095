package perfscript

import (
	"fmt"
	"testing"
)

// What the header says: command | event | period | frame or payload; "" if the
// line is none.
func TestHeader(t *testing.T) {
	is := func(line, want string) {
		t.Helper()
		got := ""
		if h, ok := parseHeader([]byte(line)); ok {
			got = fmt.Sprintf("%s|%s|%.0f|%s", h.comm, h.event, h.period, h.payload)
			if h.record != nil {
				got = fmt.Sprintf("%s|record|%s|%s", h.comm, h.record, h.payload)
			}
		}
		if got != want {
			t.Errorf("%q\ngot  %s\nwant %s", line, got, want)
		}
	}
	is("java 25607 4794564.109216: cycles:", "java|cycles|0|")
	is("java 12688 [002] 6544038.708352: cpu-clock:", "java|cpu-clock|0|")
	is("V8 WorkerThread 24636/25607 [000] 94564.109216: cycles:", "V8 WorkerThread|cycles|0|")
	is("vote   913    72.176760:     257597 cycles:uppp:", "vote|cycles:uppp|257597|")
	is("my thread 1   913    72.176760:     257597 cycles:", "my thread 1|cycles|257597|")
	is("a:b [k] 7 8   4711 K      2371.034898:    5025125 cpu-clock:", "a:b [k] 7 8|cpu-clock|5025125|")
	is("ib_io: rd/0 4711/4712 [001] 5.5: 99 cycles:u:", "ib_io: rd/0|cycles:u|99|")
	is("java 25607 cycles:", "java|cycles|0|")       // perf 3.2
	is("java 25607 300 cycles:", "java|cycles|300|") // -F comm,tid,period,event
	is("python3 21396", "python3||0|")
	is("python3 21396  2371.034898:", "python3||0|")
	is("python3 21396  2371.034898: ffffffff8225fd19 f ([kernel.kallsyms])", "python3||0|ffffffff8225fd19 f ([kernel.kallsyms])")
	is("false 64414 20110.539270:      34467 cycles:u:  ffffffff9aa3c8de [unknown] ([unknown])", "false|cycles:u|34467|ffffffff9aa3c8de [unknown] ([unknown])")
	is("gprof 1 2.5: 77 cpu_core/cycles/:", "gprof|cpu_core/cycles/|77|")
	is("gprof 1 2.5: 77 cpu/event=0x3c,umask=0x1/u:", "gprof|cpu/event=0x3c,umask=0x1/u|77|")
	is("mariadbd 4711/4712 [001] 5.5: 1 sched:sched_switch: prev_comm=a prev_pid=1 ==> next_comm=b 7", "mariadbd|sched:sched_switch|1|prev_comm=a prev_pid=1 ==> next_comm=b 7")
	is("6\t0/0\t\t[000] 0.0:\t\t\t1 event_name: event_properties", "6|event_name|1|event_properties")
	is("swapper     0 [000] 158665.570607: cpu-clock: ", "swapper|cpu-clock|0|")
	is(":-1 -1 [000] 1.5: 1 dummy:HG:", ":-1|dummy:HG|1|")
	is("swapper     0     0.000000: PERF_RECORD_COMM: perf-exec:21396/21396", "swapper|record|PERF_RECORD_COMM:|perf-exec:21396/21396")
	is("Gecko\t25122 [007] 115539.936601:\t\t1000000 task-clock:u:", "Gecko|task-clock:u|1000000|") // simpleperf
	is("x 1 2.5: 18446744073709551615 cycles:", "x|cycles|0|")                                      // no period at all

	is("", "")
	is("mariadbd", "")
	is("4711", "")
	is("ffffffff8103ce3b native_safe_halt ([kernel.kallsyms])", "")
	is("7f53389994d0 f(int, 1) (/usr/lib/x)", "")
	is("mariadbd eleven 5.5: cycles:", "")
	is("THIS_IS_A_WEIRD_LINE", "")
}

func TestPayloadFrame(t *testing.T) {
	is := func(payload, want string) {
		t.Helper()
		if got := string(payloadFrame([]byte(payload))); got != want {
			t.Errorf("%q: %q, want %q", payload, got, want)
		}
	}
	is("ffffffff9aa3c8de [unknown] ([unknown])", "ffffffff9aa3c8de [unknown] ([unknown])")
	is("259,76 R 4096 () 57622160 + 8 [fio] ffffffff8beead90 blk_mq_start_request ([kernel.kallsyms])", "ffffffff8beead90 blk_mq_start_request ([kernel.kallsyms])")
	is("comm=fio pid=243615 7fa68b1f2d84 operator()(int) const (/usr/lib/ld-2.31.so)", "7fa68b1f2d84 operator()(int) const (/usr/lib/ld-2.31.so)")
	is("prev_comm=a prev_state=S ==> next_comm=b", "")
	is("(4711)", "")
	is("", "")
}
