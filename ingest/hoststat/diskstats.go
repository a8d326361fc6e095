package hoststat

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
)

var diskRow = regexp.MustCompile(`^ *\d+ +\d+ \S+(?: \d{1,20}){11,17}$`)

// disk is what a device has counted since the machine was started, in the order of
// the kernel's Documentation/admin-guide/iostats.rst.
type disk struct {
	at     float64
	counts [17]float64
}

// The places of the counts. Discards came with Linux 4.18, flushes with 5.5.
const (
	reads, readsMerged, readSectors, readMS               = 0, 1, 2, 3
	writes, writesMerged, writtenSectors, writeMS         = 4, 5, 6, 7
	atHand, busyMS, queuedMS                              = 8, 9, 10
	discards, discardsMerged, discardedSectors, discardMS = 11, 12, 13, 14
	flushes, flushMS                                      = 15, 16

	maxDisks = 1000
)

// diskstats reads a line of /proc/diskstats, and says what iostat -x would:
//
//	TS 1796069307.776081947 2026-11-30 20:08:27
//	 254       0 vda 2607434 150352 116596458 2955867 2894458 2891926 710707736 4186045 0 816664 7595675 2640107 178 7762872 453762 0 0
//	   8       1 sda1 108 0 3312 33 0 0 0 0 0 23 33
//
// Like iostat it leaves out partitions, and what has never done anything.
func (s *scanner) diskstats(line []byte) {
	if len(line) == 0 {
		return
	}
	cells := s.words(string(line))
	name, now, ok := diskCounts(cells)
	if !ok || s.stamp.IsZero() {
		s.problems.Add("unknown-line", s.line, line)
		return
	}
	if s.after == 0 {
		s.next()
	}
	now.at = s.now
	any := slices.ContainsFunc(now.counts[:], func(count float64) bool { return count > 0 })
	before, known := s.disks[name]
	if !any || s.isPartition(name) || !known && len(s.disks) == maxDisks {
		return
	}
	s.disks[name] = now
	if !known || now.at <= before.at {
		return
	}
	for i := range now.counts {
		if now.counts[i] < before.counts[i] && i != atHand {
			s.tell("went-back", name+": a count fell; it has come around, or this is another device of that name")
			return
		}
	}
	s.disk(name, &before, &now, len(cells)-3)
}

// diskCounts takes the cells of a row: two numbers, the name, and eleven to seventeen
// counts.
func diskCounts(cells []string) (name string, d disk, ok bool) {
	if len(cells) < 3+11 || len(cells) > 3+len(d.counts) {
		return "", d, false
	}
	for i, cell := range cells {
		v, size := plainNumber(cell)
		if size < len(cell) || strings.ContainsAny(cell, ".,") { // above 2^53, or no count
			n, err := strconv.ParseUint(cell, 10, 64)
			if v = float64(n); err != nil && i != 2 {
				return "", d, false
			}
		}
		if i > 2 {
			d.counts[i-3] = v
		}
	}
	return cells[2], d, true
}

// disk records what a device did between two reports.
func (s *scanner) disk(name string, before, now *disk, columns int) {
	grown := func(count int) float64 { return now.counts[count] - before.counts[count] }
	seconds := now.at - before.at
	rate := func(metric string, count int, scale float64) {
		s.put(meaning{metric, scale}, name, grown(count)/seconds)
	}
	each := func(metric string, sum, of, scale float64) { // as iostat: 0 where there was nothing
		if of > 0 {
			sum /= of
		}
		s.put(meaning{metric, scale}, name, sum)
	}
	rate("device_reads_per_s", reads, 1)
	rate("device_read_bytes_per_s", readSectors, sector)
	rate("device_reads_merged_per_s", readsMerged, 1)
	each("device_read_wait_s", grown(readMS), grown(reads), ms)
	each("device_read_request_bytes", grown(readSectors), grown(reads), sector)
	rate("device_writes_per_s", writes, 1)
	rate("device_write_bytes_per_s", writtenSectors, sector)
	rate("device_writes_merged_per_s", writesMerged, 1)
	each("device_write_wait_s", grown(writeMS), grown(writes), ms)
	each("device_write_request_bytes", grown(writtenSectors), grown(writes), sector)
	if columns > discardMS {
		rate("device_discards_per_s", discards, 1)
		rate("device_discard_bytes_per_s", discardedSectors, sector)
		rate("device_discards_merged_per_s", discardsMerged, 1)
		each("device_discard_wait_s", grown(discardMS), grown(discards), ms)
	}
	if columns > flushMS {
		rate("device_flushes_per_s", flushes, 1)
		each("device_flush_wait_s", grown(flushMS), grown(flushes), ms)
	}
	rate("device_queue", queuedMS, ms)
	rate("device_util_pct", busyMS, 100*ms)
}

// isPartition tells sda1 of sda and nvme0n1p2 of nvme0n1, which stand above them.
func (s *scanner) isPartition(name string) bool {
	whole := strings.TrimRight(name, "0123456789")
	if whole == name {
		return false
	}
	if p, ok := strings.CutSuffix(whole, "p"); ok {
		whole = p
	}
	_, is := s.disks[whole]
	return is
}
