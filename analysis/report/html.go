package report

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"math"
	"slices"
	"strings"

	"noisefloor/analysis"
	"noisefloor/analysis/figure"
	"noisefloor/analysis/steady"
	"noisefloor/analysis/table"
	"noisefloor/datasets"
)

//go:embed page.html
var pageSource string

//go:embed page.css
var pageStyle string

var pageTemplate = template.Must(template.New("page").Funcs(template.FuncMap{
	"glyph": func(v analysis.Verdict) string { return figure.Glyph(v) },
	"short": func(hash string) string { return hash[:min(len(hash), 12)] },
	"set":   typeset,
}).Parse(pageSource))

// HTML writes the report as one page that needs nothing else: no network, no
// font, no script. Text from logs, paths and metadata is escaped by
// html/template, and in pictures by package figure.
func HTML(w io.Writer, r *Report) error { return pageTemplate.Execute(w, newPage(r)) }

// page is what the template prints.
type page struct {
	Title, Eyebrow string
	Style          template.CSS
	Answer         answer
	Leads          []lead
	Long           bool // the heading is set smaller
	Folded         bool // what the verdicts rest on, as nobody asked for it by name
	Metrics        []metricSection
	DesignLines    []string
	Design         *picture
	Curves         []curveSection
	Spreads        []spreadSection
	Steady         *steadySection
	Plan           *planSection
	History        []historySection
	HistoryHeading string
	HistoryTable   *htmlTable
	HistoryNotes   []string
	Studies        []studySection
	Series         []seriesGroup
	SeriesNote     string
	Levels         []template.HTML
	LevelsNote     string
	SpreadsNote    string
	Profiles       []profileSection
	Waits          []profileSection
	Next           []string
	Doubts         []doubt
	MoreDoubts     []doubt
	MostDoubts     string
	Provenance     string
	LeftOut        string
	Tools          []string
	Sources        []datasets.Source
	MoreSources    string
	Problems       []string
	ProblemsHead   string
	MoreProblems   string
	DesignNote     string
}

// lead is one line of the heading.
type lead struct {
	Verdict  analysis.Verdict
	Sentence string
	Advice   string // what to run; "" if there is none, or it was said
}

type metricSection struct {
	Heading string
	Folded  bool // not the first metric, and long
	Forest  *picture
	Table   htmlTable
	Open    bool
	Note    string
}

type spreadSection struct {
	Heading       string
	Folded        bool   // not the first metric, and long
	Note          string // levels that no stratum knows
	First, Rest   *picture
	More          int // strata in Rest
	Table, Floors *htmlTable
	Components    *htmlTable // where the variance was asked for by name
	FloorsHeading string
	FloorsNote    string
}

