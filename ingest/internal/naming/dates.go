package naming

import (
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"noisefloor/datasets"
	"noisefloor/ingest/internal/column"
)

// Dates in paths that need a look at the others, or at the folders around them:
//
//	2026/03/02/base_8.log      a folder each for year, month and day
//	mar02/base_8.log           no year
//	26-03-02/, 260302/         two digits of it
//	03-04-2026/, 03042026/     which is the month?
//
// They are written as 2026-03-02 before names are cut into tokens.

// A dateForm is how one writer writes dates: the order of the numbers is the same
// for all of it.
type dateForm struct {
	separator string
	digits    int // of the year
}

var (
	threeNumbers = regexp.MustCompile(`\d{1,2}([-_.])\d{1,2}[-_.](?:20\d\d|\d\d)`)
	sixDigits    = regexp.MustCompile(`\d{6}`)
	eightDigits  = regexp.MustCompile(`[0-3]\d[0-3]\d20[0-3]\d`)
	monthAndDay  = regexp.MustCompile(`(?i)(` + column.MonthName + `)[-_. ]?(\d{1,2})|(\d{1,2})[-_. ]?(` + column.MonthName + `)`)

	yearFolder  = regexp.MustCompile(`^20[0-3]\d$`)
	monthFolder = regexp.MustCompile(`^(?i:(0[1-9]|1[0-2])|(` + column.MonthName + `))$`)
	yearMonth   = regexp.MustCompile(`^(20[0-3]\d)[-_.]?(0[1-9]|1[0-2])$`)
	dayBegins   = regexp.MustCompile(`^([0-3]\d)(?:$|[^0-9A-Za-z])`)
	monthDay    = regexp.MustCompile(`^(0[1-9]|1[0-2])[-_.]?([0-3]\d)(?:$|[^0-9A-Za-z])`)
)

// readDates writes the dates of all paths in one form.
func (n *Names) readDates(files []File, paths [][]string) {
	d := pathDates{forms: map[dateForm]map[string]string{}, dated: map[string]bool{}, short: map[string]string{}, said: map[string]bool{}}
	for i, p := range paths {
		if files[i].IsSettled() { // --layout says it
			continue
		}
		d.nested(p)
	}
	n.fourDigits(&d, files, paths)
	var segments, sources []string
	seen := map[string]bool{}
	for i, p := range paths {
		if files[i].IsSettled() {
			continue
		}
		for _, segment := range p {
			if !seen[segment] {
				seen[segment] = true
				segments, sources = append(segments, segment), append(sources, files[i].Source())
			}
		}
	}
	for i, w := range onAll(segments, datesIn) {
		d.note(w, sources[i])
	}
	d.dropShort(files, paths)
	n.doubtShort(&d, files, paths)
	n.settleDates(&d)
	if len(d.order) == 0 && d.year == "" && d.server == "" {
		return
	}
	for k, p := range paths {
		for i, segment := range p {
			if !files[k].IsSettled() {
				p[i] = d.rewrite(segment)
			}
		}
	}
}

// fourDigits reads folders 0302, 0303 as 2 and 3 March, where all of their level
// are dates and one begins with a zero: numbers of anything else do not.
func (n *Names) fourDigits(d *pathDates, files []File, paths [][]string) {
	levels := map[int]map[string]bool{}
	other := map[int]bool{}
	for k, p := range paths {
		for i := range max(0, len(p)-1) {
			switch {
			case files[k].IsSettled() || p[i] == "":
			case len(p[i]) == 4 && NumberWord.MatchString(p[i]):
				if levels[i] == nil {
					levels[i] = map[string]bool{}
				}
				levels[i][p[i]] = true
			default:
				other[i] = true
			}
		}
	}
	for i, texts := range levels {
		var dates []string
		zero := false
		for _, text := range sorted(texts) {
			dates = append(dates, text[:2]+"-"+text[2:]+"-2000") // a leap year
			zero = zero || text[0] == '0'
		}
		order, _ := column.Settle(dates, nil)
		if other[i] || !zero || len(dates) < 2 || order == column.AnyOrder {
			continue
		}
		for k, p := range paths {
			if i >= len(p)-1 || files[k].IsSettled() || p[i] == "" {
				continue
			}
			day, _ := order.In(p[i][:2] + "-" + p[i][2:] + "-2000")
			month, _ := strconv.Atoi(day[5:7])
			p[i] = months[month-1] + day[8:]
			d.said[p[i]] = true
		}
		n.say("day: folders like %s are taken for days, %s: a guess", sorted(texts)[0], order)
	}
}

