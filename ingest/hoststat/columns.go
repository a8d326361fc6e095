package hoststat

import (
	"strings"

	"noisefloor/ingest/internal/column"
)

// The names of the series say their unit, as those of metrics do: _pct, _bytes,
// _per_s, _s. One thing has one name whichever tool printed it, so that runs
// beside which vmstat ran can be held against runs with mpstat. What is of one CPU
// or device has its name behind it: "cpu_idle_pct cpu3", "device_util_pct vda".

const (
	kB     = 1024
	mB     = 1024 * kB
	sector = 512
	ms     = 1e-3
)

// sysstatColumns are the columns of iostat, mpstat and sar, of all versions: that
// of 2007 calls aqu-sz avgqu-sz and counts sectors.
var sysstatColumns = map[string]meaning{
	"%user": {"cpu_user_pct", 1}, "%usr": {"cpu_user_pct", 1}, "%nice": {"cpu_nice_pct", 1}, "%system": {"cpu_system_pct", 1}, "%sys": {"cpu_system_pct", 1},
	"%iowait": {"cpu_iowait_pct", 1}, "%irq": {"cpu_irq_pct", 1}, "%soft": {"cpu_softirq_pct", 1}, "%steal": {"cpu_steal_pct", 1}, "%guest": {"cpu_guest_pct", 1},
	"%gnice": {"cpu_guest_nice_pct", 1}, "%idle": {"cpu_idle_pct", 1}, "MHz": {"cpu_mhz", 1},

	"r/s": {"device_reads_per_s", 1}, "w/s": {"device_writes_per_s", 1}, "d/s": {"device_discards_per_s", 1}, "f/s": {"device_flushes_per_s", 1},
	"rkB/s": {"device_read_bytes_per_s", kB}, "wkB/s": {"device_write_bytes_per_s", kB}, "dkB/s": {"device_discard_bytes_per_s", kB},
	"rMB/s": {"device_read_bytes_per_s", mB}, "wMB/s": {"device_write_bytes_per_s", mB}, "dMB/s": {"device_discard_bytes_per_s", mB},
	"rsec/s": {"device_read_bytes_per_s", sector}, "wsec/s": {"device_write_bytes_per_s", sector}, "rd_sec/s": {"device_read_bytes_per_s", sector}, "wr_sec/s": {"device_write_bytes_per_s", sector},
	"kB_read/s": {"device_read_bytes_per_s", kB}, "kB_wrtn/s": {"device_write_bytes_per_s", kB}, "kB_dscd/s": {"device_discard_bytes_per_s", kB}, "kB_w+d/s": {"device_write_and_discard_bytes_per_s", kB},
	"MB_read/s": {"device_read_bytes_per_s", mB}, "MB_wrtn/s": {"device_write_bytes_per_s", mB}, "MB_dscd/s": {"device_discard_bytes_per_s", mB}, "MB_w+d/s": {"device_write_and_discard_bytes_per_s", mB},
	"Blk_read/s": {"device_read_bytes_per_s", sector}, "Blk_wrtn/s": {"device_write_bytes_per_s", sector},
	"rrqm/s": {"device_reads_merged_per_s", 1}, "wrqm/s": {"device_writes_merged_per_s", 1}, "drqm/s": {"device_discards_merged_per_s", 1},
	"%rrqm": {"device_reads_merged_pct", 1}, "%wrqm": {"device_writes_merged_pct", 1}, "%drqm": {"device_discards_merged_pct", 1},
	"await": {"device_wait_s", ms}, "r_await": {"device_read_wait_s", ms}, "w_await": {"device_write_wait_s", ms}, "d_await": {"device_discard_wait_s", ms}, "f_await": {"device_flush_wait_s", ms}, "svctm": {"device_service_s", ms},
	"aqu-sz": {"device_queue", 1}, "avgqu-sz": {"device_queue", 1}, "areq-sz": {"device_request_bytes", kB}, "avgrq-sz": {"device_request_bytes", sector},
	"rareq-sz": {"device_read_request_bytes", kB}, "wareq-sz": {"device_write_request_bytes", kB}, "dareq-sz": {"device_discard_request_bytes", kB},
	"%util": {"device_util_pct", 1},
	// Sums over the interval, of which the rates say the same.
	"kB_read": {}, "kB_wrtn": {}, "kB_dscd": {}, "kB_w+d": {}, "MB_read": {}, "MB_wrtn": {}, "MB_dscd": {}, "MB_w+d": {}, "Blk_read": {}, "Blk_wrtn": {},

	"bread/s": {"io_read_bytes_per_s", sector}, "bwrtn/s": {"io_write_bytes_per_s", sector}, "bdscd/s": {"io_discard_bytes_per_s", sector},
	"rtps": {"io_reads_per_s", 1}, "wtps": {"io_writes_per_s", 1}, "dtps": {"io_discards_per_s", 1},

	"rxpck/s": {"net_receive_packets_per_s", 1}, "txpck/s": {"net_send_packets_per_s", 1}, "rxkB/s": {"net_receive_bytes_per_s", kB}, "txkB/s": {"net_send_bytes_per_s", kB},
	"rxbyt/s": {"net_receive_bytes_per_s", 1}, "txbyt/s": {"net_send_bytes_per_s", 1}, "%ifutil": {"net_util_pct", 1},

	"kbmemfree": {"memory_free_bytes", kB}, "kbavail": {"memory_available_bytes", kB}, "kbmemused": {"memory_used_bytes", kB}, "%memused": {"memory_used_pct", 1}, "kbbuffers": {"memory_buffers_bytes", kB},
	"kbcached": {"memory_cache_bytes", kB}, "kbcommit": {"memory_commit_bytes", kB}, "%commit": {"memory_commit_pct", 1}, "kbactive": {"memory_active_bytes", kB}, "kbinact": {"memory_inactive_bytes", kB}, "kbinactive": {"memory_inactive_bytes", kB},
	"kbdirty": {"memory_dirty_bytes", kB}, "kbswpfree": {"swap_free_bytes", kB}, "kbswpused": {"swap_used_bytes", kB}, "%swpused": {"swap_used_pct", 1}, "kbswpcad": {"swap_cached_bytes", kB}, "%swpcad": {"swap_cached_pct", 1},

	"runq-sz": {"runnable", 1}, "plist-sz": {"tasks", 1}, "ldavg-1": {"load1", 1}, "ldavg-5": {"load5", 1}, "ldavg-15": {"load15", 1}, "blocked": {"blocked", 1},
	"proc/s": {"processes_created_per_s", 1}, "cswch/s": {"context_switches_per_s", 1}, "intr/s": {"interrupts_per_s", 1},
	"pswpin/s": {"swap_in_pages_per_s", 1}, "pswpout/s": {"swap_out_pages_per_s", 1}, "pgpgin/s": {"paged_in_bytes_per_s", kB}, "pgpgout/s": {"paged_out_bytes_per_s", kB},
	"fault/s": {"faults_per_s", 1}, "majflt/s": {"major_faults_per_s", 1},
}

