package perfscript

import (
	"bytes"

	"noisefloor/ingest/internal/digits"
)

// header is what the first line of a sample says:
//
//	java 25607 4794564.109216: cycles:
//	java 12688 [002] 6544038.708352: cpu-clock:
//	V8 WorkerThread 24636/25607 [000] 94564.109216: cycles:
//	my thread 1   913    72.176760:     257597 cycles:uppp:
//	a:b [k] 7 8  4711 K      2371.034898:    5025125 cpu-clock:
//	java 25607 cycles:                                                  perf 3.2
//	python3 21396                                                       -F comm,tid,ip,sym
//	        false 64414 20110.539270:      34467 cycles:u:  ffffffff9aa3c8de [unknown] ([unknown])
//	        fio 236193/236193 [021] 1.791544: 1 block:block_rq_issue: 259,76 R 4096 () [fio] ffffffff8beead90 f ([kernel.kallsyms])
//	6	0/0		[000] 0.0:			1 event_name: event_properties
//	swapper     0     0.000000: PERF_RECORD_COMM: perf-exec:21396/21396
//
// Every field but the command and the thread may be missing, and a command may
// hold blanks, digits, colons and brackets. So the line is read from each number
// that could be the thread, and the first one behind which the rest makes sense is
// it.
type header struct {
	comm, event []byte
	period      float64 // 0 if it is not printed
	payload     []byte  // behind the event: a frame, or what a tracepoint prints
	record      []byte  // "PERF_RECORD_MMAP2 ..." of a line that is no sample
}

func parseHeader(line []byte) (h header, ok bool) {
	at := skipBlanks(line, 0)
	begin := at
	at = skipWord(line, at)
	for {
		from := skipBlanks(line, at)
		if from == len(line) {
			return header{}, false
		}
		at = skipWord(line, from)
		if !isThread(line[from:at]) {
			continue
		}
		if h, ok = parseFields(line[at:]); ok {
			h.comm = bytes.TrimRight(line[begin:from], blanks)
			return h, true
		}
	}
}

const blanks = " \t"

func skipBlanks(b []byte, at int) int {
	for at < len(b) && (b[at] == ' ' || b[at] == '\t') {
		at++
	}
	return at
}

func skipWord(b []byte, at int) int {
	for at < len(b) && b[at] != ' ' && b[at] != '\t' {
		at++
	}
	return at
}

// cutWord cuts off the first word and the blanks around it.
func cutWord(b []byte) (word, rest []byte) {
	from := skipBlanks(b, 0)
	to := skipWord(b, from)
	return b[from:to], b[skipBlanks(b, to):]
}

// isThread tells "25607" and "24636/25607" from other words; "-1" stands where the
// thread is unknown.
func isThread(word []byte) bool {
	if pid, tid, ok := bytes.Cut(word, []byte("/")); ok {
		return isNumber(pid) && isNumber(tid)
	}
	return isNumber(word)
}

func isNumber(word []byte) bool { return digits.Only(bytes.TrimPrefix(word, []byte("-"))) }

func isHex(word []byte) bool {
	for _, c := range word {
		if !(c >= '0' && c <= '9' || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F') {
			return false
		}
	}
	return len(word) > 0
}

// isTime tells "2371.034898:", "0.0:".
func isTime(word []byte) bool {
	word, ok := bytes.CutSuffix(word, []byte(":"))
	whole, part, point := bytes.Cut(word, []byte("."))
	return ok && isNumber(whole) && (!point || digits.Only(part))
}

// isMisc tells the letters of -F +misc: K kernel, U user, H hypervisor, G guest, E
// exact, S schedule out.
func isMisc(word []byte) bool {
	return len(word) > 0 && len(word) <= 4 && len(bytes.Trim(word, "KUHGgES")) == 0
}

// isEvent tells "cycles:", "cycles:uppp:", "cpu_core/cycles/:", "sched:sched_switch:".
func isEvent(word []byte) bool {
	if len(word) < 2 || word[len(word)-1] != ':' || word[0] == ':' || word[0] == '[' {
		return false
	}
	for _, c := range word {
		if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' {
			return true
		}
	}
	return false
}

var recordWord = []byte("PERF_RECORD_")

// parseFields reads what stands behind the thread.
func parseFields(b []byte) (h header, ok bool) {
	word, rest := cutWord(b)
	if len(word) > 2 && word[0] == '[' && word[len(word)-1] == ']' && digits.Only(word[1:len(word)-1]) { // the CPU
		word, rest = cutWord(rest)
	}
	if isMisc(word) {
		word, rest = cutWord(rest)
	}
	timed := isTime(word)
	if timed {
		word, rest = cutWord(rest)
	}
	if bytes.HasPrefix(word, recordWord) {
		h.record = word
		h.payload = rest
		return h, true
	}
	if digits.Only(word) {
		if next, after := cutWord(rest); isEvent(next) {
			h.period = number(word)
			word, rest = next, after
		}
	}
	switch {
	case isEvent(word):
		h.event, h.payload = word[:len(word)-1], rest
		return h, true
	case len(word) == 0: // no -F event
		return h, true
	case timed && isHex(word) && bytes.HasSuffix(rest, []byte(")")): // no -F event, one frame
		h.payload = b[bytes.Index(b, word):]
		return h, true
	}
	return h, false
}

func number(digits []byte) float64 {
	n := uint64(0)
	for _, c := range digits {
		if n > (1<<63)/10 {
			return 0 // no period has so many digits
		}
		n = 10*n + uint64(c-'0')
	}
	return float64(n)
}

// payloadFrame finds the one frame of a sample without a call chain, which stands
// behind whatever a tracepoint prints; nil if there is none.
func payloadFrame(payload []byte) []byte {
	if len(payload) == 0 || payload[len(payload)-1] != ')' {
		return nil
	}
	if word, rest := cutWord(payload); isHex(word) && len(rest) > 0 {
		return payload
	}
	at := openParenthesis(payload)
	for at > 0 {
		end := len(bytes.TrimRight(payload[:at], blanks))
		at = bytes.LastIndexAny(payload[:end], blanks) + 1
		if word := payload[at:end]; len(word) >= minAddress && isHex(word) {
			return payload[at:]
		}
	}
	return nil
}

// minAddress is how many hexadecimal digits an address has at least where it must
// be told from a number.
const minAddress = 8
