// Package diskmark reads the text that CrystalDiskMark copies to the clipboard
// or saves: every line of a test is a run, with bytes per second, operations per
// second and latency.
package diskmark

import (
	"bytes"
	"io"
	"regexp"
	"strings"

	"noisefloor/datasets"
	"noisefloor/ingest/internal/load"
)

// Tool is CrystalDiskMark for the registry of ingest.
var Tool = load.Tool{Name: "CrystalDiskMark", Sniff: Sniff, Scan: Scan}

// Sniff tells whether the head of a file is such a text.
func Sniff(head []byte) bool {
	return bytes.Contains(head, []byte("CrystalDiskMark ")) && bytes.Contains(head, []byte("MB/s"))
}

// Scan reads a text to its end, see load.Tool. The runs of a block are given at
// its end, where date and drive stand.
func Scan(text io.Reader, out load.Out) error { return load.Scan(text, out, &parser{}) }

// The lines, as they stand in real texts:
//
//	CrystalDiskMark 7.0.0 x64 (C) 2007-2019 hiyohiyo
//	* MB/s = 1,000,000 bytes/s [SATA/600 = 600,000,000 bytes/s]
//	[Read]
//	Sequential 1MiB (Q=  8, T= 1):   562.312 MB/s [    536.3 IOPS] < 14894.34 us>
//	    Random 4KiB (Q= 32, T=16):   398.112 MB/s [  97195.3 IOPS] <  5252.17 us>
//	[Write]
//	   Sequential Read (Q= 32,T= 1) :   562.312 MB/s                                up to version 6
//	  Random Read 4KiB (Q=  8,T= 8) :   398.112 MB/s [ 97195.3 IOPS]
//	         Sequential Read :   500.123 MB/s                                       up to version 4
//	  Test : 1024 MiB [C: 50.0% (119.0/238.0 GiB)] (x5)  [Interval=5 sec]
//	  Date : 2019/11/09 12:34:56
//	    OS : Windows 10 Professional [10.0 Build 18363] (x64)
//	Comment: Samsung SSD
var (
	version = regexp.MustCompile(`^CrystalDiskMark (\S+)`)
	side    = regexp.MustCompile(`^\[(Read|Write|Mix)\]$`)
	test    = regexp.MustCompile(`^((?:Sequential|Random|SEQ|RND)[^:()]*?)\s*(?:\(Q= *(\d+), ?T= *(\d+)\))?\s*:\s*([\d,]+\.\d+) MB/s(?: \[ *([\d,]+\.\d+) IOPS\])?(?: < *([\d,]+\.\d+) us>)?$`)
	setting = regexp.MustCompile(`^(Test|Date|OS|Comment|Profile|Mode|Time)\s*:\s*(.*)$`)
)

type parser struct {
	version string
	side    string
}

func (p *parser) Line(b *load.Book, line []byte) load.Verdict {
	text := string(line)
	at := func(r *regexp.Regexp) []string { return r.FindStringSubmatch(text) }
	if m := at(version); m != nil {
		p.version, p.side = m[1], ""
		return load.Apart
	}
	if m := at(side); m != nil {
		p.side = strings.ToLower(m[1])
		return load.Apart
	}
	if m := at(test); m != nil {
		b.Begin()
		r := &b.Run
		r.Version = p.version
		r.Workload = strings.ToLower(strings.Join(strings.Fields(m[1]), " "))
		if p.side != "" {
			r.Workload += " " + p.side
		}
		if m[2] != "" {
			r.Options["queue_depth"] = load.Typed("", m[2])
			r.Threads = load.Count(m[3])
		}
		number := func(text string) float64 { return load.Number(strings.ReplaceAll(text, ",", "")) }
		r.Metrics["bytes_per_s"] = 1e6 * number(m[4])
		if m[5] != "" {
			r.Metrics["iops"] = number(m[5])
		}
		if m[6] != "" {
			r.Metrics["latency_avg"] = number(m[6]) / 1e6
		}
		return load.Mine
	}
	switch {
	case setting.MatchString(text), strings.HasPrefix(text, "* "), strings.HasPrefix(text, "Crystal Dew World"):
		return load.Apart
	case strings.Contains(text, "MB/s"):
		return load.Broken
	}
	return load.Foreign
}

func (p *parser) End(b *load.Book) bool {
	b.Run.Status = datasets.Complete
	return true
}
