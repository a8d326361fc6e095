package table

import (
	"math"
	"regexp"
	"strconv"
	"strings"

	"noisefloor/datasets/unit"
	"noisefloor/ingest/internal/digits"
)

// Numbers as people write them into tables: 15,398,029; 4.73E+03; 12.3k; 953 ± 12;
// 1m2.345s; 12 %; 2.4 ms; **953.2**.
var (
	quantity = regexp.MustCompile(`^([-+−]?(?:[0-9](?:[0-9 .,'_\x{a0}\x{202f}]*[0-9])?\.?|[.,][0-9]+)(?:[eE][-+]?[0-9]+)?)\s?(%|[\pL/]+)?$`)
	grouped  = regexp.MustCompile(`^[-+]?\d{1,3}(?:,\d{3})+(?:\.\d+)?$`)    // 15,398,029
	european = regexp.MustCompile(`^[-+]?(?:\d+|\d{1,3}(?:\.\d{3})+),\d+$`) // 1.234,5
	threes   = regexp.MustCompile(`^[-+]?\d{1,3},\d{3}$`)                   // 1,234: either
	minutes  = regexp.MustCompile(`^(?:(\d+)h ?)?(?:(\d+)m(?:in)? ?)?(\d+(?:\.\d+)?)s$`)
)

// bare takes off what marks a number as the best of its row, and the spread
// behind it.
func bare(cell string) string {
	cell = strings.Trim(strings.TrimSpace(cell), "*`~ ")
	for _, spread := range []string{"±", "+/-", "+-"} {
		if at := strings.Index(cell, spread); at > 0 {
			cell = strings.TrimSpace(cell[:at])
		}
	}
	return cell
}

// A cell's number: in base units where the cell itself names the unit, else as
// written, multiples of a thousand apart.
type cellNumber struct {
	v      float64
	inBase bool   // the cell names its unit
	suffix bool   // anything stands behind the digits
	unit   string // what stands behind the digits, if it is more than a factor
	digits string // the number as it is written, "" with a factor behind it
}

// in gives the number in the base unit of its column: 12 % is 0.12, but 12 in a
// column of percents.
func (n cellNumber) in(c *Column) float64 {
	switch {
	case n.unit == "%" && c.Unit.Name != "%":
		return n.scaled(1e-2)
	case n.inBase:
		return n.v
	}
	return n.scaled(c.Scale)
}

// powers are scales that only move the decimal point: 2.91 ms is 0.00291 s to the
// last digit, which 2.91 * 0.001 is not.
var powers = map[float64]int{1e-2: -2, 1e-3: -3, 1e-6: -6, 1e-9: -9}

func (n cellNumber) scaled(scale float64) float64 {
	if power := powers[scale]; power != 0 && n.digits != "" {
		if v, ok := decimal(n.digits, power); ok {
			return v
		}
		mantissa, exponent, _ := strings.Cut(strings.ToLower(n.digits), "e") // 4.73E+03
		own, _ := strconv.Atoi(exponent)
		if v, err := strconv.ParseFloat(mantissa+"e"+strconv.Itoa(own+power), 64); err == nil {
			return v
		}
	}
	return n.v * scale
}

// measure reads a cell.
func (d Dialect) measure(cell string) (n cellNumber, ok bool) {
	if f, ok := decimal(cell, 0); ok {
		return cellNumber{v: f, digits: cell}, true
	}
	if isPlain(cell) {
		f, err := strconv.ParseFloat(cell, 64)
		return cellNumber{v: f, digits: cell}, err == nil
	}
	if cell = bare(cell); !mayBeNumber(cell) {
		return n, false
	}
	m := quantity.FindStringSubmatch(cell)
	if m == nil {
		if t := minutes.FindStringSubmatch(cell); t != nil && (t[1] != "" || t[2] != "") {
			h, _ := strconv.ParseFloat("0"+t[1], 64)
			min, _ := strconv.ParseFloat("0"+t[2], 64)
			s, _ := strconv.ParseFloat(t[3], 64)
			return cellNumber{v: h*3600 + min*60 + s, inBase: true, suffix: true}, true
		}
		return n, false
	}
	text := strings.Map(func(r rune) rune {
		switch r {
		case ' ', '\u00a0', '\u202f', '\'', '_':
			return -1
		case '−':
			return '-'
		}
		return r
	}, m[1])
	switch {
	case d.DecimalComma && strings.ContainsRune(text, ','):
		text = strings.Replace(strings.ReplaceAll(text, ".", ""), ",", ".", 1)
	case grouped.MatchString(text):
		text = strings.ReplaceAll(text, ",", "")
	}
	f, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsInf(f, 0) {
		return n, false
	}
	n = cellNumber{v: f, suffix: m[2] != "", digits: text}
	switch suffix := m[2]; suffix {
	case "":
	case "%":
		n.unit, n.suffix = suffix, false // a share is a plain number
	case "x", "X": // a ratio
	case "k", "K":
		n.v, n.digits = n.v*1e3, ""
	case "M":
		n.v, n.digits = n.v*1e6, ""
	case "G":
		n.v, n.digits = n.v*1e9, ""
	default:
		scale, ok := unit.Factor(suffix)
		switch {
		case ok:
			n.v, n.inBase = n.scaled(scale), true
		case !isRate(suffix): // 2510qps
			return cellNumber{}, false
		}
		n.unit = suffix
	}
	return n, true
}

// decimal reads numbers as programs write them, 953.2, and moves the point, power being
// 0 or less: a table may have millions, and an expression takes ten times as long.
func decimal(cell string, power int) (v float64, ok bool) {
	unsigned := strings.TrimPrefix(cell, "-")
	if v, ok = digits.All(unsigned, -power); len(unsigned) < len(cell) {
		v = -v
	}
	return v, ok
}

// isPlain tells such numbers of any length.
func isPlain(cell string) bool {
	whole, fraction, point := strings.Cut(strings.TrimPrefix(cell, "-"), ".")
	return digits.Only(whole) && (!point || digits.Only(fraction))
}

// mayBeNumber spares words the expressions.
func mayBeNumber(cell string) bool {
	return cell != "" && (cell[0] >= '0' && cell[0] <= '9' || strings.IndexByte("-+.,", cell[0]) >= 0 || strings.HasPrefix(cell, "−"))
}

// number is measure without the unit.
func (d Dialect) number(cell string) (float64, bool) {
	n, ok := d.measure(cell)
	if !ok {
		return math.NaN(), false
	}
	return n.in(&Column{Scale: 1}), true
}

var numeric = regexp.MustCompile(`^[-+]?[0-9][0-9 .,'\x{a0}\x{202f}]*(?:[eE][-+]?[0-9]+)?\s?%?$|^[-+]?\.[0-9]+$`)

// looksNumeric tells cells that hold a number and nothing else.
func looksNumeric(cell string) bool { return numeric.MatchString(bare(cell)) }

// holdsNumber tells cells with a number, a unit behind it allowed.
func holdsNumber(cell string) bool {
	_, ok := Dialect{}.measure(cell)
	if !ok {
		_, ok = Dialect{DecimalComma: true}.measure(cell)
	}
	return ok
}
