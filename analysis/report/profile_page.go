package report

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"noisefloor/analysis"
	"noisefloor/analysis/figure"
	"noisefloor/analysis/profile"
	"noisefloor/analysis/table"
)

// profileSection is one profile or one comparison of waits on the page.
type profileSection struct {
	Heading  string
	Verdict  analysis.Verdict
	Sentence string
	Folded   bool
	Flame    *picture
	Courses  []coursePicture
	Bars     *picture
	Table    *htmlTable
	Cost     *htmlTable
	Note     string
}

type coursePicture struct {
	Arm     string
	Picture picture
}

// Limits of the page; --json has everything.
const (
	sectionsOpen = 2 // profiles after these are folded
	flamesDrawn  = 6 // flame graphs are most of the bytes of a page
	barsDrawn    = 14
	// flameShare is the smallest mean share of a box: about a pixel of the widest
	// picture.
	flameShare = .001
)

func profileSections(r *Report) []profileSection {
	var sections []profileSection
	for i := range r.Profiles {
		p := &r.Profiles[i]
		l := p.lead()
		s := profileSection{Heading: p.place(), Folded: i >= sectionsOpen}
		if r.Has(PartCompare) { // else it is the heading of the page
			s.Verdict, s.Sentence = l.Verdict, l.Sentence
		}
		if arms := against(p.BaseLevel, p.Level); arms != "" {
			s.Heading += ", " + arms
		}
		if p.Level != "" && p.Flame != nil && i < flamesDrawn {
			s.Flame = flamePicture(p)
		}
		s.numbers(p.Result, profile.Share, p.BaseLevel, p.Level, confidenceOf(r))
		if cost, _ := rowsShown(p.Rows, profile.PerTransaction); p.Level != "" && len(cost) > 0 {
			t := newHTMLTable(Changes(cost, profile.PerTransaction, p.BaseLevel, p.Level, confidenceOf(r)))
			s.Cost = &t
		}
		s.Note = rareWords(p.Result)
		sections = append(sections, s)
	}
	return sections
}

func waitSections(r *Report) []profileSection {
	var sections []profileSection
	for i := range r.Waits {
		w := &r.Waits[i]
		l := w.lead()
		s := profileSection{Heading: stratumWords(w.Stratum), Folded: i >= sectionsOpen}
		if r.Has(PartCompare) { // else it is the heading of the page
			s.Verdict, s.Sentence = l.Verdict, l.Sentence
		}
		if arms := against(w.BaseLevel, w.Level); arms != "" && s.Heading != "" {
			s.Heading += ", " + arms
		} else {
			s.Heading += arms
		}
		s.Courses = coursePictures(w)
		s.numbers(w.Result, profile.Sessions, w.BaseLevel, w.Level, confidenceOf(r))
		sections = append(sections, s)
	}
	return sections
}

// numbers fills in the bars and the table of one scale.
func (s *profileSection) numbers(res profile.Result, scale profile.Scale, base, level string, confidence float64) {
	rows, _ := rowsShown(res.Rows, scale)
	if len(rows) == 0 {
		return
	}
	var t htmlTable
	if level == "" {
		t = newHTMLTable(Usual(rows, scale, confidence))
	} else {
		t = newHTMLTable(Changes(rows, scale, base, level, confidence))
		s.Bars = barPicture(rows[:min(len(rows), barsDrawn)], scale, base, level)
	}
	s.Table = &t
}

// noBar is which part of the longest bar cannot be seen: a server has a hundred such
// waits.
const noBar = .005

