package sysbench

import "bytes"

// The numbers of the file test, which has been printed in three ways:
//
//	Operations performed:  6008 Read, 3997 Write, 12800 Other = 22805 Total        0.4
//	Operations performed:  6709 reads, 0 writes, 0 Other = 6709 Total              0.5
//	Read 93.875Mb  Written 62.453Mb  Total transferred 156.33Mb  (2.9644Mb/sec)
//	  189.72 Requests/sec executed
//	File operations:                                                               1.0
//	    reads/s:                      19257.56
//	Throughput:
//	    read, MiB/s:                  300.90
//	         read:  IOPS=19257.56 300.90 MiB/s (315.52 MB/s)                       1.1
//	         fsync: IOPS=5030.05

// fileOperations reads the counts of the line that ends in "Total".
func (s *scan) fileOperations(b, val []byte) verdict {
	before, _, ok := bytes.Cut(val, []byte("="))
	if !ok {
		return s.broken(b)
	}
	for _, part := range bytes.Split(before, []byte(",")) {
		part = bytes.TrimSpace(part)
		n, size, decimals := number(part, 0)
		if size == 0 || decimals > 0 {
			return s.broken(b)
		}
		switch string(bytes.ToLower(bytes.TrimSpace(part[size:]))) {
		case "read", "reads":
			s.limited(b, "reads", n, maxRate)
		case "write", "writes":
			s.limited(b, "writes", n, maxRate)
		case "other":
			s.limited(b, "other", n, maxRate)
		default:
			return s.broken(b)
		}
	}
	return mine
}

// sizes are how sysbench prints bytes before 1.0: powers of 1024.
var sizes = map[string]float64{"b": 1, "Kb": 1 << 10, "Mb": 1 << 20, "Gb": 1 << 30, "Tb": 1 << 40}

// transferred reads "Read 93.875Mb  Written 62.453Mb  Total transferred 156.33Mb  (2.9644Mb/sec)".
func (s *scan) transferred(b []byte) verdict {
	if s.belongs() != mine {
		return apart
	}
	s.names("fileio")
	_, rate, ok := bytes.Cut(b, []byte("("))
	rate, whole := bytes.CutSuffix(rate, []byte("/sec)"))
	v, size, _ := number(rate, 0)
	scale := sizes[string(rate[size:])]
	if !ok || !whole || size == 0 || scale == 0 {
		return s.broken(b)
	}
	s.limited(b, "bytes_per_s", v*scale, maxRate)
	return mine
}

// iops reads a line of the throughput of 1.1.
func (s *scan) iops(b, key, val []byte) verdict {
	rest, ok := bytes.CutPrefix(val, []byte("IOPS="))
	v, size, decimals := number(rest, 0)
	if !ok || size == 0 || len(rest) == size && s.torn && decimals != 2 {
		return s.broken(b)
	}
	name := string(key)
	s.limited(b, name+"s_per_s", v, maxRate)
	rest = bytes.TrimSpace(rest[size:])
	if len(rest) == 0 {
		return mine
	}
	bytesPerS, size, _ := number(rest, 0)
	if size == 0 || !bytes.HasPrefix(rest[size:], []byte(" MiB/s")) {
		return s.broken(b)
	}
	if name == "write" {
		name = "written"
	}
	s.limited(b, name+"_bytes_per_s", bytesPerS*mebibyte, maxRate)
	return mine
}