type pathDates struct {
	forms map[dateForm]map[string]string // dates by form, with the first file that has one
	dated map[string]bool                // whole dates as they are written
	known []string                       // days that are beyond doubt
	short map[string]string              // mar02: with the first such file
	order map[dateForm]column.Order
	said  map[string]bool // those of which it is said already
	year  string          // of dates without one
	// server is the factor that mar10 and mar11 are, where they are no days.
	server string
}

// nested joins the folders of year, month and day: the last of them becomes the
// date, the others say nothing more.
func (d *pathDates) nested(p []string) {
	for i := range p {
		if m := yearMonth.FindStringSubmatch(p[i]); m != nil && i+1 < len(p) {
			if day := dayBegins.FindStringSubmatch(p[i+1]); day != nil && d.join(p[i:i+2], m[1], m[2], day[1], p[i+1][2:]) {
				return
			}
			p[i] = "month=" + m[1] + "-" + m[2]
			return
		}
		if !yearFolder.MatchString(p[i]) || i+1 == len(p) {
			continue
		}
		if m := monthDay.FindStringSubmatch(p[i+1]); m != nil {
			rest := strings.TrimLeft(p[i+1][2:], "-_.")[2:]
			if d.join(p[i:i+2], p[i], m[1], m[2], rest) {
				return
			}
		}
		if m := monthAndDay.FindStringSubmatch(p[i+1]); m != nil && m[0] == p[i+1] {
			if d.join(p[i:i+2], p[i], monthOf(m), dayOf(m), "") {
				return
			}
		}
		m := monthFolder.FindStringSubmatch(p[i+1])
		if m == nil || i+2 == len(p) {
			p[i] = "year=" + p[i]
			return
		}
		month := m[1]
		if month == "" {
			month = column.Month(m[2])
		}
		if day := dayBegins.FindStringSubmatch(p[i+2]); day != nil && d.join(p[i:i+3], p[i], month, day[1], p[i+2][2:]) {
			return
		}
		p[i], p[i+1] = "", "month="+p[i]+"-"+month
		return
	}
}

func (d *pathDates) join(folders []string, year, month, day, rest string) bool {
	date, err := column.Date(year + "-" + fmt.Sprintf("%02s", month) + "-" + fmt.Sprintf("%02s", day))
	if err != nil {
		return false
	}
	for i := range folders {
		folders[i] = ""
	}
	folders[len(folders)-1] = date + rest
	return true
}

func monthOf(m []string) string { return column.Month(m[1] + m[4]) }
func dayOf(m []string) string   { return m[2] + m[3] }