func barPicture(rows []*profile.Row, scale profile.Scale, base, level string) *picture {
	factor, axis, title := 100., "share of samples, percent", "Symbols that differ most"
	if scale == profile.Sessions {
		factor, axis, title = 1, "average active sessions", "Waits that differ most"
	}
	self := scale == profile.Share
	longest := 0.
	for _, row := range rows {
		longest = max(longest, row.Base, row.Contender)
	}
	var bars []figure.Bar
	for _, row := range rows {
		if scale == profile.Sessions && !row.Called() && max(row.Base, row.Contender) < noBar*longest {
			continue // the table has it
		}
		lo, hi := row.Lo, row.Hi
		if math.IsNaN(lo) && row.Conditional != nil {
			lo, hi = row.Conditional.Lo, row.Conditional.Hi
		}
		b := figure.Bar{
			Label: table.Visible(row.Symbol), Base: factor * row.Base, Contender: factor * row.Contender,
			Diff: factor * row.Diff, Lo: factor * lo, Hi: factor * hi, Called: row.Called(),
			Note: typeset(diffWords(row)),
		}
		if row.Kind == profile.Total {
			b.Label += " (total)"
			self = false
		}
		if row.Called() {
			b.Word = string(row.Call)
		}
		bars = append(bars, b)
	}
	if self {
		axis = "share of samples in the symbol itself, percent"
	}
	p := newPicture(func(width float64) figure.Figure {
		return figure.Bars(title, table.Visible(base), table.Visible(level), axis, bars, width)
	})
	return &p
}

func flamePicture(p *Profiled) *picture {
	totals := map[string]*profile.Row{}
	for _, row := range p.Rows {
		if row.Kind == profile.Total && row.Scale == profile.Share {
			totals[row.Symbol] = row
		}
	}
	root := frameOf(p.Flame.JoinRenamed(p.Arms), p.Arms, totals)
	picture := newPicture(func(width float64) figure.Figure {
		return figure.Flame("Differential flame graph", table.Visible(p.BaseLevel), table.Visible(p.Level), root, width)
	})
	return &picture
}

func frameOf(f *profile.Flame, arms [2]int, totals map[string]*profile.Row) figure.Frame {
	frame := figure.Frame{Name: table.Visible(f.Name), Base: f.Weight[arms[0]], Contender: f.Weight[arms[1]]}
	if row := totals[f.Name]; row != nil && row.Called() {
		frame.Marked = true
		frame.Note = "in all its places " + string(row.Call) + " by " + diffWords(row) + ", q " + pValue(row.Q)
	}
	for _, c := range f.Children {
		if (c.Weight[arms[0]]+c.Weight[arms[1]])/2 >= flameShare {
			frame.Children = append(frame.Children, frameOf(c, arms, totals))
		}
	}
	return frame
}

// coursePictures stack the waits of each arm over time, on one range; the events
// that matter most in either are told apart, the others are one layer.
func coursePictures(w *Waited) []coursePicture {
	size := map[string]float64{}
	highest := 0.0
	for _, c := range w.Courses {
		for i := range c.T {
			sum := 0.0
			for _, y := range c.Events {
				sum += max(y[i], 0)
			}
			highest = max(highest, sum)
		}
		for event, y := range c.Events {
			for _, v := range y {
				size[event] += v / float64(len(c.T))
			}
		}
	}
	names := slices.SortedFunc(maps.Keys(size), func(a, b string) int {
		return cmp.Or(cmp.Compare(size[b], size[a]), cmp.Compare(a, b))
	})
	told := names[:min(len(names), figure.MostLayers)]
	var pictures []coursePicture
	for arm, c := range w.Courses {
		if len(c.T) == 0 {
			continue
		}
		name := [2]string{w.BaseLevel, w.Level}[arm]
		var layers []figure.Layer
		for _, event := range told {
			y := c.Events[event]
			if y == nil {
				y = make([]float64, len(c.T))
			}
			layers = append(layers, figure.Layer{Name: table.Visible(event), Y: y})
		}
		if len(names) > len(told) {
			rest := make([]float64, len(c.T))
			for _, event := range names[len(told):] {
				for i, v := range c.Events[event] {
					rest[i] += v
				}
			}
			layers = append(layers, figure.Layer{Name: analysis.Counted(len(names)-len(told), "other wait"), Y: rest})
		}
		x := "seconds of the run"
		if c.InRunOrder {
			x = "runs in the order they ran"
		}
		title := "Waits over time"
		if name != "" {
			title += " in " + table.Visible(name)
		}
		pictures = append(pictures, coursePicture{table.Visible(name), newPicture(func(width float64) figure.Figure {
			return figure.Layers(title, "average active sessions", x, c.T, layers, highest, width)
		})})
	}
	return pictures
}
