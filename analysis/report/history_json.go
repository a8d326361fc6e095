package report

import (
	"math"

	"noisefloor/analysis/history"
)

type historyDoc struct {
	Series         string             `json:"series"`
	Order          string             `json:"order"`
	Metric         string             `json:"metric"`
	Unit           string             `json:"unit"`
	Better         string             `json:"better"`
	Scale          string             `json:"scale"`
	Stratum        stratumDoc         `json:"stratum"`
	Basis          history.Basis      `json:"basis"`
	Supported      bool               `json:"supported"`
	Points         []historyPointDoc  `json:"points"`
	Levels         []historyLevelDoc  `json:"levels"`
	Changes        []historyChangeDoc `json:"changes"`
	FalseAlarmRate Num                `json:"false_alarm_rate"`
	MinSegment     *int               `json:"min_segment"`
	Noise          Num                `json:"noise"`
	Phi            Num                `json:"phi"`
	Detectable     Num                `json:"detectable"`
	Warnings       []warningDoc       `json:"warnings"`
}

type historyPointDoc struct {
	Label string `json:"label"`
	Value Num    `json:"value"`
	Lo    Num    `json:"lo"`
	Hi    Num    `json:"hi"`
	Runs  int    `json:"runs"`
	Days  *int   `json:"days"`
	Level *int   `json:"level"`
	Wild  bool   `json:"wild"`
}

type historyLevelDoc struct {
	First string `json:"first"`
	Last  string `json:"last"`
	Value Num    `json:"value"`
}

type historyChangeDoc struct {
	At           string       `json:"at"`
	Before       string       `json:"before"`
	AtLo         string       `json:"at_lo"`
	AtHi         string       `json:"at_hi"`
	Unmeasured   int          `json:"unmeasured"`
	Ratio        Num          `json:"ratio"`
	Lo           Num          `json:"lo"`
	Hi           Num          `json:"hi"`
	Difference   *rangeDoc    `json:"difference"`
	Confidence   Num          `json:"confidence"`
	P            Num          `json:"p"`
	PAdjusted    Num          `json:"p_adjusted"`
	Verdict      *string      `json:"verdict"`
	From         Num          `json:"from"`
	To           Num          `json:"to"`
	Event        int          `json:"event"`
	Acknowledged *string      `json:"acknowledged"`
	Warnings     []warningDoc `json:"warnings"`
}

func historyDocs(r *Report) []historyDoc {
	docs := []historyDoc{}
	event := map[EventMember]int{}
	for i, e := range r.Events {
		for _, m := range e.Members {
			event[m] = i + 1
		}
	}
	for i := range r.History {
		h := &r.History[i]
		d := historyDoc{Series: h.Over, Order: h.Order, Metric: h.Metric, Unit: h.Unit.Name, Better: better(h.Unit), Scale: "ratio", Stratum: stratumDoc(h.Stratum),
			Basis: h.Basis, Supported: h.Supported(), Points: []historyPointDoc{}, Levels: []historyLevelDoc{}, Changes: []historyChangeDoc{},
			FalseAlarmRate: Num(h.FalseAlarm), MinSegment: known(h.MinSegment), Noise: Num(h.Noise), Phi: Num(h.Phi), Detectable: Num(h.Detectable),
			Warnings: warningDocs(h.Warnings)}
		if h.Additive {
			d.Scale = "difference"
		}
		for _, p := range h.Points {
			point := historyPointDoc{Label: p.Label, Value: Num(p.Value), Lo: Num(p.Lo), Hi: Num(p.Hi), Runs: p.Runs, Days: known(p.Days), Wild: p.Wild}
			if p.Segment >= 0 {
				level := p.Segment + 1
				point.Level = &level
			}
			d.Points = append(d.Points, point)
		}
		for _, s := range h.Segments {
			d.Levels = append(d.Levels, historyLevelDoc{h.Points[s.First].Label, h.Points[s.Last].Label, Num(s.Value)})
		}
		for j, c := range h.Changes {
			doc := historyChangeDoc{At: h.Points[c.At].Label, Before: h.Points[c.Before].Label, AtLo: h.Points[c.AtLo].Label, AtHi: h.Points[c.AtHi].Label,
				Unmeasured: c.Unmeasured, Ratio: Num(c.Ratio), Lo: Num(c.Lo), Hi: Num(c.Hi), Confidence: Num(c.Confidence), P: Num(c.P), PAdjusted: Num(c.PAdjusted),
				Verdict: named(string(c.Verdict)), From: Num(c.From), To: Num(c.To), Event: event[EventMember{i, j}], Acknowledged: named(h.Notes[j]),
				Warnings: warningDocs(c.Warnings)}
			if h.Additive {
				doc.Difference = &rangeDoc{doc.Ratio, doc.Lo, doc.Hi}
				doc.Ratio, doc.Lo, doc.Hi = Num(math.NaN()), Num(math.NaN()), Num(math.NaN())
			}
			d.Changes = append(d.Changes, doc)
		}
		docs = append(docs, d)
	}
	return docs
}