// found calls use for every piece of a segment that looks like a date of a shape
// and is no part of a longer one: 16-15-30 of 2020-07-16-15-30 is not.
func found(shape *regexp.Regexp, segment string, use func(from, to int, m []string)) {
	at := func(i int) byte {
		if i < 0 || i >= len(segment) {
			return 0
		}
		return segment[i]
	}
	isDigit := func(c byte) bool { return c >= '0' && c <= '9' }
	isWord := func(c byte) bool { return isDigit(c) || c|0x20 >= 'a' && c|0x20 <= 'z' }
	all := shape.FindAllStringSubmatchIndex(segment, -1)
	if all == nil {
		return
	}
	var whole [][]int
	for _, full := range []*regexp.Regexp{dateTimeShape, dateShape} {
		whole = append(whole, full.FindAllStringSubmatchIndex(segment, -1)...)
	}
	for _, g := range all {
		from, to := g[0], g[1]
		m := make([]string, len(g)/2)
		for k := range m {
			if g[2*k] >= 0 {
				m[k] = segment[g[2*k]:g[2*k+1]]
			}
		}
		same := func(c byte) bool {
			return c != 0 && strings.IndexByte("-_.", c) >= 0 && strings.IndexByte(m[0], c) >= 0
		}
		switch {
		case isWord(at(from - 1)), isWord(at(to)), same(at(from-1)) && isDigit(at(from-2)), same(at(to)) && isDigit(at(to+1)):
		case slices.ContainsFunc(whole, func(w []int) bool { return w[2] < to && from < w[3] && !(w[2] == from && w[3] == to) }):
		default:
			use(from, to, m)
		}
	}
}

// segmentDates are the dates in a segment.
type segmentDates struct {
	whole   []string // as they stand there
	ordered []orderedDate
	short   []string // mar02
}

// An orderedDate is one whose order is a question.
type orderedDate struct {
	form dateForm
	text string
}

// datesIn finds them.
func datesIn(segment string) (w segmentDates) {
	if strings.Contains(segment, "20") {
		for _, m := range dateShape.FindAllStringSubmatch(segment, -1) {
			w.whole = append(w.whole, m[1])
		}
	}
	eachOrdered(segment, func(_, _ int, form dateForm, text string) {
		w.ordered = append(w.ordered, orderedDate{form, text})
	})
	eachShort(segment, func(_, _ int, m []string) {
		if day, err := strconv.Atoi(dayOf(m)); err == nil && day >= 1 && day <= 31 {
			w.short = append(w.short, m[0])
		}
	})
	return w
}

// note takes the dates of a segment in.
func (d *pathDates) note(w segmentDates, source string) {
	for _, text := range w.whole {
		if d.dated[text] {
			continue
		}
		d.dated[strings.Clone(text)] = true
		if day, err := column.Date(strings.TrimRight(text, "abcdefghijklmnopqrstuvwxyz")); err == nil && !column.HasOrder(text) {
			d.known = append(d.known, day)
		}
	}
	for _, o := range w.ordered {
		if d.forms[o.form] == nil {
			d.forms[o.form] = map[string]string{}
		}
		if _, ok := d.forms[o.form][o.text]; !ok {
			d.forms[o.form][o.text] = source
		}
	}
	for _, text := range w.short {
		d.short[text] = source
	}
}

// eachOrdered calls use for the dates in a segment whose order is a question. Six
// digits are such a date with its points left out, and eight that end in a year.
func eachOrdered(segment string, use func(from, to int, form dateForm, text string)) {
	digits, row, longest := 0, 0, 0
	for i := range len(segment) {
		if segment[i]-'0' > 9 {
			row = 0
			continue
		}
		digits, row = digits+1, row+1
		longest = max(longest, row)
	}
	if digits < len("260302") { // spares most names the search
		return
	}
	seen := map[dateForm]bool{} // the second of 26-03-02_14-30-15 is no date
	found(threeNumbers, segment, func(from, to int, m []string) {
		text := m[0]
		year := text[strings.LastIndexAny(text, "-_.")+1:]
		if form := (dateForm{m[1], len(year)}); seen[form] {
			return
		} else {
			seen[form] = true
		}
		if !column.HasOrder(text) || len(year) == 2 && len(text) != len("26-03-02") || m[1] == "_" && len(text) < len("03_04_26") {
			return
		}
		use(from, to, dateForm{m[1], len(year)}, text)
	})
	if longest < len("260302") {
		return
	}
	found(sixDigits, segment, func(from, to int, m []string) {
		use(from, to, dateForm{"", 2}, m[0][:2]+"-"+m[0][2:4]+"-"+m[0][4:])
	})
	found(eightDigits, segment, func(from, to int, m []string) {
		use(from, to, dateForm{"", 4}, m[0][:2]+"-"+m[0][2:4]+"-"+m[0][4:])
	})
}

