package report

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"noisefloor/analysis"
	"noisefloor/analysis/profile"
	"noisefloor/analysis/table"
	"noisefloor/datasets/unit"
)

// How many symbols a table shows beside those that were called; --json has them
// all.
const (
	symbolsShown = 15
	totalsShown  = 8
)

func eventWords(event string) string {
	if event == "" {
		return "samples"
	}
	return table.Visible(event)
}

// place names what a profile is of: "cycles, 8 threads, oltp_read_only".
func (p *Profiled) place() string {
	if stratum := stratumWords(p.Stratum); stratum != "" {
		return eventWords(p.Event) + ", " + stratum
	}
	return eventWords(p.Event)
}

// against names the arms, or the one arm.
func against(base, level string) string {
	if level == "" {
		return table.Visible(base)
	}
	return table.Visible(level) + " against " + table.Visible(base)
}

// lead is what a profile answers in a sentence.
func (p *Profiled) lead() line {
	place := p.place()
	if p.Level == "" {
		if p.BaseLevel != "" {
			place += ", " + table.Visible(p.BaseLevel)
		}
		return line{"", fmt.Sprintf("%s: %s in %s.", place, largest(p.Rows), profileRuns(p.Result))}
	}
	l := callSentence(place+", "+against(p.BaseLevel, p.Level), "symbol", p.Result)
	if all := costOf(p.Rows); all != nil && l.Verdict == "" {
		l.Sentence += " " + costSentence(all, p.Rows, eventWords(p.Event))
	}
	return l
}

// largest names the symbols that take most themselves.
func largest(rows []*profile.Row) string {
	var parts []string
	for _, row := range rows {
		if row.Kind != profile.Total && len(parts) < 3 {
			parts = append(parts, fmt.Sprintf("%s %s", table.Visible(row.Symbol), amount(row.Scale, row.Base)))
		}
	}
	if len(parts) == 0 {
		return "no symbol has enough samples"
	}
	return "most goes to " + strings.Join(parts, ", ")
}

func amount(scale profile.Scale, v float64) string {
	if scale == profile.Share {
		return percent(v, 1)
	}
	return table.Fixed(v, sessionDecimals)
}

// sessionDecimals: a hundredth of a session is little on any server.
const sessionDecimals = 3

func costOf(rows []*profile.Row) *profile.Row {
	for _, row := range rows {
		if row.Symbol == profile.All && row.Scale == profile.PerTransaction {
			return row
		}
	}
	return nil
}

func costSentence(all *profile.Row, rows []*profile.Row, event string) string {
	more, less := map[string]bool{}, map[string]bool{}
	for _, row := range rows {
		switch {
		case row.Scale != profile.PerTransaction || row.Symbol == profile.All:
		case row.Call == profile.Grew:
			more[row.Symbol] = true
		case row.Call == profile.Shrank:
			less[row.Symbol] = true
		}
	}
	symbols := ""
	if len(more)+len(less) > 0 {
		symbols = fmt.Sprintf(" For each transaction %s more, %d less.", analysis.Counted(len(more), "symbol")+" cost"+map[bool]string{true: "s"}[len(more) == 1], len(less))
	}
	bounds := fmt.Sprintf("%s to %s %%", table.Signed(100*(all.RatioLo-1), 1), table.Signed(100*(all.RatioHi-1), 1))
	if !all.Called() {
		return fmt.Sprintf("That a transaction takes more or fewer %s is not shown (%s %%, %s).", event, table.Signed(100*(all.Ratio-1), 1), bounds) + symbols
	}
	word := "more"
	if all.Ratio < 1 {
		word = "fewer"
	}
	return fmt.Sprintf("A transaction takes %s %% %s %s (%s).", table.Fixed(100*math.Abs(all.Ratio-1), 1), word, event, bounds) + symbols
}

