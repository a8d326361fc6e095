package serverstat

import (
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"

	"noisefloor/ingest/internal/column"
)

// monitor is the text of SHOW ENGINE INNODB STATUS that is being read.
type monitor struct {
	section string // the heading last seen
	facts   []fact // of the section
	waiting float64
}

// A fact is a shape of line of InnoDB's text: its key, by which most lines are
// passed by, what it holds, and how its numbers are called. Names that end in "/s"
// and those with a "?" in front are levels.
type fact struct {
	section, key string
	shape        *regexp.Regexp
	names        []string
	levels       []bool // of names
}

func holds(section, key, shape string, names ...string) fact {
	f := fact{section: section, key: key, shape: regexp.MustCompile(shape)}
	for _, name := range names {
		name, isLevel := strings.CutPrefix(name, "?")
		f.names, f.levels = append(f.names, name), append(f.levels, isLevel || strings.HasSuffix(name, "/s"))
	}
	return f
}

// facts are the lines that are worth it, by the names that SHOW GLOBAL STATUS has
// for the same. From the bottom of MariaDB's and MySQL's sources, 5.1 to 8.4.
var facts = []fact{
	// OS WAIT ARRAY INFO: reservation count 38, signal count 38
	holds("SEMAPHORES", "reservation count", `reservation count (\d+), signal count (\d+)`, "Innodb_os_wait_reservations", "Innodb_os_wait_signals"),
	// Mutex spin waits 43, rounds 526, OS waits 12
	holds("SEMAPHORES", "Mutex spin waits", `^Mutex spin waits (\d+), rounds (\d+), OS waits (\d+)`, "Innodb_mutex_spin_waits", "Innodb_mutex_spin_rounds", "Innodb_mutex_os_waits"),
	// RW-shared spins 18, rounds 540, OS waits 18     RW-shared spins 18, OS waits 18; RW-excl spins 0, OS waits 8
	holds("SEMAPHORES", "RW-shared", `^RW-shared spins (\d+), (?:rounds \d+, )?OS waits (\d+)`, "Innodb_s_lock_spin_waits", "Innodb_s_lock_os_waits"),
	holds("SEMAPHORES", "RW-excl", `RW-excl spins (\d+), (?:rounds \d+, )?OS waits (\d+)`, "Innodb_x_lock_spin_waits", "Innodb_x_lock_os_waits"),
	holds("SEMAPHORES", "RW-sx", `^RW-sx spins (\d+), (?:rounds \d+, )?OS waits (\d+)`, "Innodb_sx_lock_spin_waits", "Innodb_sx_lock_os_waits"),
	// History list length 12
	holds("TRANSACTIONS", "History list", `^History list length (\d+)`, "?Innodb_history_list_length"),
	// Pending flushes (fsync) log: 0; buffer pool: 0
	holds("FILE I/O", "Pending flushes", `log: (\d+); buffer pool: (\d+)`, "?Innodb_pending_log_flushes", "?Innodb_pending_buffer_pool_flushes"),
	// Pending normal aio reads: 0 [0, 0, 0, 0] , aio writes: 0 [0, 0, 0, 0] ,
	holds("FILE I/O", "Pending normal aio", `aio reads: (\d+)\b.*aio writes: (\d+)`, "?Innodb_pending_aio_reads", "?Innodb_pending_aio_writes"),
	// 69640821 OS file reads, 648910440 OS file writes, 26513529 OS fsyncs
	holds("FILE I/O", "OS file reads", `^(\d+) OS file reads, (\d+) OS file writes, (\d+) OS fsyncs`, "Innodb_os_file_reads", "Innodb_os_file_writes", "Innodb_os_fsyncs"),
	// 0.00 reads/s, 0 avg bytes/read, 4.75 writes/s, 1.00 fsyncs/s
	holds("FILE I/O", "reads/s", `^([\d.]+) reads/s, \d+ avg bytes/read, ([\d.]+) writes/s, ([\d.]+) fsyncs/s`, "Innodb file reads/s", "Innodb file writes/s", "Innodb fsyncs/s"),
	// Ibuf: size 1, free list len 0, seg size 2, 0 merges
	holds("INSERT BUFFER AND ADAPTIVE HASH INDEX", "merges", `(\d+) merges`, "Innodb_ibuf_merges"),
	// 3.92 hash searches/s, 25.64 non-hash searches/s
	holds("INSERT BUFFER AND ADAPTIVE HASH INDEX", "hash searches/s", `^([\d.]+) hash searches/s, ([\d.]+) non-hash searches/s`, "Innodb hash searches/s", "Innodb non-hash searches/s"),
	// Log sequence number 2634567     Log sequence number          2634567     Log sequence number 3 126456789 (5.0)
	holds("LOG", "Log sequence number", `^Log sequence number\s+((?:\d+ )?\d+)$`, "Innodb_lsn_current"),
	holds("LOG", "Log flushed up to", `^Log flushed up to\s+((?:\d+ )?\d+)$`, "Innodb_lsn_flushed"),
	holds("LOG", "Last checkpoint at", `^Last checkpoint at\s+((?:\d+ )?\d+)$`, "Innodb_lsn_last_checkpoint"),
	// 0 pending log writes, 0 pending chkp writes
	holds("LOG", "pending chkp writes", `^(\d+) pending log (?:writes|flushes), (\d+) pending chkp writes`, "?Innodb_pending_log_writes", "?Innodb_pending_checkpoint_writes"),
	// 14 log i/o's done, 0.00 log i/o's/second
	holds("LOG", "log i/o's done", `^(\d+) log i/o's done, ([\d.]+) log i/o's/second`, "Innodb_log_ios", "Innodb log I/Os/s"),
	// Buffer pool size   8191     Free buffers       7812 ...
	holds("BUFFER POOL AND MEMORY", "Buffer pool size ", `^Buffer pool size\s+(\d+)$`, "?Innodb_buffer_pool_pages_total"),
	holds("BUFFER POOL AND MEMORY", "Free buffers", `^Free buffers\s+(\d+)$`, "?Innodb_buffer_pool_pages_free"),
	holds("BUFFER POOL AND MEMORY", "Database pages", `^Database pages\s+(\d+)$`, "?Innodb_buffer_pool_pages_data"),
	holds("BUFFER POOL AND MEMORY", "Modified db pages", `^Modified db pages\s+(\d+)$`, "?Innodb_buffer_pool_pages_dirty"),
	holds("BUFFER POOL AND MEMORY", "Pending reads", `^Pending reads\s+(\d+)$`, "?Innodb_pending_page_reads"),
	// Pages made young 0, not young 0     Pages read 152, created 1, written 5
	holds("BUFFER POOL AND MEMORY", "Pages made young", `^Pages made young (\d+), not young (\d+)`, "Innodb_buffer_pool_pages_made_young", "Innodb_buffer_pool_pages_made_not_young"),
	holds("BUFFER POOL AND MEMORY", "Pages read ", `^Pages read (\d+), created (\d+), written (\d+)`, "Innodb_pages_read", "Innodb_pages_created", "Innodb_pages_written"),
	holds("BUFFER POOL AND MEMORY", "reads/s", `^([\d.]+) reads/s, ([\d.]+) creates/s, ([\d.]+) writes/s`, "Innodb page reads/s", "Innodb page creates/s", "Innodb page writes/s"),
	// Buffer pool hit rate 999 / 1000, young-making rate 0 / 1000 not 0 / 1000
	holds("BUFFER POOL AND MEMORY", "hit rate", `^Buffer pool hit rate (\d+) / 1000`, "?Innodb_buffer_pool_hits_in_1000"),
	// 0 queries inside InnoDB, 0 queries in queue
	holds("ROW OPERATIONS", "queries inside", `^(\d+) queries inside InnoDB, (\d+) queries in queue`, "?Innodb_queries_inside", "?Innodb_queries_queued"),
	holds("ROW OPERATIONS", "read views", `^(\d+) read views open`, "?Innodb_read_views"),
	// Number of rows inserted 1, updated 2, deleted 3, read 4
	holds("ROW OPERATIONS", "Number of rows", `^Number of rows inserted (\d+), updated (\d+), deleted (\d+), read (\d+)`, "Innodb_rows_inserted", "Innodb_rows_updated", "Innodb_rows_deleted", "Innodb_rows_read"),
	// 0.00 inserts/s, 0.00 updates/s, 0.00 deletes/s, 0.00 reads/s
	holds("ROW OPERATIONS", "inserts/s", `^([\d.]+) inserts/s, ([\d.]+) updates/s, ([\d.]+) deletes/s, ([\d.]+) reads/s`, "Innodb row inserts/s", "Innodb row updates/s", "Innodb row deletes/s", "Innodb row reads/s"),
}

