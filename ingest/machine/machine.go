// Package machine reads what programs say about the machine of a run: lscpu, as
// text and with -J, /proc/cpuinfo, uname -a, free, /proc/meminfo, mysqld --version, and files in which
// a harness put several of these one behind the other. It gives the processor, the
// kernel and the memory as conditions of the runs; serial numbers, flags and
// addresses are left out. The report of pt-summary is one of them.
package machine

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"

	"noisefloor/datasets"
	"noisefloor/ingest/internal/lines"
	"noisefloor/ingest/internal/pattern"
	"noisefloor/ingest/runmeta"
)

// The lines, as they stand in real files:
//
//	Linux db7 6.8.0-60-generic #63-Ubuntu SMP PREEMPT_DYNAMIC Tue Apr 15 19:04:15 UTC 2025 x86_64 x86_64 x86_64 GNU/Linux
//
//	/usr/sbin/mysqld  Ver 8.0.36-28 for Linux on x86_64 (Percona Server (GPL), Release 28, Revision 47601f19)
//	mariadbd  Ver 11.4.5-MariaDB-log for Linux on x86_64 (MariaDB Server)
//
//	Architecture:                         x86_64                  lscpu
//	CPU(s):                               80
//	Model name:                           Intel(R) Xeon(R) Gold 6230 CPU @ 2.10GHz
//	Modellname:                           Intel(R) ...            the same in German
//	         "field": "CPU(s):",                                  lscpu -J
//	         "data": "2"
//
//	processor	: 0                                             /proc/cpuinfo
//	model name	: Intel(R) Atom(TM) CPU N455   @ 1.66GHz
//	CPU implementer	: 0x41                                        of an ARM, which has no name there
//	CPU part	: 0xd0c
//
//	MemTotal:       24683652 kB                                   /proc/meminfo
//	               total        used        free      shared  buff/cache   available
//	Mem:        24683652      988596    18967696        8956     5047184    23695056
//	Mem:            23Gi       965Mi        18Gi ...              free -h
//
//	  The governor "performance" may decide which speed to use    cpupower frequency-info
//
//	# Percona Toolkit System Summary Report ######################  pt-summary
//	    Hostname | db7
//	     Release | Debian GNU/Linux 12 (bookworm) (bookworm)
//	  Processors | physical = 1, cores = 2, virtual = 2, hyperthreading = no
//	      Models | 2xAMD EPYC
//	# Memory #####################################################
//	       Total | 23.5G
var (
	uname    = regexp.MustCompile(`^Linux (\S+) (\d+\.\d+\S*) #\S+ .*?\b(x86_64|aarch64|ppc64le|s390x|riscv64|i686|armv\w+)(?: .*)?$`)
	server   = regexp.MustCompile(`^(?:\S*/)?(?:mysqld|mariadbd)\s+Ver (\d+\.\S+) for \S+ on \S`)
	field    = regexp.MustCompile(`^([^:]{2,60}?)\s*:\s+(\S.*)$`)
	free     = regexp.MustCompile(`^Mem:\s+(\d+(?:[.,]\d+)?)([A-Za-z]*)\s+\d`)
	governor = regexp.MustCompile(`^\s*The governor "(\w+)"`)

	// A row of pt-summary, and its processors.
	row        = regexp.MustCompile(`^ *([A-Z][\w ]*?) \| (.+)$`)
	processors = regexp.MustCompile(`^(?:physical = (\d+), cores = \d+, )?virtual = (\d+)`)
	models     = regexp.MustCompile(`^\d+x(.+)$`)
	size       = regexp.MustCompile(`^(\d+(?:\.\d+)?)([kMGT])$`)

	telling = pattern.MustCompile(`(?m)^# Percona Toolkit System Summary Report #|\A\s*\{\s*"lscpu"\s*:|^CPU op-mode\(s\):|^processor\s*: 0\r?$|^MemTotal:\s+\d+ kB\r?$|^Linux \S+ \d+\.\d+\S* #\d\S* (?:\S+ )*GNU/Linux\r?$` +
		`|^Mem(?:ory)?:\s+\d+(?:\.\d+)?[A-Za-z]*(?:\s+\d+(?:\.\d+)?[A-Za-z]*){4,5}\r?$|^Architekt?ure?\s*:\s+(?:x86_64|aarch64)\r?$` +
		`|^(?:\S*/)?(?:mysqld|mariadbd)\s+Ver \d+\.\S+ for \S+ on \S`)
)