// callSentence says how many symbols (or wait events) changed, and which most.
func callSentence(place, noun string, res profile.Result) line {
	if why, do := refusalOf(res); why != "" {
		return line{analysis.Unsupported, fmt.Sprintf("%s: no %s can be called changed: %s; %s. The differences seen are no claim.", place, noun, why, do)}
	}
	tested, smallest := map[string]bool{}, math.NaN()
	var called []*profile.Row
	changed := map[string]bool{}
	for _, row := range res.Rows {
		if row.Twin() || row.Scale == profile.PerTransaction {
			continue
		}
		if row.Tested {
			tested[row.Symbol] = true
			if !(row.Q >= smallest) {
				smallest = row.Q
			}
		}
		if row.Called() {
			changed[row.Symbol] = true
			called = append(called, row)
		}
	}
	runs := profileRuns(res)
	switch {
	case len(tested) == 0:
		return line{"", fmt.Sprintf("%s: nothing to tell apart, no %s has enough samples and less than all of them (%s).", place, noun, runs)}
	case len(called) == 0:
		return line{"", fmt.Sprintf("%s: no %s changed beyond what runs of one build do (%s looked at in %s, smallest q %s).",
			place, noun, analysis.Counted(len(tested), noun), runs, pValue(smallest))}
	}
	var parts []string
	for _, row := range called[:min(3, len(called))] {
		parts = append(parts, fmt.Sprintf("%s%s %s", table.Visible(row.Symbol), kindWords(row.Kind), diffWords(row)))
	}
	rest := ""
	if n := len(called) - len(parts); n > 0 {
		rest = fmt.Sprintf(", and %d more", n)
	}
	what := " changed their share"
	if noun == "wait" {
		what = " changed"
	}
	return line{"", fmt.Sprintf("%s: %d of %s%s in %s: %s%s.", place, len(changed), analysis.Counted(len(tested), noun), what, runs, strings.Join(parts, ", "), rest)}
}

func kindWords(k profile.Kind) string {
	if k == profile.Total {
		return " with what it calls"
	}
	return ""
}

// profileRuns counts what is behind a result: "6 + 6 runs on 3 days".
func profileRuns(res profile.Result) string {
	runs := fmt.Sprintf("%d + %d runs", res.Runs[0], res.Runs[1])
	if res.Runs[1] == 0 {
		runs = analysis.Counted(res.Runs[0], "run")
	}
	switch b, c := res.Days[0], res.Days[1]; {
	case b == 0:
		return runs + ", day unknown"
	case b == c || res.Runs[1] == 0:
		return runs + " on " + analysis.Counted(b, "day")
	default:
		return runs + fmt.Sprintf(" on %d + %d days", b, c)
	}
}

// diffWords is a difference with its interval: "+2.1 points (1.7 to 2.6)".
func diffWords(row *profile.Row) string {
	change, bounds := changeOf(row), boundsOf(row)
	switch row.Scale {
	case profile.Share:
		change += " points"
	case profile.Sessions:
		change += " sessions"
	}
	switch {
	case bounds == "-":
		return change
	case bounds[0] == '[':
		return change + " " + bounds
	}
	return change + " (" + bounds + ")"
}

// changeOf is the difference of a row as its table prints it: points of share,
// percent of a cost, sessions.
func changeOf(row *profile.Row) string {
	v, decimals, suffix := row.Diff, 2, ""
	switch row.Scale {
	case profile.Share:
		v *= 100
	case profile.PerTransaction:
		if math.IsNaN(row.Ratio) {
			return "new"
		}
		v, decimals, suffix = 100*(row.Ratio-1), 1, " %"
	default:
		decimals = sessionDecimals
	}
	if math.IsNaN(v) {
		return "-"
	}
	return table.Signed(v, decimals) + suffix
}

// boundsOf is the interval of what changeOf prints; in brackets where it speaks
// for one day alone.
func boundsOf(row *profile.Row) string {
	lo, hi, bracket := row.Lo, row.Hi, false
	if math.IsNaN(lo) && row.Conditional != nil {
		lo, hi, bracket = row.Conditional.Lo, row.Conditional.Hi, true
	}
	decimals, suffix := 2, ""
	switch row.Scale {
	case profile.Share:
		lo, hi = 100*lo, 100*hi
	case profile.PerTransaction:
		lo, hi, decimals, suffix = 100*lo/row.Base, 100*hi/row.Base, 1, " %"
	default:
		decimals = sessionDecimals
	}
	if math.IsNaN(lo) || math.IsInf(lo, 0) || math.IsNaN(hi) || math.IsInf(hi, 0) {
		return "-"
	}
	words := fmt.Sprintf("%s to %s%s", table.Signed(lo, decimals), table.Signed(hi, decimals), suffix)
	if bracket {
		return "[" + words + "]"
	}
	return words
}

// rowsShown picks the rows of a scale for people: everything together, what was
// called, then the symbols that differ (or take) most by themselves, then those
// that do with what they call, whose chains of callers would fill a table. A
// symbol that calls nothing stands there once.
func rowsShown(rows []*profile.Row, scale profile.Scale) (shown []*profile.Row, more int) {
	rank := func(r *profile.Row) int {
		switch {
		case r.Symbol == profile.All:
			return 0
		case r.Called():
			return 1
		case r.Kind != profile.Total:
			return 2
		}
		return 3
	}
	most := [4]int{1, math.MaxInt, symbolsShown, totalsShown}
	var byRank [4][]*profile.Row
	for _, row := range rows {
		if row.Scale != scale || row.Twin() {
			continue
		}
		if k := rank(row); len(byRank[k]) < most[k] {
			byRank[k] = append(byRank[k], row)
		} else {
			more++
		}
	}
	return slices.Concat(byRank[:]...), more
}

