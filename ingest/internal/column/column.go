// Package column says what a name that people give a thing means in a data set:
// how it is spelled as a column, which built-in column of runs it stands for,
// whether it is a condition, and how its text becomes a typed value.
package column

import (
	"slices"
	"strconv"
	"strings"
	"unicode"

	"noisefloor/datasets"
)

// maxName keeps a hostile key from becoming a column name of a megabyte.
const maxName = 64

// Name makes a plain column name: lower case, words joined by "_".
func Name(s string) string {
	var b strings.Builder
	var last rune
	pending := false
	for _, r := range strings.TrimSpace(s) {
		if b.Len() >= maxName {
			break
		}
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			pending = b.Len() > 0
			last = 0
			continue
		}
		if unicode.IsUpper(r) && unicode.IsLower(last) {
			pending = true // tableSize
		}
		if pending {
			b.WriteByte('_')
			pending = false
		}
		b.WriteRune(unicode.ToLower(r))
		last = r
	}
	return b.String()
}

// builtins are the built-in columns that a name may fill, with the other words
// people use for them.
var builtins = map[string]string{
	"threads": "threads", "thread": "threads", "thds": "threads", "num_threads": "threads", "nthreads": "threads", "thread_count": "threads", "number_of_threads": "threads",
	"clients": "clients", "num_clients": "clients",
	"workload": "workload",
	"host":     "host", "hostname": "host",
	"session": "session",
	"day":     "day", "date": "day", "run_date": "day", "test_date": "day",
	"launch": "launch",
	"order":  "order", "run_order": "order",
	"started_at": "started_at", "started": "started_at", "start_time": "started_at", "timestamp": "started_at", "created_at": "started_at",
	"tool": "tool", "tool_version": "tool_version",
	"duration_s": "duration_s",
}

// Builtin gives the built-in column of runs that a column name stands for.
func Builtin(name string) (string, bool) {
	b, ok := builtins[name]
	return b, ok
}

// conditions describe where and how a run was made, not what was changed:
// machine, load generator with its options, data size, and what was measured
// of the environment meanwhile.
var conditions = map[string]bool{}

func init() {
	for _, n := range strings.Fields(`
		kernel session_started_at session_ended_at kernel_version kernel_release uname os os_release os_version distro distribution arch architecture machine machine_id
		cpu cpu_model cpus cpu_count cores core_count ncpu nproc vcpus sockets numa_nodes memory memory_bytes memory_gb mem mem_total ram ram_gb
		bios microcode governor turbo hypervisor virtualization
		sysbench_version sysbench_command sysbench_options command cmdline tables table_count num_tables table_size rows rows_per_table scale
		scale_factor warehouses seconds time duration run_time warmup warmup_seconds warmup_time rampup rampup_seconds ramp_up
		rate percentile report_interval histogram rand_type rand_seed seed db_driver ps_mode db_ps_mode range_size skip_trx auto_inc events
		perf_version perf_options complete n runs reps repetitions note notes comment comments remark remarks bemerkung kommentar memo observation observations
		load1 load5 load1_before load1_after load_before load_after steal_s steal idle_s idle exit_status exit_code ended_at ended end_time finished_at`) {
		conditions[n] = true
	}
}

// Role tells conditions from factors.
func Role(name string) datasets.Role {
	if conditions[name] || strings.HasPrefix(name, "sysbench_") || strings.HasPrefix(name, "cpu_") || strings.HasPrefix(name, "host_") || strings.HasPrefix(name, "kernel_") {
		return datasets.Condition
	}
	return datasets.Factor
}

// Textual names are text even where they look like numbers: version 9.10 is not 9.1.
func Textual(name string) bool {
	return name == "commit" || name == "revision" || name == "kernel" || strings.HasSuffix(name, "version") || strings.HasSuffix(name, "_id")
}

// Value types a text: a whole number, a number, true or false, else text. The
// empty text is null.
func Value(name, text string) datasets.Value {
	text = strings.TrimSpace(text)
	switch {
	case text == "":
		return datasets.Value{}
	case Textual(name):
		return datasets.Text(text)
	case text == "true", text == "True", text == "TRUE":
		return datasets.Bool(true)
	case text == "false", text == "False", text == "FALSE":
		return datasets.Bool(false)
	}
	if !strings.ContainsRune("+-.0123456789", rune(text[0])) {
		return datasets.Text(text) // not NaN, Inf, 0x: those are words here
	}
	if i, err := strconv.ParseInt(text, 10, 64); err == nil && text[0] != '+' && (text[0] != '0' || text == "0") {
		return datasets.Int(i)
	}
	if f, err := strconv.ParseFloat(text, 64); err == nil && strings.Trim(text, "+-.0123456789eE") == "" && !leadingZero(text) {
		return datasets.Float(f)
	}
	return datasets.Text(text)
}

// leadingZero: 007 and 01.5 are labels.
func leadingZero(text string) bool {
	return len(text) > 1 && text[0] == '0' && text[1] != '.' && text[1] != 'e' && text[1] != 'E'
}

// Unify gives the type that a column needs to hold values of both types: whole
// numbers widen to numbers, anything else mixed is text.
func Unify(a, b datasets.Kind) datasets.Kind {
	numbers := []datasets.Kind{datasets.IntKind, datasets.FloatKind}
	switch {
	case a == datasets.Null:
		return b
	case b == datasets.Null, a == b:
		return a
	case slices.Contains(numbers, a) && slices.Contains(numbers, b):
		return datasets.FloatKind
	}
	return datasets.TextKind
}

// Convert gives the value in the type of its column.
func Convert(v datasets.Value, k datasets.Kind) datasets.Value {
	switch {
	case v.IsNull() || v.Kind() == k:
		return v
	case k == datasets.FloatKind:
		if f, ok := v.Number(); ok {
			return datasets.Float(f)
		}
	}
	return datasets.Text(v.String())
}
