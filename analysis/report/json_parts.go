package report

// headlineDoc is a comparison over all strata: strata counts them, stratum is
// empty.
type headlineDoc struct {
	comparisonDoc
	Strata  int      `json:"strata"`
	Dropped []string `json:"dropped"`
}

func newHeadlineDoc(h *Headline) headlineDoc {
	row := Comparison{Metric: h.Metric, Unit: h.Unit, BaseLevel: h.BaseLevel, Level: h.Level, Result: h.Result, Cut: h.Cut}
	return headlineDoc{newComparisonDoc(&row), h.Strata, list(h.Dropped)}
}

// gateDoc is the answer of --gate.
type gateDoc struct {
	Gate    string   `json:"gate"`
	Outcome string   `json:"outcome"`
	Detect  Num      `json:"detect"`
	Reasons []string `json:"reasons"`
}

// settleDoc is a design that would settle an inconclusive row.
type settleDoc struct {
	Days       int `json:"days"`
	RunsPerDay int `json:"runs_per_day"`
	Effect     Num `json:"effect"`
}

// floorDoc is what a design of days x runs an arm a day would detect.
type floorDoc struct {
	Days       int `json:"days"`
	RunsPerDay int `json:"runs_per_day"`
	MDE        Num `json:"mde"`
	Lo         Num `json:"lo"`
	Hi         Num `json:"hi"`
}

// looks says how often the data are looked at.
func looks(n int) string {
	if n > 1 {
		return "daily"
	}
	return "once"
}