// Changes is the table of symbols (or wait events) of one scale.
func Changes(rows []*profile.Row, scale profile.Scale, base, contender string, confidence float64) *table.Table {
	noun := "symbol"
	if scale == profile.Sessions {
		noun = "wait"
	}
	change := map[profile.Scale]string{profile.Share: "points", profile.PerTransaction: "change", profile.Sessions: "difference"}[scale]
	t := &table.Table{Columns: []table.Column{
		{Head: noun, Fields: []string{"symbol"}},
		{Head: "kind", Fields: []string{"kind"}},
		{Head: table.Visible(base), Align: table.Right, Fields: []string{"base"}},
		{Head: table.Visible(contender), Align: table.Right, Fields: []string{"contender"}},
		{Head: change, Align: table.Right, Fields: []string{"diff"}},
		{Head: percentWords(confidence) + " interval", Align: table.Right, Fields: []string{"lo", "hi"}},
		{Head: "q", Align: table.Right, Fields: []string{"q"}},
		{Head: "call", Fields: []string{"call"}},
	}}
	format := amounts(rows, scale)
	for _, row := range rows {
		q := pValue(row.Q)
		if c := row.Conditional; c != nil && math.IsNaN(row.Q) {
			q = "[" + pValue(c.Q) + "]"
		}
		t.Add(table.Word(row.Symbol), table.Word(string(row.Kind)),
			table.Cell{Text: format(row.Base), Values: []any{row.Base}},
			table.Cell{Text: format(row.Contender), Values: []any{row.Contender}},
			table.Cell{Text: changeOf(row), Values: []any{row.Diff}},
			table.Cell{Text: boundsOf(row), Values: []any{row.Lo, row.Hi}},
			table.Cell{Text: q, Values: []any{row.Q}},
			table.Cell{Text: string(row.Call), Values: []any{string(row.Call)}, Tone: callTone(row)},
		)
	}
	var silent []string
	if scale == profile.Sessions {
		silent = append(silent, "kind")
	}
	if !slices.ContainsFunc(rows, func(r *profile.Row) bool { return r.Call != profile.Unsupported }) {
		silent = append(silent, "call") // the sentence above says why
	}
	return t.Without(silent...)
}

// callTone: more is not worse in a share, so that the colours are those of the
// flame graph and not those of a verdict.
func callTone(row *profile.Row) table.Tone {
	switch row.Call {
	case profile.Grew:
		return table.Vermillion
	case profile.Shrank:
		return table.Blue
	}
	return table.Grey
}

// amounts prints the values of one scale.
func amounts(rows []*profile.Row, scale profile.Scale) func(float64) string {
	if scale == profile.Share {
		return func(v float64) string { return percent(v, 2) }
	}
	var values []float64
	for _, row := range rows {
		values = append(values, row.Base, row.Contender)
	}
	if scale == profile.Sessions {
		return func(v float64) string {
			if math.IsNaN(v) {
				return "-"
			}
			return table.Fixed(v, sessionDecimals)
		}
	}
	s := unit.ScaleFor(unit.Unit{Name: "1"}, values...)
	return func(v float64) string {
		if math.IsNaN(v) {
			return "-"
		}
		return strings.TrimSpace(s.Format(v, 3) + " " + s.Unit)
	}
}

// Usual is the table of what symbols (or wait events) usually take in one arm.
func Usual(rows []*profile.Row, scale profile.Scale, confidence float64) *table.Table {
	noun, value := "symbol", "share"
	if scale == profile.Sessions {
		noun, value = "wait", "sessions"
	}
	t := &table.Table{Columns: []table.Column{
		{Head: noun, Fields: []string{"symbol"}},
		{Head: "kind", Fields: []string{"kind"}},
		{Head: value, Align: table.Right, Fields: []string{"value"}},
		{Head: percentWords(confidence) + " interval", Align: table.Right, Fields: []string{"lo", "hi"}},
	}}
	format := amounts(rows, scale)
	for _, row := range rows {
		bounds := "-"
		if !math.IsNaN(row.Lo) {
			bounds = format(row.Lo) + " to " + format(row.Hi)
		}
		t.Add(table.Word(row.Symbol), table.Word(string(row.Kind)),
			table.Cell{Text: format(row.Base), Values: []any{row.Base}},
			table.Cell{Text: bounds, Values: []any{row.Lo, row.Hi}})
	}
	if scale == profile.Sessions {
		return t.Without("kind")
	}
	return t
}