// factsOf gives them by section.
var factsOf = sync.OnceValue(func() map[string][]fact {
	of := map[string][]fact{}
	for _, f := range facts {
		of[f.section] = append(of[f.section], f)
	}
	return of
})

var (
	// 2026-11-30 09:37:23 0x7ff5200676c0 INNODB MONITOR OUTPUT     120330 22:33:19 INNODB MONITOR OUTPUT
	monitorDate  = regexp.MustCompile(`(\d{4}-\d\d-\d\d|\d{6}) +(\d{1,2}:\d\d:\d\d)\s`)
	sectionTitle = regexp.MustCompile(`^(?:[A-Z][A-Z/ ]+[A-Z]|LOG)$`)
)

// monitorLine takes a line of InnoDB's text. The text begins with its date and ends
// with END OF INNODB MONITOR OUTPUT; deadlocks and the list of transactions, which
// quote statements, are passed by.
func (s *scanner) monitorLine(number int, text string) {
	text = strings.TrimSpace(text)
	if strings.Contains(text, "INNODB MONITOR OUTPUT") {
		if s.monitor != nil {
			s.endMonitor()
		}
		if strings.Contains(text, "END OF") {
			return
		}
		s.end(InnoDB)
		s.monitor = &monitor{}
		n := s.snapshot(InnoDB, number)
		if t := s.monitorTime(text); !t.IsZero() {
			n.At = t
		}
		return
	}
	m := s.monitor
	if m == nil {
		return
	}
	if text != "" && isCapital(text[0]) && isCapital(text[len(text)-1]) && sectionTitle.MatchString(text) {
		m.section, m.facts = text, factsOf()[text]
		return
	}
	n := s.snapshot(InnoDB, number)
	if strings.HasPrefix(text, "--Thread ") && strings.Contains(text, "the semaphore") {
		m.waiting++
	}
	for i := range m.facts {
		f := &m.facts[i]
		if !strings.Contains(text, f.key) {
			continue
		}
		found := f.shape.FindStringSubmatch(text)
		if found == nil {
			continue
		}
		for k, name := range f.names {
			if _, twice := n.Values[name]; twice {
				continue
			}
			if gauges := s.course.part.gauges; f.levels[k] && !gauges[name] {
				gauges[name] = true
			}
			n.add(name, bigNumber(found[k+1]))
		}
	}
}

