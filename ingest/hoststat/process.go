package hoststat

import (
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// What single processes did, by pidstat and top. A process goes under the name of
// its program, without the arguments, in which passwords stand; processes of one
// name are added up, because their numbers say nothing from one run to the next.

// maxPrograms is how many names of a file are kept: a shell script can make
// thousands.
const maxPrograms = 200

// processColumns are those of pidstat, then those of top. What is no number of a
// process (its user, its policy) or a sum over the whole of an unknown time
// (iodelay, in ticks) is not read.
var processColumns = map[string]meaning{
	"%usr": {"process_cpu_user_pct", 1}, "%user": {"process_cpu_user_pct", 1}, "%system": {"process_cpu_system_pct", 1}, "%guest": {"process_cpu_guest_pct", 1}, "%wait": {"process_cpu_wait_pct", 1}, "%CPU": {"process_cpu_pct", 1},
	"minflt/s": {"process_minor_faults_per_s", 1}, "majflt/s": {"process_major_faults_per_s", 1}, "VSZ": {"process_virtual_bytes", kB}, "RSS": {"process_resident_bytes", kB}, "%MEM": {"process_memory_pct", 1},
	"kB_rd/s": {"process_read_bytes_per_s", kB}, "kB_wr/s": {"process_write_bytes_per_s", kB}, "kB_ccwr/s": {"process_cancelled_write_bytes_per_s", kB},
	"cswch/s": {"process_voluntary_switches_per_s", 1}, "nvcswch/s": {"process_involuntary_switches_per_s", 1}, "threads": {"process_threads", 1}, "fd-nr": {"process_files", 1},

	"VIRT": {"process_virtual_bytes", kB}, "RES": {"process_resident_bytes", kB}, "SHR": {"process_shared_bytes", kB},
}

// pidstat reads a line. A banner, then tables, one for each of -u -r -d -w, whose
// rows have the time in the first column; with -h one table, whose rows have the
// time of day or, before sysstat 12 and with -H, seconds since 1970. -l has the
// arguments, -U names of users, -t a row for each thread below that of its process:
//
//	Linux 6.8.0-60-generic (db7) 	11/30/26 	_x86_64_	(2 CPU)
//
//	20:08:27      UID       PID    %usr %system  %guest   %wait    %CPU   CPU  Command
//	20:08:28        0      9950   34.65   20.79    0.00    0.00   55.45     1  mariadbd
//	08:08:28 PM     0      9950   34.65   20.79    0.00    0.00   55.45     1  mariadbd
//
//	# Time        UID       PID    %usr %system  %guest   %wait    %CPU   CPU  minflt/s  majflt/s     VSZ     RSS   %MEM  Command
//	1796069280      0      8218   39.00   20.00    0.00    0.00   59.00     1     71.00      0.00 1274780  119088   0.48  mariadbd
//
//	20:08:00      UID      TGID       TID    %usr %system  %guest   %wait    %CPU   CPU  Command
//	20:08:01        0      8218         -   39.00   20.00    0.00    0.00   59.00     1  mariadbd
//	20:08:01        0         -      8243    0.00    0.00    0.00    0.00    0.00     1  |__mariadbd
//
//	Average:        0      9950   38.81   23.88    0.00    0.00   62.69     -  mariadbd
//
// What a user may not see is -1.00.
func (s *scanner) pidstat(line []byte) {
	text := string(line)
	switch {
	case text == "":
		return
	case banner.MatchString(text):
		s.head = heading{}
		return
	}
	if names, ok := strings.CutPrefix(text, "#"); ok {
		if names := strings.Fields(names); len(names) > 1 && names[len(names)-1] == "Command" {
			s.processTable(names[1:]) // the first is Time
			s.alike = true
		}
		return
	}
	stamp, rest, _ := strings.Cut(strings.TrimLeft(text, " "), " ")
	clock, after, isClock := timeOfDay(text)
	isEpoch := epochCell.MatchString(stamp)
	switch {
	case isClock:
		rest = after
	case !isEpoch:
		if !strings.HasSuffix(stamp, ":") { // Average: in any language
			s.problems.Add("unknown-line", s.line, line)
		}
		return
	}
	cells := s.words(rest)
	switch {
	case len(cells) > 0 && cells[len(cells)-1] == "Command":
		s.processTable(cells)
		s.began = clock
		return
	case s.head.columns == nil && !s.head.skip:
		s.problems.Add("unknown-line", s.line, line)
		return
	case s.head.skip:
		return
	}
	switch c := s.courses[""]; {
	case isEpoch:
		at, _ := strconv.ParseFloat(stamp, 64)
		if c == nil || c.last != at {
			s.moment("", time.UnixMicro(int64(at*1e6)))
		}
	case c == nil || s.clock(c) != clock:
		s.ofDay("", clock)
		s.since = !s.alike && clock == s.began // pidstat without an interval
	}
	s.process(line, cells, func(string) bool { return true }, number)
}

// processTable takes the names of columns. The last is the program; in a top that
// was told to show everything it stands among the others.
func (s *scanner) processTable(names []string) {
	s.head = heading{text: strings.Join(names, " "), program: slices.IndexFunc(names, func(n string) bool { return strings.EqualFold(n, "command") })}
	for _, name := range names {
		s.head.columns = append(s.head.columns, processColumns[name]) // else not read
	}
	s.head.thread = slices.Index(names, "TID")
	if s.head.skip = !slices.ContainsFunc(s.head.columns, func(c meaning) bool { return c.metric != "" }); s.head.skip {
		s.problems.Add("table-not-read", s.line, []byte(s.head.text))
	}
}

// process reads a row: the cells of the columns, and behind them a command.
func (s *scanner) process(line []byte, cells []string, wanted func(program string) bool, amount func(cell string) (float64, bool)) {
	columns := s.head.columns
	if len(cells) < len(columns) {
		s.problems.Add("torn-line", s.line, line)
		return
	}
	if len(cells) > len(columns) && s.head.program < len(columns)-1 { // a name with blanks, which shifts the others
		return
	}
	if s.head.thread >= 0 && cells[s.head.thread] != "-" { // of a thread, which its process has in it
		return
	}
	name := program(cells[s.head.program])
	if s.threads.total > 0 { // ib_io_wr-1 and ib_io_wr-2 do the same
		if at := strings.LastIndexByte(name, '-'); at > 0 && strings.Trim(name[at+1:], "0123456789") == "" {
			name = name[:at]
		}
	}
	if !wanted(name) {
		return
	}
	values := append(s.values[:0], make([]float64, len(columns))...)
	s.values = values
	for i, c := range columns {
		if c.metric == "" {
			continue
		}
		v, ok := amount(cells[i])
		if !ok {
			s.problems.Add("torn-line", s.line, line)
			return
		}
		values[i] = v
	}
	if !s.programs[name] {
		if len(s.programs) == maxPrograms {
			s.tell("many-programs", "it tells of more than "+strconv.Itoa(maxPrograms)+" programs; those that come later are left out")
			return
		}
		s.programs[name] = true
	}
	for i, c := range columns {
		if c.metric != "" && values[i] != -1 {
			s.add(c, name, values[i])
		}
	}
}

// add records a value of a process, or adds it to that of others of its name in the
// same report.
func (s *scanner) add(c meaning, name string, value float64) {
	if s.sumsOf != s.reports {
		s.sumsOf = s.reports
		clear(s.sums)
	}
	key := [2]string{c.metric, name}
	if at, has := s.sums[key]; has {
		if value > 0 && value < 1e18 {
			s.out.Samples.Value[at] += value * c.scale
		}
		return
	}
	at := s.out.Samples.Len()
	if s.put(c, name, value); s.out.Samples.Len() > at {
		s.sums[key] = at
	}
}

// program gives the name of a command: /usr/sbin/mysqld is mysqld, as in a table
// that has no arguments.
func program(command string) string {
	command = strings.TrimPrefix(command, "|__")
	if !strings.HasPrefix(command, "[") {
		command = command[strings.LastIndexByte(command, '/')+1:]
	}
	if command = strings.TrimSuffix(command, ":"); len(command) > 64 {
		command = command[:64]
	}
	return command
}

// servers and what makes them work are the programs that are taken from top, which
// lists every process of the machine.
var watched = regexp.MustCompile(`^(?:mysqld|mariadbd|mysqld-debug|postgres|mongod|proxysql|maxscale|haproxy|sysbench|mysqlslap|mariadb-slap|tpcc_start|hammerdbcli|tclsh\S*|go-tpc|go-ycsb|java|mariabackup|mariadb-backup|xtrabackup)$`)

var (
	topFirst  = regexp.MustCompile(`^top - (\d\d:\d\d:\d\d) up .*load average: ([\d.,]+), ([\d.,]+), ([\d.,]+)$`)
	topCPU    = regexp.MustCompile(`%?Cpu(\(s\)|\d+) *:`)
	topShare  = regexp.MustCompile(`(\d+(?:[.,]\d+)?) ?%? ?(us|sy|ni|id|wa|hi|si|st)\b`)
	topMemory = regexp.MustCompile(`^(?:([KMGTPE])iB )?(Mem|Swap) ?:`)
	topAmount = regexp.MustCompile(`(\d+(?:[.,]\d+)?)([kmgtpKMGTP]?)\+? (total|used|free|buff/cache|buffers|cached|avail Mem)`)
)

var topShares = map[string]string{"us": "cpu_user_pct", "sy": "cpu_system_pct", "ni": "cpu_nice_pct", "id": "cpu_idle_pct", "wa": "cpu_iowait_pct", "hi": "cpu_irq_pct", "si": "cpu_softirq_pct", "st": "cpu_steal_pct"}

// What is not here is the same in every report, or no measure of the database: the
// total, what procps 4 calls used.
var topAmounts = map[string]string{"Mem free": "memory_free_bytes", "Mem buffers": "memory_buffers_bytes", "Mem buff/cache": "memory_buffers_and_cache_bytes", "Mem used": "memory_used_bytes",
	"Swap used": "swap_used_bytes", "Swap free": "swap_free_bytes", "Swap cached": "memory_cache_bytes", "Swap avail Mem": "memory_available_bytes"}

// top reads a line of top -b: the summary, and of the processes the server and what
// loads it. The second line is of procps 3.2, the memory of 3.2, 3.3 and 4:
//
//	top - 20:08:28 up  3:14,  0 user,  load average: 8.50, 7.84, 5.89
//	Tasks:   2 total,   0 running,   2 sleeping,   0 stopped,   0 zombie
//	%Cpu(s): 32.9 us, 30.3 sy, 35.1 ni,  0.4 id,  0.0 wa,  0.0 hi,  0.9 si,  0.4 st
//	Cpu(s):  2.3%us,  0.8%sy,  0.0%ni, 96.7%id,  0.1%wa,  0.0%hi,  0.0%si,  0.0%st
//	%Cpu0  :  0.0 us,  0.0 sy,  0.0 ni,100.0 id,  0.0 wa,  0.0 hi,  0.0 si,  0.0 st
//	Mem:  32870888k total, 32541556k used,   329332k free,   155776k buffers
//	KiB Mem:  32870888 total, 32541556 used,   329332 free,   155776 buffers
//	MiB Mem :  24105.1 total,   7317.5 free,   1569.8 used,  15606.7 buff/cache
//	MiB Swap:      0.0 total,      0.0 free,      0.0 used.  22535.3 avail Mem
//
//	  PID USER      PR  NI    VIRT    RES    SHR S  %CPU  %MEM     TIME+ COMMAND
//	 9950 root      20   0 8193.3g 119608  23872 S  67.0   0.5   0:01.54 mariadbd
//
// Its first report is about the time since each process began.
func (s *scanner) top(line []byte) {
	text := strings.TrimSpace(string(line))
	var m []string
	if strings.HasPrefix(text, "top - ") {
		m = topFirst.FindStringSubmatch(text)
	}
	if m != nil {
		if s.threads.unlisted() {
			s.tell("cut-list", "of the threads only the first are listed; those of one name are added up as far as they are")
		}
		s.head, s.threads = heading{}, threads{}
		clock, _, ok := timeOfDay(m[1])
		if !ok {
			s.problems.Add("torn-line", s.line, line)
			return
		}
		s.ofDay("", clock)
		for i, name := range []string{"load1", "load5", "load15"} {
			if v, ok := number(m[2+i]); ok {
				s.put(meaning{name, 1}, "", v)
			}
		}
		return
	}
	cells := s.words(text)
	switch {
	case text == "":
	case strings.HasPrefix(text, "Tasks:"):
	case math.IsNaN(s.out.Start):
		s.problems.Add("unknown-line", s.line, line)
	case strings.HasPrefix(text, "Threads:"):
		if total, err := strconv.Atoi(cells[min(len(cells)-1, 1)]); err == nil {
			s.threads.total = total
		}
	case strings.Contains(text, "Cpu") && topCPU.MatchString(text):
		s.topCPUs(line, text)
	case strings.Contains(text, ":") && topMemory.MatchString(text):
		s.topMemory(text)
	case slices.Contains(cells, "COMMAND") && slices.Contains(cells, "PID"):
		if s.processTable(cells); s.threads.total > 0 {
			s.threadTable()
		}
	case s.head.skip:
	case s.head.columns == nil:
		s.problems.Add("unknown-line", s.line, line)
	case s.threads.total > 0:
		s.threads.listed++
		s.process(line, cells, func(name string) bool { return watched.MatchString(name) || serverThread.MatchString(name) }, topNumber)
	default:
		s.process(line, cells, watched.MatchString, topNumber)
	}
}

// serverThread is a thread that MySQL 8.0.28 and later, Percona's or MariaDB's thread
// pool has given a name of its own; those without have the name of their program.
var serverThread = regexp.MustCompile(`^(?:ib_\w+|xpl_\w+|rpl_\w+|tp_\w+|connection|one_connection|evt_sched|gtid_zip|sig_handler)(?:-\d+)?$`)

// threads is what a report of top -H has: of how many it tells, how many it lists, and
// where in the samples they begin.
type threads struct{ total, listed, from int }

func (t threads) unlisted() bool { return t.listed > 0 && t.listed < t.total }

// threadTable leaves of a table of top -H, which has a row for each thread, what
// differs between threads of one process: their time on the CPU.
//
//	Threads:  17 total,   1 running,  16 sleeping,   0 stopped,   0 zombie
//	30012 root      20   0 8193.3g 118628  23736 R  13.3   0.5   0:00.10 mariadbd
//	30012 mysql     20   0 8193.3g 118628  23736 R  13.3   0.5   0:00.10 ib_io_wr-1
func (s *scanner) threadTable() {
	s.threads.from = s.out.Samples.Len()
	for i, c := range s.head.columns {
		if c.metric != "process_cpu_pct" {
			s.head.columns[i].metric = ""
		} else {
			s.head.columns[i].metric = "thread_cpu_pct"
		}
	}
}

// topCPUs reads the shares of all CPUs or of each, of which two may stand abreast.
func (s *scanner) topCPUs(line []byte, text string) {
	at := topCPU.FindAllStringSubmatchIndex(text, -1)
	for i, m := range at {
		end := len(text)
		if i+1 < len(at) {
			end = at[i+1][0]
		}
		of := ""
		if n := text[m[2]:m[3]]; n != "(s)" {
			of = "cpu" + n
		}
		shares := topShare.FindAllStringSubmatch(text[m[1]:end], -1)
		if len(shares) < 4 {
			s.problems.Add("torn-line", s.line, line)
			return
		}
		for _, share := range shares {
			if v, ok := number(share[1]); ok {
				s.put(meaning{topShares[share[2]], 1}, of, v)
			}
		}
	}
}

func (s *scanner) topMemory(text string) {
	of := topMemory.FindStringSubmatch(text)
	for _, m := range topAmount.FindAllStringSubmatch(text, -1) {
		unit := m[2]
		if unit == "" {
			unit = of[1]
		}
		v, ok := topNumber(m[1] + unit)
		if metric := topAmounts[of[2]+" "+m[3]]; ok && metric != "" {
			s.put(meaning{metric, kB}, "", v)
		}
	}
}

// topNumber reads a number that may have a unit: 119608, 116.8m, 8193.3g; amounts
// are in KiB.
func topNumber(cell string) (float64, bool) {
	scale := 1.0
	if n := len(cell) - 1; n > 0 {
		if i := strings.IndexByte("kmgtpe", cell[n]|0x20); i >= 0 {
			cell = cell[:n]
			for range i {
				scale *= 1024
			}
		}
	}
	v, ok := number(cell)
	return v * scale, ok
}