// settleDates finds the order of each form, and the year of dates without one, and
// says what is a guess.
func (n *Names) settleDates(d *pathDates) {
	d.order = map[dateForm]column.Order{}
	for _, form := range slices.SortedFunc(maps.Keys(d.forms), func(a, b dateForm) int {
		return cmp.Or(cmp.Compare(a.digits, b.digits), cmp.Compare(a.separator, b.separator))
	}) {
		texts := sorted(d.forms[form])
		if form.separator == "." && form.digits == 2 && !slices.ContainsFunc(texts, func(s string) bool { return s[0] == '0' || s[3] == '0' }) {
			continue // 10.11.12 is a version
		}
		order, guess := column.Settle(texts, d.known)
		if form == (dateForm{"", 2}) {
			// Six digits may be a number of rows: only the year first, as files are sorted, and two of a kind at least.
			if days, ok := readAll(texts, column.YearFirst); !ok || len(texts) < 2 || days[0][:3] != days[len(days)-1][:3] {
				continue
			}
			order, guess = column.YearFirst, "since all numbers of six digits in the paths are dates like that"
		}
		if order == column.AnyOrder {
			continue
		}
		d.order[form] = order
		days, _ := readAll(texts, order)
		d.known = append(d.known, days...)
		shown := texts[0]
		if form.separator == "" {
			shown = strings.ReplaceAll(shown, "-", "")
		}
		switch _, err := column.Date(texts[0]); {
		case guess != "" && form.digits == 4:
			n.Problem(datasets.Problem{Source: d.forms[form][texts[0]], Kind: Ambiguous, Count: len(texts),
				Text: fmt.Sprintf("%s in the path is read %s, %s: a guess, %s; --set day= or {day} in --layout says otherwise", shown, order, days[0], guess)})
		case guess != "":
			n.say("day: dates like %s in the paths are read %s (%s): a guess, %s", shown, order, days[0], guess)
		case err != nil:
			n.say("day: dates like %s in the paths are read %s (%s), which makes dates of them all", shown, order, days[0])
		}
	}
	if len(d.short) == 0 {
		return
	}
	years := map[string]bool{}
	for _, day := range d.known {
		years[day[:4]] = true
	}
	text := sorted(d.short)[0]
	if len(years) == 1 {
		for d.year = range years {
		}
		n.say("day: dates without a year, such as %s, take the year of the others (%s): a guess", text, d.year)
		return
	}
	if d.said[text] {
		return
	}
	n.say("day: %s and the like in the paths are taken for days without a year, month first (03-02 is 2 March): a guess", text)
}

func readAll(texts []string, order column.Order) (days []string, ok bool) {
	for _, text := range texts {
		day, ok := order.In(text)
		if !ok {
			return nil, false
		}
		days = append(days, day)
	}
	slices.Sort(days)
	return days, true
}

// rewrite gives a segment with its dates as 2026-03-02.
func (d *pathDates) rewrite(segment string) string {
	type piece struct {
		from, to int
		day      string
	}
	var pieces []piece
	eachOrdered(segment, func(from, to int, form dateForm, text string) {
		if day, ok := d.order[form].In(text); ok {
			pieces = append(pieces, piece{from, to, day})
		}
	})
	if d.year != "" {
		eachShort(segment, func(from, to int, m []string) {
			if day, err := column.Date(fmt.Sprintf("%s-%02s-%02s", d.year, monthOf(m), dayOf(m))); err == nil {
				pieces = append(pieces, piece{from, to, day})
			}
		})
	}
	if d.server != "" {
		eachShort(segment, func(from, to int, m []string) {
			pieces = append(pieces, piece{from, to, ";" + d.server + "=" + m[0] + ";"})
		})
	}
	slices.SortFunc(pieces, func(a, b piece) int { return b.from - a.from })
	for _, p := range pieces {
		segment = segment[:p.from] + p.day + segment[p.to:]
	}
	return segment
}
