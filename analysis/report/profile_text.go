package report

import (
	"fmt"

	"noisefloor/analysis/profile"
)

// profiles prints where the time went: a sentence and two tables for each
// event, stratum and contender.
func (p *printer) profiles(r *Report) {
	for i := range r.Profiles {
		one := &r.Profiles[i]
		head := "Profile of " + one.place()
		if arms := against(one.BaseLevel, one.Level); arms != "" {
			head += ", " + arms
		}
		p.section(head, func() {
			if r.Has(PartCompare) { // else it is the answer, at the top
				p.verdict(one.lead())
				p.gap()
			}
			shares := p.changes(one.Result, profile.Share, one.BaseLevel, one.Level, confidenceOf(r))
			if costOf(one.Rows) != nil {
				if shares {
					p.gap()
				}
				p.prose("", "Cost of a transaction, in "+eventWords(one.Event)+":")
				p.changes(one.Result, profile.PerTransaction, one.BaseLevel, one.Level, confidenceOf(r))
			}
			if s := rareWords(one.Result); s != "" {
				p.prose("", s)
			}
		})
	}
	for i := range r.Waits {
		w := &r.Waits[i]
		head := "Waits, average active sessions"
		if stratum := stratumWords(w.Stratum); stratum != "" {
			head += ", " + stratum
		}
		if arms := against(w.BaseLevel, w.Level); arms != "" {
			head += ", " + arms
		}
		p.section(head, func() {
			if r.Has(PartCompare) {
				p.verdict(w.lead())
				p.gap()
			}
			p.changes(w.Result, profile.Sessions, w.BaseLevel, w.Level, confidenceOf(r))
		})
	}
}

func confidenceOf(r *Report) float64 {
	if r.Confidence > 0 {
		return r.Confidence
	}
	return 0.95
}

// changes prints the table of one scale, if there is anything in it.
func (p *printer) changes(res profile.Result, scale profile.Scale, base, level string, confidence float64) (any bool) {
	rows, more := rowsShown(res.Rows, scale)
	if len(rows) == 0 {
		return false
	}
	if level == "" {
		p.table(Usual(rows, scale, confidence))
	} else {
		p.table(Changes(rows, scale, base, level, confidence))
	}
	if more > 0 {
		p.prose("", fmt.Sprintf("and %d more rows, in --json", more))
	}
	if level != "" && rows[0].Conditional != nil {
		p.prose("", conditionalNote)
	}
	return true
}