// Sniff tells whether a text begins like one of these.
func Sniff(head []byte) bool { return telling.Match(head) }

// names of what lscpu and /proc/cpuinfo say; in other languages the name of the
// model.
var names = map[string]string{
	"Architecture": "arch", "Architektur": "arch", "CPU(s)": "cores", "Socket(s)": "sockets", "Sockel": "sockets", "NUMA node(s)": "numa_nodes", "NUMA-Knoten": "numa_nodes",
	"Model name": "cpu", "Modellname": "cpu", "Nom de modèle": "cpu", "Nombre del modelo": "cpu", "Nome modello": "cpu", "モデル名": "cpu", "型号名称": "cpu", "model name": "cpu",
	"Hypervisor vendor": "hypervisor", "Hypervisor-Anbieter": "hypervisor", "microcode": "microcode",
}

// Parse reads a text. The error says that its last line was cut off; what stands
// before it is given too.
func Parse(data []byte) (m runmeta.Map, err error) {
	p := parser{found: map[string]datasets.Value{}}
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	if fields, ok := lscpuJSON(data); ok {
		for _, f := range fields {
			p.field(strings.TrimSuffix(f[0], ":"), f[1])
		}
	} else {
		above := ""
		for line := range bytes.Lines(data) {
			if !bytes.HasSuffix(line, []byte("\n")) && len(data) > len(line) {
				if torn := bytes.TrimSpace(line); len(torn) > 0 { // perhaps in the middle of a number
					err = fmt.Errorf("the last line has no end and is not read: %.60q", lines.PresentableBelow(above, string(torn)))
				}
				break
			}
			above = strings.TrimSpace(string(line))
			p.line(strings.TrimRight(strings.ToValidUTF8(string(line), "?"), " \t\r\n\x00"))
		}
	}
	return p.facts(), err
}

type parser struct {
	found      map[string]datasets.Value
	section    string // of pt-summary
	processors int64
	siblings   int64     // processors of one socket, as each of them says
	arm        [2]string // implementer and part
}

// set keeps the first thing said.
func (p *parser) set(name string, v datasets.Value) {
	if _, known := p.found[name]; !known && !v.IsNull() {
		p.found[name] = v
	}
}

func (p *parser) line(line string) {
	if title, ok := strings.CutPrefix(line, "# "); ok && strings.HasSuffix(title, "####") {
		p.section = strings.TrimRight(title, "# ")
		return
	}
	if m := row.FindStringSubmatch(line); m != nil && p.section != "" {
		p.row(m[1], strings.Join(strings.Fields(m[2]), " "))
		return
	}
	if m := uname.FindStringSubmatch(line); m != nil {
		p.set("host", datasets.Text(m[1]))
		p.set("kernel", datasets.Text(m[2]))
		p.set("arch", datasets.Text(m[3]))
		return
	}
	if m := server.FindStringSubmatch(line); m != nil {
		p.set("server_version", datasets.Text(m[1]))
		return
	}
	if m := governor.FindStringSubmatch(line); m != nil {
		p.set("governor", datasets.Text(m[1]))
		return
	}
	if m := free.FindStringSubmatch(line); m != nil {
		if n, ok := Memory(m[1], m[2]); ok {
			p.set("about_memory", datasets.Int(n))
		}
		return
	}
	if m := field.FindStringSubmatch(line); m != nil {
		p.field(m[1], m[2])
	}
}

// row takes a row of pt-summary.
func (p *parser) row(name, value string) {
	switch p.section + "/" + name {
	case systemSummary + "/Hostname":
		p.set("host", datasets.Text(value))
	case systemSummary + "/Kernel":
		p.set("kernel", datasets.Text(value))
	case systemSummary + "/Release":
		p.set("os", datasets.Text(value))
	case systemSummary + "/Virtualized":
		if !strings.HasPrefix(value, "No ") {
			p.set("hypervisor", datasets.Text(value))
		}
	case "Processor/Processors":
		if m := processors.FindStringSubmatch(value); m != nil {
			p.field("Socket(s)", m[1])
			p.field("CPU(s)", m[2])
		}
	case "Processor/Models":
		if m := models.FindStringSubmatch(value); m != nil {
			p.field("Model name", m[1])
		}
	case "Memory/Total":
		if m := size.FindStringSubmatch(value); m != nil {
			if n, ok := Memory(m[1], m[2]); ok {
				p.set("about_memory", datasets.Int(n))
			}
		}
	case "Memory/Numa Nodes":
		p.field("NUMA node(s)", value)
	}
}