// deviceColumns are what the first column of a table may name.
var deviceColumns = map[string]string{"CPU": "cpu", "NODE": "node", "DEV": "device", "IFACE": "net", "INTR": "interrupt"}

// sysstatColumn gives the meaning of a column; device is what its table is about.
// A column that is not known keeps its name, and its unit as far as it says one.
func sysstatColumn(name, device string) meaning {
	if c, known := sysstatColumns[name]; known {
		return c
	}
	if name == "tps" {
		if device == "device" {
			return meaning{"device_transfers_per_s", 1}
		}
		return meaning{"io_transfers_per_s", 1}
	}
	c := meaning{name, 1}
	what, rate := strings.CutSuffix(name, "/s")
	if stem, ok := strings.CutSuffix(what, "kB"); ok && rate && stem != "" {
		what, c.scale = stem+"_bytes", kB
	} else if stem, ok := strings.CutPrefix(what, "kb"); ok && stem != "" {
		what, c.scale = stem+"_bytes", kB
	} else if stem, ok := strings.CutPrefix(what, "%"); ok {
		what = stem + "_pct"
	}
	if rate {
		what += "_per_s"
	}
	if c.metric = spelled(what); c.metric != "" && device != "" && device != "cpu" && device != "node" {
		c.metric = device + "_" + c.metric
	}
	return c
}

// spelled spells a name as columns are.
func spelled(name string) string { return column.Name(name) }

// vmstatColumns: memory in kB unless -S says otherwise, which the file does not
// show; blocks are of 1024 bytes whatever -S says.
var vmstatColumns = map[string]meaning{
	"r": {"runnable", 1}, "b": {"blocked", 1}, "swpd": {"swap_used_bytes", kB}, "free": {"memory_free_bytes", kB}, "buff": {"memory_buffers_bytes", kB}, "cache": {"memory_cache_bytes", kB},
	"inact": {"memory_inactive_bytes", kB}, "active": {"memory_active_bytes", kB}, "si": {"swap_in_bytes_per_s", kB}, "so": {"swap_out_bytes_per_s", kB},
	"bi": {"io_read_bytes_per_s", kB}, "bo": {"io_write_bytes_per_s", kB}, "in": {"interrupts_per_s", 1}, "cs": {"context_switches_per_s", 1},
	"us": {"cpu_user_pct", 1}, "sy": {"cpu_system_pct", 1}, "id": {"cpu_idle_pct", 1}, "wa": {"cpu_iowait_pct", 1}, "st": {"cpu_steal_pct", 1}, "gu": {"cpu_guest_pct", 1},
}

// dstatColumns are by group and column, a group without what it is of: "dsk" of
// "dsk/total".
var dstatColumns = map[string]meaning{
	"cpu usr": {"cpu_user_pct", 1}, "cpu sys": {"cpu_system_pct", 1}, "cpu idl": {"cpu_idle_pct", 1}, "cpu wai": {"cpu_iowait_pct", 1}, "cpu stl": {"cpu_steal_pct", 1}, "cpu hiq": {"cpu_irq_pct", 1}, "cpu siq": {"cpu_softirq_pct", 1},
	"dsk read": {"device_read_bytes_per_s", 1}, "dsk writ": {"device_write_bytes_per_s", 1}, "io read": {"device_reads_per_s", 1}, "io writ": {"device_writes_per_s", 1},
	"net recv": {"net_receive_bytes_per_s", 1}, "net send": {"net_send_bytes_per_s", 1},
	"paging in": {"paged_in_bytes_per_s", 1}, "paging out": {"paged_out_bytes_per_s", 1}, "system int": {"interrupts_per_s", 1}, "system csw": {"context_switches_per_s", 1},
	"load avg 1m": {"load1", 1}, "load avg 5m": {"load5", 1}, "load avg 15m": {"load15", 1},
	"memory usage used": {"memory_used_bytes", 1}, "memory usage free": {"memory_free_bytes", 1}, "memory usage buff": {"memory_buffers_bytes", 1}, "memory usage cach": {"memory_cache_bytes", 1}, "memory usage avai": {"memory_available_bytes", 1},
	"swap used": {"swap_used_bytes", 1}, "swap free": {"swap_free_bytes", 1}, "procs run": {"runnable", 1}, "procs blk": {"blocked", 1}, "procs new": {"processes_created_per_s", 1},
}