// rareWords says what was not tested.
func rareWords(res profile.Result) string {
	if res.Rare.Symbols == 0 {
		return ""
	}
	return fmt.Sprintf("Not looked at: %s with fewer than %g samples a run; the samples in them are %s of all.",
		analysis.Counted(res.Rare.Symbols, "symbol"), res.Rare.Below, percent(res.Rare.Share, 1))
}

// waitLead is what a comparison of waits answers in a sentence.
func (w *Waited) lead() line {
	place := "waits"
	if stratum := stratumWords(w.Stratum); stratum != "" {
		place += ", " + stratum
	}
	if w.Level == "" {
		return line{"", fmt.Sprintf("%s: %s in %s.", place, strings.Replace(largest(w.Rows), "no symbol has enough samples", "nothing is waited for", 1), profileRuns(w.Result))}
	}
	l := callSentence(place+", "+against(w.BaseLevel, w.Level), "wait", w.Result)
	var base, contender float64
	for _, row := range w.Rows {
		base, contender = base+row.Base, contender+row.Contender
	}
	l.Sentence += fmt.Sprintf(" All waits together: %s sessions in the base, %s in the contender.", amount(profile.Sessions, base), amount(profile.Sessions, contender))
	return l
}

// profileAnswer is the answer of a report that was only asked for profiles or
// waits. What forbids all calls for one reason is said once.
func profileAnswer(r *Report) answer {
	var a answer
	whys := map[string]bool{}
	note := func(l line, res profile.Result) {
		a.Lines = append(a.Lines, l)
		why, _ := refusalOf(res)
		whys[why] = true
	}
	for i := range r.Profiles {
		note(r.Profiles[i].lead(), r.Profiles[i].Result)
	}
	for i := range r.Waits {
		note(r.Waits[i].lead(), r.Waits[i].Result)
	}
	if len(a.Lines) == 0 {
		a.Lines = []line{{Sentence: "No run has what was asked for beside it."}}
	}
	if n := len(a.Lines); n > 1 && len(whys) == 1 && !whys[""] {
		res, what := r.firstBeside(), "profiles"
		if len(r.Profiles) == 0 {
			what = "comparisons of waits"
		}
		why, do := refusalOf(res)
		a.Lines = []line{{analysis.Unsupported, fmt.Sprintf("Nothing can be called changed in these %d %s: %s; %s. The differences seen are no claim.", n, what, why, do)}}
	}
	return a
}

func (r *Report) firstBeside() profile.Result {
	if len(r.Profiles) > 0 {
		return r.Profiles[0].Result
	}
	return r.Waits[0].Result
}

// refusalOf is the first reason against any call, and what to do; "" if there is
// none.
func refusalOf(res profile.Result) (why, do string) {
	for _, w := range res.Warnings {
		if refusal, ok := w.(analysis.Refusal); ok {
			return table.Visible(refusal.Why()), table.Visible(refusal.Do())
		}
	}
	return "", ""
}

// profileDoubts are the warnings of profiles and waits with the places that
// they are about; "" is all. Refusals stand in the answer.
func profileDoubts(r *Report) (warnings []analysis.Warning, places []string) {
	type found struct {
		w  analysis.Warning
		at []string
	}
	var all []*found
	byText := map[string]*found{}
	total := 0
	note := func(place string, lists ...[]analysis.Warning) {
		total++
		for _, w := range slices.Concat(lists...) {
			if _, refusal := w.(analysis.Refusal); refusal {
				continue
			}
			key := w.Kind() + "\x00" + w.Text()
			if byText[key] == nil {
				byText[key] = &found{w: w}
				all = append(all, byText[key])
			}
			byText[key].at = append(byText[key].at, place)
		}
	}
	for i := range r.Profiles {
		p := &r.Profiles[i]
		note("profile of "+p.place()+" "+against(p.BaseLevel, p.Level), p.Result.Warnings, p.Doubts)
	}
	for i := range r.Waits {
		w := &r.Waits[i]
		note("waits "+strings.TrimSpace(stratumWords(w.Stratum)+" "+against(w.BaseLevel, w.Level)), w.Result.Warnings, w.Doubts)
	}
	for _, f := range all {
		warnings = append(warnings, f.w)
		place := strings.Join(f.at, "; ")
		if len(f.at) == total {
			place = ""
		}
		places = append(places, place)
	}
	return warnings, places
}
