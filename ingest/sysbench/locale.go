package sysbench

import "bytes"

// plainNumbers rewrites numbers with commas, as locales and people write them:
//
//	[ 1s ] thds: 8 tps: 921,00 qps: 18443,03 (r/w/o: 12915,02/3686,01/1842,00) lat (ms,95%): 14,46 err/s: 0,00 reconn/s: 0,00
//	    transactions:                        1,056,068 (3,520.20 per sec.)
//	    transactions:                        56068  (186,89 per sec.)
//
// ok is false where there is none. One comma with three digits behind it means
// thousands, but in report lines and histograms, whose latencies have three
// decimals, and behind a zero.
func plainNumbers(dst, b []byte) (plain []byte, ok bool) {
	if bytes.IndexByte(b, ',') < 0 || len(b) == 0 || bytes.Contains(b, []byte("--")) {
		return b, false
	}
	if b[0]-'0' <= 9 && !bytes.Contains(b, []byte("percentile:")) && !bytes.Contains(b, []byte("transferred (")) && bytes.IndexByte(b, '|') < 0 {
		return b, false // rows of a table
	}
	if !commaInNumber(b) {
		return b, false
	}
	for _, word := range [...]string{"FATAL:", "ALERT:", "WARNING:", "DEBUG:", "META:"} {
		if bytes.HasPrefix(b, []byte(word)) {
			return b, false
		}
	}
	threeDecimals := b[0] == '[' || bytes.IndexByte(b, '|') >= 0
	for i := 0; i < len(b); {
		if b[i]-'0' > 9 {
			dst = append(dst, b[i])
			i++
			continue
		}
		end := i
		for end < len(b) && (b[end]-'0' <= 9 || (b[end] == ',' || b[end] == '.') && end+1 < len(b) && b[end+1]-'0' <= 9) {
			end++
		}
		token := b[i:end]
		i = end
		commas, points := bytes.Count(token, []byte(",")), bytes.Count(token, []byte("."))
		if commas == 0 || i > len(token) && b[i-len(token)-1] == ':' { // 11:15:29,849 is a time of day
			dst = append(dst, token...)
			continue
		}
		ok = true
		last := bytes.LastIndexAny(token, ",.")
		decimal := commas == 1 && (points > 0 && token[last] == ',' || points == 0 && (len(token)-last-1 != 3 || threeDecimals || token[0] == '0'))
		for k, c := range token {
			switch {
			case c-'0' <= 9, c == '.' && !decimal:
				dst = append(dst, c)
			case c == ',' && decimal && k == last:
				dst = append(dst, '.')
			}
		}
	}
	if !ok {
		return b, false
	}
	return dst, true
}

func commaInNumber(b []byte) bool {
	for i := 1; i < len(b)-1; i++ {
		if b[i] == ',' && b[i-1]-'0' <= 9 && b[i+1]-'0' <= 9 {
			return true
		}
	}
	return false
}
