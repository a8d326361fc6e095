package report

import (
	"noisefloor/analysis/figure"
)

// The pictures of the page one by one, for notebooks. A picture that there is
// nothing for has a zero Height.

// ForestFigure draws the changes of the rows of one metric with their intervals.
func ForestFigure(rows []Comparison) figure.Figure { return forest(rows).figure() }

// SpreadFigure draws how far runs, launches and days scatter in one metric.
func SpreadFigure(rows []Variance) figure.Figure {
	if len(rows) == 0 {
		return figure.Figure{}
	}
	unknown, _ := unknownLevels(rows)
	return spreadPicture(rows, unknown).figure()
}

// DesignFigure draws which arm ran when.
func DesignFigure(r *Report) figure.Figure { return designPicture(r.Design).figure() }

func (p *picture) figure() figure.Figure {
	if p == nil {
		return figure.Figure{}
	}
	return p.draw(wideWidth)
}

// Of gives the rows of one metric.
func (r *Report) Of(metric string) ([]Comparison, []Variance) {
	return rowsOf(r, metric), varianceOf(r, metric)
}