type factorsDoc struct {
	Metric    string        `json:"metric"`
	Unit      string        `json:"unit"`
	Better    string        `json:"better"`
	Scale     string        `json:"scale"`
	Stratum   stratumDoc    `json:"stratum"`
	Factors   []string      `json:"factors"`
	Levels    [][]string    `json:"levels"`
	Cells     []studyCell   `json:"cells"`
	Effects   []effectDoc   `json:"effects"`
	Whole     *effectDoc    `json:"whole"`
	Shares    []shareDoc    `json:"shares"`
	Basis     history.Basis `json:"basis"`
	Supported bool          `json:"supported"`
	DF        Num           `json:"df"`
	Failed    *string       `json:"failed"`
	Warnings  []warningDoc  `json:"warnings"`
}

type studyCell struct {
	Levels [2]string `json:"levels"`
	Value  Num       `json:"value"`
	Runs   int       `json:"runs"`
	Units  int       `json:"units"`
}

type effectDoc struct {
	Kind       string   `json:"kind"` // main, simple, interaction, whole
	Factor     *string  `json:"factor"`
	Level      string   `json:"level"`
	Base       string   `json:"base"`
	At         *string  `json:"at"`
	Other      []string `json:"other"` // levels of the other factor, base first
	Ratio      Num      `json:"ratio"`
	Lo         Num      `json:"lo"`
	Hi         Num      `json:"hi"`
	Confidence Num      `json:"confidence"`
	P          Num      `json:"p"`
	PAdjusted  Num      `json:"p_adjusted"`
	Verdict    *string  `json:"verdict"`
}

type shareDoc struct {
	Factor string `json:"factor"`
	Share  Num    `json:"share"`
	Lo     Num    `json:"lo"`
	Hi     Num    `json:"hi"`
}

func newEffectDoc(e *history.Effect) effectDoc {
	d := effectDoc{Kind: "main", Factor: named(e.Factor), Level: e.Level, Base: e.Base, At: named(e.At), Other: []string{},
		Ratio: Num(e.Ratio), Lo: Num(e.Lo), Hi: Num(e.Hi), Confidence: Num(e.Confidence), P: Num(e.P), PAdjusted: Num(e.PAdjusted), Verdict: named(string(e.Verdict))}
	switch {
	case e.Factor == "":
		d.Kind = "whole"
	case e.At != "":
		d.Kind = "simple"
	case e.Other[1] != "":
		d.Kind, d.Other = "interaction", e.Other[:]
	}
	return d
}

func factorsDocs(r *Report) []factorsDoc {
	docs := []factorsDoc{}
	for i := range r.Factors {
		f := &r.Factors[i]
		d := factorsDoc{Metric: f.Metric, Unit: f.Unit.Name, Better: better(f.Unit), Scale: "ratio", Stratum: stratumDoc(f.Stratum),
			Factors: f.Factors[:], Levels: [][]string{list(f.Levels[0]), list(f.Levels[1])}, Cells: []studyCell{}, Effects: []effectDoc{}, Shares: []shareDoc{},
			Basis: f.Basis, Supported: f.Failed == "" && f.Basis != history.BasisNone && !f.Conditional, DF: Num(f.DF), Failed: named(f.Failed), Warnings: warningDocs(f.Warnings)}
		if f.Additive {
			d.Scale = "difference"
		}
		if f.Failed == "" {
			whole := newEffectDoc(&f.Whole)
			d.Whole = &whole
		}
		for _, c := range f.Cells {
			d.Cells = append(d.Cells, studyCell{c.Levels, Num(c.Value), c.Runs, c.Units})
		}
		for j := range f.Effects {
			d.Effects = append(d.Effects, newEffectDoc(&f.Effects[j]))
		}
		for _, s := range f.Shares {
			d.Shares = append(d.Shares, shareDoc{s.Factor, Num(s.Share), Num(s.Lo), Num(s.Hi)})
		}
		docs = append(docs, d)
	}
	return docs
}