func newPage(r *Report) page {
	p := page{
		Style:        template.CSS(figure.Style() + pageStyle),
		Answer:       pageAnswer(r),
		DesignLines:  designLines(r),
		Design:       designPicture(r.Design),
		Doubts:       doubts(r),
		Provenance:   provenanceLine(r),
		LeftOut:      leftOut(r),
		Sources:      visibleSources(r.Inputs.Sources[:min(rowsOnPage, len(r.Inputs.Sources))]),
		MoreSources:  andMore(len(r.Inputs.Sources), "file"),
		DesignNote:   designNote(len(r.Design.Runs)),
		Steady:       newSteadySection(r),
		Plan:         newPlanSection(r.Plan),
		ProblemsHead: analysis.Counted(len(r.Inputs.Problems), "problem") + " while reading",
		Next:         visibleAll(r.Next),
		Profiles:     profileSections(r),
		Waits:        waitSections(r),
		Eyebrow:      "noisefloor",
		Folded:       len(r.Parts) == 0,
	}
	if len(r.Design.Factors) == 0 && r.Plan != nil { // planned without data
		p.DesignLines = nil
	}
	if r.Design.By != "" {
		p.Eyebrow += " on " + table.Visible(r.Design.By)
	}
	if r.Inputs.Folder != "" {
		p.Eyebrow += " in " + table.Visible(r.Inputs.Folder)
	}
	if len(r.History) > 0 {
		p.History, p.HistoryHeading, p.HistoryNotes = historySections(r), historyHeading(r), historyNotes(r)
		if t := Histories(r.History); len(t.Rows) > 0 {
			set := newHTMLTable(t)
			p.HistoryTable = &set
		}
	}
	p.Studies = studySections(r)
	if historyAlone(r) {
		p.Design = nil // the series itself shows which days there were
	}
	if lines := historyLines(r); historyAlone(r) && len(lines) > 0 {
		p.Answer = answer{Lines: lines}
	}
	p.MostDoubts = andMore(len(p.Doubts), "doubt")
	p.Doubts = p.Doubts[:min(rowsOnPage, len(p.Doubts))]
	if len(p.Doubts) > doubtsOpen+1 && p.Folded {
		p.Doubts, p.MoreDoubts = p.Doubts[:doubtsOpen], p.Doubts[doubtsOpen:]
	}
	p.Leads = leads(p.Answer, p.Next)
	p.Title = p.Leads[0].Sentence
	for _, l := range p.Leads {
		p.Long = p.Long || len(p.Leads) > 2 || len(l.Sentence) > longHeading
	}

	for i, metric := range metrics(r) {
		s := newMetricSection(r, rowsOf(r, metric))
		s.Folded = i > 0 && len(s.Table.Rows) > rowsOpen
		p.Metrics = append(p.Metrics, s)
	}
	var spreads []string
	spreads, p.SpreadsNote = varianceShown(r)
	for i, metric := range spreads {
		s := newSpreadSection(varianceOf(r, metric))
		s.Folded = i > 0 && s.More > 0
		if r.asked(PartVariance) {
			parts := newHTMLTable(Components(varianceOf(r, metric)).Without(headMetric))
			s.Components = &parts
		}
		p.Spreads = append(p.Spreads, s)
	}
	for i := range r.Curves {
		p.Curves = append(p.Curves, newCurveSection(&r.Curves[i]))
	}
	groups, shown := seriesGroups(r)
	p.Series = groups
	runs := analysis.Counted(shown, "run")
	if all := max(len(r.Series), r.Inputs.Complete); shown < all {
		runs = fmt.Sprintf("%d of %s", shown, analysis.Counted(all, "run"))
	}
	p.SeriesNote = runs + ", the oddest first, and before them those without a steady state. The runs of a stratum share one range; what is shaded is cut off as warm-up, and the dashed line is the mean of the rest."
	if metric := primaryMetric(r); len(rowsOf(r, metric)) > 0 && len(r.Curves) == 0 {
		p.Levels = levelPictures(r, metric)
		x := table.Visible(levelFactor(rowsOf(r, metric)))
		p.LevelsNote = metricWords(metric, rowsOf(r, metric)[0].Unit) + " against " + x + ": every run is a mark, the line reaches from the lowest to the highest, the bar is the mean. No curve is fitted."
		if slices.ContainsFunc(rowsOf(r, metric), func(c Comparison) bool { return max(c.Base.Runs, c.Contender.Runs) > figure.MostMarks }) {
			p.LevelsNote += fmt.Sprintf(" Of more than %d runs a thick line holds the middle half, instead of marks.", figure.MostMarks)
		}
	}
	for _, s := range r.Inputs.Sources {
		tool := strings.TrimSpace(table.Visible(s.Tool) + " " + table.Visible(s.Version))
		if tool != "" && !slices.Contains(p.Tools, tool) {
			p.Tools = append(p.Tools, tool)
		}
	}
	problems := datasets.Gather(r.Inputs.Problems)
	p.MoreProblems = andMore(len(problems), "problem")
	for _, problem := range problems[:min(rowsOnPage, len(problems))] {
		p.Problems = append(p.Problems, table.Visible(problem.String()))
	}
	return p
}

// pageAnswer is the heading: the verdicts, or what else was asked for.
func pageAnswer(r *Report) answer {
	if r.Has(PartCompare) || r.Has(PartProfile) || r.Has(PartWaits) || r.Has(PartScaling) {
		return newAnswer(r)
	}
	return answer{Lines: []line{{Sentence: opening(r)}}}
}

// designNote explains the picture of the design, which counts runs where they
// are too many to be drawn.
func designNote(runs int) string {
	if runs > figure.MostTicks {
		return "A lane is an arm, a column a day, the darker the more runs of the arm it has."
	}
	return "A block is a day, a lane an arm, a tick one run, from left to right in the order they ran (arm by arm where that is unknown). Shaded: runs of one server launch."
}

