package report

import (
	"noisefloor/analysis"
	"noisefloor/analysis/group"
	"noisefloor/analysis/profile"
)

// profileDoc is one symbol (kind self or total) or wait event (kind wait), on
// one scale: share and sessions as they are, per-transaction in the unit of the
// event. Where nothing is compared base is the usual value and lo and hi bound
// that.
type profileDoc struct {
	Symbol      string                 `json:"symbol"`
	Kind        string                 `json:"kind"`
	Base        Num                    `json:"base"`
	Contender   Num                    `json:"contender"`
	Diff        Num                    `json:"diff"`
	Lo          Num                    `json:"lo"`
	Hi          Num                    `json:"hi"`
	Q           Num                    `json:"q"`
	Runs        int                    `json:"runs"` // of both arms
	Days        *int                   `json:"days"` // of the arm with fewer
	Event       *string                `json:"event"`
	Scale       string                 `json:"scale"`
	Stratum     stratumDoc             `json:"stratum"`
	BaseLevel   *string                `json:"base_level"`
	Level       *string                `json:"contender_level"`
	Ratio       Num                    `json:"ratio"`
	P           Num                    `json:"p"`
	Call        *string                `json:"call"`
	Samples     Num                    `json:"samples"` // a run, on average over both arms
	Conditional *profileConditionalDoc `json:"conditional"`
	Warnings    []warningDoc           `json:"warnings"`
}

type profileConditionalDoc struct {
	Lo       Num `json:"lo"`
	Hi       Num `json:"hi"`
	Q        Num `json:"q"`
	Launches int `json:"launches"`
}

func profileDocs(r *Report) []profileDoc {
	docs := []profileDoc{}
	add := func(event *string, stratum []group.Field, base, level string, res *profile.Result) {
		for _, row := range res.Rows {
			docs = append(docs, newProfileDoc(row, res))
			d := &docs[len(docs)-1]
			d.Event, d.Stratum, d.BaseLevel, d.Level = event, stratum, named(base), named(level)
			if level != "" {
				call := string(row.Call)
				d.Call = &call
			}
			d.Warnings = warningDocs(row.Warnings)
		}
	}
	for i := range r.Profiles {
		p := &r.Profiles[i]
		add(named(p.Event), p.Stratum, p.BaseLevel, p.Level, &p.Result)
	}
	for i := range r.Waits {
		w := &r.Waits[i]
		add(nil, w.Stratum, w.BaseLevel, w.Level, &w.Result)
	}
	return docs
}

func newProfileDoc(row *profile.Row, res *profile.Result) profileDoc {
	d := profileDoc{
		Symbol: row.Symbol, Kind: string(row.Kind), Scale: string(row.Scale),
		Base: Num(row.Base), Contender: Num(row.Contender), Diff: Num(row.Diff), Lo: Num(row.Lo), Hi: Num(row.Hi), Q: Num(row.Q),
		Runs: res.Runs[0] + res.Runs[1], Days: known(res.Days[0]), Ratio: Num(row.Ratio), P: Num(row.P), Samples: Num(row.Samples),
	}
	if res.Runs[1] > 0 {
		d.Days = known(min(res.Days[0], res.Days[1]))
	}
	if c := row.Conditional; c != nil {
		d.Conditional = &profileConditionalDoc{Num(c.Lo), Num(c.Hi), Num(c.Q), c.Launches}
	}
	return d
}

// profileWarnings are those about whole profiles and waits, refusals too, each
// once: on every symbol they would be most of the document.
func profileWarnings(r *Report) []analysis.Warning {
	var all []analysis.Warning
	seen := map[string]bool{}
	for _, w := range r.Warnings {
		seen[w.Kind()+w.Text()] = true
	}
	add := func(warnings []analysis.Warning) {
		for _, w := range warnings {
			if key := w.Kind() + w.Text(); !seen[key] {
				seen[key] = true
				all = append(all, w)
			}
		}
	}
	for i := range r.Profiles {
		add(r.Profiles[i].Result.Warnings)
		add(r.Profiles[i].Doubts)
	}
	for i := range r.Waits {
		add(r.Waits[i].Result.Warnings)
		add(r.Waits[i].Doubts)
	}
	return all
}
