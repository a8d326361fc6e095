package report

import "noisefloor/analysis/scaling"

type scalingDoc struct {
	Metric      string        `json:"metric"`
	Unit        string        `json:"unit"`
	Factor      string        `json:"factor"` // what x is
	Stratum     stratumDoc    `json:"stratum"`
	Level       *string       `json:"level"` // the arm
	Law         *string       `json:"law"`   // null: none describes the data; the numbers are of closest
	Closest     string        `json:"closest"`
	Terms       []termDoc     `json:"terms"`
	Peak        *peakDoc      `json:"peak"`
	AICc        Num           `json:"aicc"`
	LackOfFitP  Num           `json:"lack_of_fit_p"`
	Misfit      Num           `json:"misfit"`
	MisfitAt    Num           `json:"misfit_at"`
	WithinRange *bool         `json:"within_range"`
	Confidence  Num           `json:"confidence"`
	Days        *int          `json:"days"`
	Runs        int           `json:"runs"`
	Laws        []choiceDoc   `json:"laws"`
	Observed    []observedDoc `json:"observed"`
	Curve       []pointDoc    `json:"curve"`
	Warnings    []warningDoc  `json:"warnings"`
}

type termDoc struct {
	Name  string `json:"name"`
	Value Num    `json:"value"`
	Lo    Num    `json:"lo"`
	Hi    Num    `json:"hi"`
	Unit  string `json:"unit"`
}

// peakDoc: n is the place, with its bounds, x the value there.
type peakDoc struct {
	N   Num `json:"n"`
	Lo  Num `json:"lo"`
	Hi  Num `json:"hi"`
	X   Num `json:"x"`
	XLo Num `json:"x_lo"`
	XHi Num `json:"x_hi"`
}

// choiceDoc is one law tried, over all arms of the stratum together.
type choiceDoc struct {
	Law        string `json:"law"`
	AICc       Num    `json:"aicc"`
	Weight     Num    `json:"weight"`
	LackOfFitP Num    `json:"lack_of_fit_p"`
	Misfit     Num    `json:"misfit"`
}

type observedDoc struct {
	X    Num `json:"x"`
	Mean Num `json:"mean"`
	Low  Num `json:"low"`
	High Num `json:"high"`
	Runs int `json:"runs"`
}

type pointDoc struct {
	X      Num `json:"x"`
	Value  Num `json:"value"`
	Lo     Num `json:"lo"`
	Hi     Num `json:"hi"`
	BandLo Num `json:"band_lo"`
	BandHi Num `json:"band_hi"`
}

type crossoverDoc struct {
	Metric      string          `json:"metric"`
	Factor      string          `json:"factor"`
	Stratum     stratumDoc      `json:"stratum"`
	Law         *string         `json:"law"`
	Base        string          `json:"base"`
	Contender   string          `json:"contender"`
	Days        *int            `json:"days"`
	Confidence  Num             `json:"confidence"`
	ByLevel     bool            `json:"by_level"` // no law: from the levels alone
	Crossings   []crossingDoc   `json:"crossings"`
	Ranges      []rangeOfDoc    `json:"ranges"`
	Differences []differenceDoc `json:"differences"`
	Ratio       []pointDoc      `json:"ratio"`
	Warnings    []warningDoc    `json:"warnings"`
}

type crossingDoc struct {
	At    Num    `json:"at"`
	Lo    Num    `json:"lo"`
	Hi    Num    `json:"hi"`
	After string `json:"after"` // what the contender is above it
}

type rangeOfDoc struct {
	From    Num    `json:"from"`
	To      Num    `json:"to"`
	Verdict string `json:"verdict"`
}

type differenceDoc struct {
	Name  string `json:"name"`
	Scale string `json:"scale"`
	Value Num    `json:"value"`
	Lo    Num    `json:"lo"`
	Hi    Num    `json:"hi"`
	Unit  string `json:"unit"`
}