// leads cuts each answer where its advice begins: what was found is the
// heading, what to run stands below it, and is said once if several answers
// have the same.
func leads(a answer, next []string) []lead {
	var heading []lead
	said := map[string]bool{}
	for _, advice := range next { // it stands right below
		said[typeset(advice)] = true
	}
	for _, l := range a.Lines {
		found, advice, _ := strings.Cut(typeset(l.Sentence), "; ")
		if advice = sentenceCase(advice); advice != "" && !strings.HasSuffix(advice, ".") {
			advice += "."
		}
		if said[advice] {
			advice = ""
		}
		said[advice] = true
		heading = append(heading, lead{l.Verdict, found, advice})
	}
	return heading
}

func newMetricSection(r *Report, rows []Comparison) metricSection {
	t, heading := narrowed(rows, headMetric)
	s := metricSection{Heading: heading, Forest: forest(rows), Table: newHTMLTable(t)}
	s.Open = s.Forest == nil || len(rows) <= rowsOpen
	s.Note = tableNotes(r, rows)
	return s
}

func newSpreadSection(rows []Variance) spreadSection {
	rows, without := informed(rows)
	unknown, note := unknownLevels(rows)
	s := spreadSection{
		Heading: metricWords(rows[0].Metric, rows[0].Unit),
		Note:    strings.TrimSpace(note + " " + without),
		More:    max(0, len(rows)-strataAtOnce),
	}
	if len(unknown) < len(levelNames) {
		t := newHTMLTable(Spreads(rows).Without(append(unknown, headMetric)...))
		s.Table = &t
	}
	s.First, s.Rest = spreadPictures(rows)
	if designs := floorDesigns(rows); len(designs) > 0 {
		s.FloorsHeading = floorsHeading(rows[0].Metric)
		silent, note := silentDesigns(rows)
		s.FloorsNote = note
		if len(silent) < len(designs) {
			t := newHTMLTable(Floors(rows).Without(append(silent, headMetric)...))
			s.Floors = &t
		}
	}
	return s
}

// longHeading is from how many bytes on a heading is set smaller: four lines of
// a phone.
const longHeading = 120

// doubtsOpen is how many doubts the page shows before the rest folds; those about
// everything come first.
const doubtsOpen = 5

// rowsOpen is how many rows a table shows before it folds; the picture above it
// says the most important of them.
const rowsOpen = 12

// panelWords says which run a panel shows; the day, if there are several.
func panelWords(s Series, days int) string {
	var parts []string
	if s.Day != "" && days > 1 {
		parts = append(parts, table.Visible(s.Day))
	}
	if s.Order > 0 {
		parts = append(parts, fmt.Sprintf("run\u00a0%d", s.Order))
	}
	// Beyond 5 median deviations a run is named in the doubts as well.
	if s.Class == steady.NoSteadyState {
		parts = append(parts, string(s.Class))
	}
	if odd := math.Abs(s.Oddness); odd > 5 {
		parts = append(parts, "odd")
	}
	return strings.Join(parts, ", ")
}

func visibleSources(sources []datasets.Source) []datasets.Source {
	shown := slices.Clone(sources)
	for i := range shown {
		s := &shown[i]
		s.Path, s.Tool, s.Version, s.Kind, s.SHA256 = table.Visible(s.Path), table.Visible(s.Tool), table.Visible(s.Version), table.Visible(s.Kind), table.Visible(s.SHA256)
	}
	return shown
}

// htmlTable is a table.Table with classes instead of alignments and tones.
type htmlTable struct {
	Heads []htmlCell
	Rows  [][]htmlCell
}

type htmlCell struct {
	Text    string
	Number  bool
	Verdict analysis.Verdict // "" = no verdict
}

func newHTMLTable(t *table.Table) htmlTable {
	var h htmlTable
	for _, c := range t.Columns {
		h.Heads = append(h.Heads, htmlCell{Text: table.Visible(c.Head), Number: c.Align == table.Right})
	}
	for _, row := range t.Rows {
		cells := make([]htmlCell, len(row))
		for i, c := range row {
			// Numbers stay as they are typed, so that a spreadsheet takes them for some.
			cells[i] = htmlCell{Text: table.Visible(c.Text), Number: t.Columns[i].Align == table.Right}
			if slices.Contains(verdicts, analysis.Verdict(c.Text)) && c.Tone != 0 {
				cells[i].Verdict = analysis.Verdict(c.Text)
			}
		}
		h.Rows = append(h.Rows, cells)
	}
	return h
}

func typeset(s string) string { return table.Typeset(s) }