func isCapital(c byte) bool { return c-'A' <= 'Z'-'A' }

// bigNumber reads a count; in InnoDB before 5.5 log positions are two halves of 32
// bits.
func bigNumber(text string) float64 {
	high, low, two := strings.Cut(text, " ")
	h, _ := parsed(high)
	if !two {
		return h
	}
	l, _ := strconv.ParseFloat(low, 64)
	return h*(1<<32) + l
}

func (s *scanner) endMonitor() {
	n := s.snapshot(InnoDB, 0)
	if s.monitor.section != "" {
		s.courses[InnoDB].part.gauges["Innodb_threads_at_semaphores"] = true
		n.set("Innodb_threads_at_semaphores", s.monitor.waiting, false)
	}
	if now, ok := n.Values["Innodb_lsn_current"]; ok {
		if then, ok := n.Values["Innodb_lsn_last_checkpoint"]; ok && then <= now {
			s.courses[InnoDB].part.gauges["Innodb_checkpoint_age"] = true
			n.set("Innodb_checkpoint_age", now-then, false)
		}
	}
	s.monitor = nil
	if len(n.Values) <= 1 {
		s.problems.Add("cut-snapshot", n.Line, []byte("an InnoDB status without numbers"))
		s.courses[InnoDB].cur = nil
		return
	}
	s.end(InnoDB)
}

func (s *scanner) monitorTime(text string) (t time.Time) {
	m := monitorDate.FindStringSubmatch(text)
	if m == nil {
		return t
	}
	date := m[1]
	if len(date) == 6 {
		date = "20" + date[:2] + "-" + date[2:4] + "-" + date[4:]
	}
	clock := m[2]
	if len(clock) == 7 {
		clock = "0" + clock
	}
	t, _, _ = column.Time(date+" "+clock, s.opt.TZ)
	return t
}