func curveDocs(all []Curves) (docs []scalingDoc, crossovers []crossoverDoc) {
	docs, crossovers = []scalingDoc{}, []crossoverDoc{}
	for i := range all {
		c := &all[i]
		for j := range c.Curves {
			docs = append(docs, newScalingDoc(c, &c.Curves[j]))
		}
		for j := range c.Pairs {
			crossovers = append(crossovers, newCrossoverDoc(c, &c.Pairs[j]))
		}
	}
	return docs, crossovers
}

func newScalingDoc(c *Curves, curve *scaling.Curve) scalingDoc {
	doc := scalingDoc{
		Metric: c.Metric, Unit: c.Unit.Name, Factor: c.X, Stratum: stratumDoc(c.Stratum), Level: named(c.arm(curve.Arm)), Law: named(c.Law), Closest: c.Closest,
		Terms: []termDoc{}, AICc: Num(curve.AICc), LackOfFitP: Num(curve.LackOfFitP), Misfit: Num(curve.Misfit), MisfitAt: Num(curve.MisfitAt),
		Days: known(curve.Days), Runs: curve.Runs, Laws: []choiceDoc{}, Observed: []observedDoc{}, Curve: pointDocs(curve.Points),
		Warnings: warningDocs(c.Result.Warnings, curve.Warnings),
	}
	for _, t := range curve.Terms {
		doc.Terms = append(doc.Terms, termDoc{t.Name, Num(t.Value), Num(t.Lo), Num(t.Hi), c.termUnit(t.Unit)})
		doc.Confidence = Num(t.Confidence)
	}
	if p := curve.Peak; p != nil {
		doc.Peak = &peakDoc{Num(p.X.Value), Num(p.X.Lo), Num(p.X.Hi), Num(p.Y.Value), Num(p.Y.Lo), Num(p.Y.Hi)}
		doc.WithinRange = &p.Within
	}
	for _, o := range c.Choices {
		doc.Laws = append(doc.Laws, choiceDoc{o.Law, Num(o.AICc), Num(o.Weight), Num(o.LackOfFitP), Num(o.Misfit)})
	}
	for _, o := range curve.Observed {
		doc.Observed = append(doc.Observed, observedDoc{Num(o.X), Num(o.Mean), Num(o.Low), Num(o.High), o.Runs})
	}
	return doc
}

func newCrossoverDoc(c *Curves, p *scaling.Pair) crossoverDoc {
	doc := crossoverDoc{
		Metric: c.Metric, Factor: c.X, Stratum: stratumDoc(c.Stratum), Law: named(c.Law), Base: c.arm(0), Contender: c.arm(p.Arm), Days: known(p.Days),
		Confidence: Num(p.Ratio[0].Confidence), ByLevel: p.ByLevel, Crossings: []crossingDoc{}, Ranges: []rangeOfDoc{}, Differences: []differenceDoc{}, Ratio: pointDocs(p.Ratio),
		Warnings: warningDocs(p.Warnings),
	}
	for _, x := range p.Crossings {
		doc.Crossings = append(doc.Crossings, crossingDoc{Num(x.Value), Num(x.Lo), Num(x.Hi), c.better(x.Above)})
	}
	for _, r := range p.Ranges {
		doc.Ranges = append(doc.Ranges, rangeOfDoc{Num(r.From), Num(r.To), c.better(r.Above)})
	}
	for _, d := range p.Differences {
		scale, of := "difference", c.termUnit(d.Unit)
		if d.Ratio {
			scale, of = "ratio", "1"
		}
		doc.Differences = append(doc.Differences, differenceDoc{d.Name, scale, Num(d.Value), Num(d.Lo), Num(d.Hi), of})
	}
	return doc
}

func pointDocs(points []scaling.Point) []pointDoc {
	docs := []pointDoc{}
	for _, p := range points {
		docs = append(docs, pointDoc{Num(p.X), Num(p.Value), Num(p.Lo), Num(p.Hi), Num(p.BandLo), Num(p.BandHi)})
	}
	return docs
}
