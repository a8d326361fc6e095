package report

import (
	"noisefloor/analysis/figure"
	"noisefloor/analysis/history"
	"noisefloor/analysis/table"
)

// historySection is what the page shows of one series.
type historySection struct {
	Heading string
	Picture *picture
	Lines   []string
	Folded  bool
}

// seriesOpen is how many series the page shows before the rest folds away.
const seriesOpen = 4

// pointsDrawn bounds the pictures of a page: 80 series of 500 days would be 18 MB.
// Series beyond it are words and rows of the table.
const pointsDrawn = 8000

func historySections(r *Report) []historySection {
	var sections []historySection
	drawn := 0
	for i := range r.History {
		h := &r.History[i]
		s := historySection{Heading: metricAt(h.Metric, h.Stratum), Folded: i >= seriesOpen}
		if drawn += len(h.Points); drawn <= pointsDrawn {
			s.Picture = historyPicture(h)
		}
		for j := range h.Changes {
			s.Lines = append(s.Lines, typeset(h.sentence(j)))
		}
		if len(h.Changes) == 0 && h.Basis != history.BasisNone {
			s.Lines = append(s.Lines, typeset(h.quiet()))
		}
		sections = append(sections, s)
	}
	return sections
}

// historyPicture draws one series.
func historyPicture(h *History) *picture {
	var points []figure.HistoryPoint
	for _, l := range h.Points {
		points = append(points, figure.HistoryPoint{Label: table.Visible(l.Label), Value: l.Value, Lo: l.Lo, Hi: l.Hi, Wild: l.Wild})
	}
	var levels []figure.HistoryLevel
	for _, s := range h.Segments {
		levels = append(levels, figure.HistoryLevel{First: s.First, Last: s.Last, Value: s.Value})
	}
	var changes []figure.HistoryChange
	for j, c := range h.Changes {
		change, _ := h.step(j)
		label := table.Visible(h.Points[c.At].Label) + " " + typeset(change)
		if h.Notes[j] != "" {
			label += " (known)"
		}
		changes = append(changes, figure.HistoryChange{At: c.At, AtLo: c.AtLo, AtHi: c.AtHi, Label: label, Verdict: c.Verdict})
	}
	values := metricWords(h.Metric, h.Unit)
	if where := stratumWords(h.Stratum); where != "" {
		values += ", " + where
	}
	p := newPicture(func(width float64) figure.Figure {
		return figure.History(metricAt(h.Metric, h.Stratum)+" over "+table.Visible(h.Over), points, levels, changes, table.Visible(h.Over)+", "+h.Order, values, width)
	})
	return &p
}

// studySection is what the page shows of one factor study.
type studySection struct {
	Heading, Share, Replicates, Failed string
	Table                              *htmlTable
}

func studySections(r *Report) []studySection {
	var sections []studySection
	for i := range r.Factors {
		f := &r.Factors[i]
		s := studySection{Heading: f.heading(), Failed: table.Visible(f.Failed)}
		if f.Failed == "" {
			t := newHTMLTable(Effects(f))
			s.Replicates, s.Table = f.replicates(), &t
			if !f.answers() {
				s.Share = typeset(f.shareSentence())
			}
		}
		sections = append(sections, s)
	}
	return sections
}