const systemSummary = "Percona Toolkit System Summary Report"

// mostMemory is more than any machine has.
const mostMemory = 1 << 50

// Memory reads what free prints, into bytes: kB, or with -m MiB and with -g GiB, which do not
// say so: no machine that serves a database has 200 MB, and none has 200 TB.
func Memory(number, suffix string) (int64, bool) {
	n, err := strconv.ParseFloat(strings.Replace(number, ",", ".", 1), 64)
	if err != nil {
		return 0, false
	}
	scale := 1024.0
	switch {
	case suffix != "": // 23Gi, 1.5G: of 1024 unless it was called with --si
		power := strings.IndexByte("BKMGTP", suffix[0]&^0x20)
		if power < 0 {
			return 0, false
		}
		scale = math.Pow(1024, float64(power))
	case n < 2000:
		scale = 1 << 30
	case n < 200_000:
		scale = 1 << 20
	case n > 1e11: // free -b
		scale = 1
	}
	if n *= scale; n < 1 || n >= mostMemory {
		return 0, false
	}
	return int64(n), true
}

func (p *parser) field(name, value string) {
	switch name {
	case "processor":
		p.processors++
	case "siblings":
		p.siblings, _ = strconv.ParseInt(value, 10, 32)
	case "CPU implementer":
		p.arm[0] = value
	case "CPU part":
		p.arm[1] = value
	case "MemTotal":
		if kb, ok := strings.CutSuffix(value, " kB"); ok {
			if n, err := strconv.ParseInt(kb, 10, 64); err == nil && n > 0 && n < mostMemory>>10 {
				p.set("memory_bytes", datasets.Int(n<<10))
			}
		}
	}
	switch as := names[name]; as {
	case "":
	case "cores", "sockets", "numa_nodes":
		if n, err := strconv.ParseInt(value, 10, 32); err == nil && n > 0 {
			p.set(as, datasets.Int(n))
		}
	default:
		p.set(as, datasets.Text(strings.Join(strings.Fields(value), " ")))
	}
}

// facts gives what was found in a fixed order.
func (p *parser) facts() (m runmeta.Map) {
	// Whole sockets, or the text was cut; ARM does not count siblings.
	if p.processors > 0 && (p.siblings > 0 && p.processors%p.siblings == 0 || p.siblings == 0 && p.arm[1] != "") {
		p.set("cores", datasets.Int(p.processors))
	}
	if p.arm[0] != "" && p.arm[1] != "" {
		p.set("cpu", datasets.Text("ARM implementer "+p.arm[0]+" part "+p.arm[1]))
	}
	if about, ok := p.found["about_memory"]; ok {
		p.set("memory_bytes", about)
	}
	for _, key := range []string{"host", "os", "kernel", "arch", "cpu", "cores", "sockets", "numa_nodes", "memory_bytes", "governor", "hypervisor", "microcode", "server_version"} {
		if v, ok := p.found[key]; ok {
			m.Entries = append(m.Entries, runmeta.Entry{Key: key, Value: v})
		}
	}
	return m
}

// lscpuJSON reads lscpu -J, whose newer versions nest.
func lscpuJSON(data []byte) (fields [][2]string, ok bool) {
	type entry struct {
		Field, Data string
		Children    json.RawMessage
	}
	var top struct{ Lscpu []entry }
	if !bytes.HasPrefix(bytes.TrimSpace(data), []byte("{")) || json.Unmarshal(data, &top) != nil {
		return nil, false
	}
	var walk func([]entry, int)
	walk = func(list []entry, depth int) {
		for _, e := range list {
			fields = append(fields, [2]string{e.Field, e.Data})
			var children []entry
			if depth < 8 && len(e.Children) > 0 && json.Unmarshal(e.Children, &children) == nil {
				walk(children, depth+1)
			}
		}
	}
	walk(top.Lscpu, 0)
	return fields, true
}
