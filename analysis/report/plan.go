package report

import (
	"cmp"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"noisefloor/analysis"
	"noisefloor/analysis/group"
	"noisefloor/analysis/noise"
	"noisefloor/analysis/table"
)

// Planned is a plan and what it rests on. Costs are in seconds.
type Planned struct {
	noise.Plan
	Options   noise.PlanOptions
	Variances noise.Variances
	Arms      []string // their names, base first
	Metric    string   // "" if the spread is given and not measured
	Stratum   []group.Field
	Strata    int // of which this is the one that needs most
}

// PlanGiven plans with spreads that somebody knows.
func (r *Report) PlanGiven(v noise.Variances, arms []string, opt noise.PlanOptions) error {
	opt.Arms = len(arms)
	plan, err := noise.NewPlan(v, opt)
	if err != nil {
		return plain(err)
	}
	r.Plan = &Planned{Plan: plan, Options: opt, Variances: v, Arms: arms}
	return nil
}

// PlanFrom plans for the stratum of the first metric that needs most, so that
// the plan is enough for the others.
func (r *Report) PlanFrom(arms []string, opt noise.PlanOptions) error {
	opt.Arms = len(arms)
	var best *Planned
	var why error
	metric, strata := "", 0
	for i := range r.Variance {
		v := &r.Variance[i]
		if metric == "" {
			metric = v.Metric
		}
		if v.Metric != metric {
			continue
		}
		strata++
		plan, err := noise.NewPlan(v.Variances, opt)
		if err != nil {
			why = plain(err)
			continue
		}
		p := &Planned{Plan: plan, Options: opt, Variances: v.Variances, Arms: arms, Metric: metric, Stratum: v.Stratum}
		if best == nil || needs(p) > needs(best) {
			best = p
		}
	}
	switch {
	case best != nil:
		best.Strata = strata
		r.Plan = best
		r.Warnings = append(r.Warnings, best.Warnings...)
		return nil
	case why != nil:
		return why
	}
	return errors.New("no metric whose spread is known: say --sd with run and day:arm")
}

// needs ranks plans: what the best design costs, and above all what has none by
// the change that it sees at most.
func needs(p *Planned) float64 {
	if p.Best.Days > 0 {
		return p.Best.Cost
	}
	last := p.Rows[len(p.Rows)-1]
	return 1e12 * (1 + last.Planned)
}

func plain(err error) error { return errors.New(strings.TrimPrefix(err.Error(), "noise: ")) }

// Design is what to run: the only one of the table if one was asked for, else the
// best.
func (p *Planned) Design() (noise.PlanRow, error) {
	switch {
	case len(p.Rows) == 1:
		return p.Rows[0], nil
	case p.Best.Days > 0:
		return p.Best, nil
	}
	return noise.PlanRow{}, fmt.Errorf("no design of up to 100 days sees %s; choose one with --days and --runs", percentWords(p.Options.Detect))
}

// Schedule writes the order in which to run the design, as CSV.
func (p *Planned) Schedule(w io.Writer, seed uint64) error {
	d, err := p.Design()
	if err != nil {
		return err
	}
	out := csv.NewWriter(w)
	write := func(cells ...string) { err = cmp.Or(err, out.Write(cells)) }
	write("day", "order", "arm", "launch", "rep", "seed")
	if p.Options.Separate {
		// Each arm has days of its own; which comes first is drawn anew for each
		// round of days.
		day := 0
		rng := rand.New(rand.NewPCG(seed, 0))
		for range d.Days {
			for _, arm := range rng.Perm(len(p.Arms)) {
				day++
				for _, s := range noise.Schedule(1, d.RunsPerDay, d.Launches, 1, rng) {
					write(strconv.Itoa(day), strconv.Itoa(s.Order), p.Arms[arm], strconv.Itoa((day-1)*d.Launches+s.Launch), strconv.Itoa(s.Rep), strconv.FormatUint(seed, 10))
				}
			}
		}
	} else {
		for _, s := range noise.Schedule(d.Days, d.RunsPerDay, d.Launches, len(p.Arms), rand.New(rand.NewPCG(seed, 0))) {
			write(strconv.Itoa(s.Day), strconv.Itoa(s.Order), p.Arms[s.Arm], strconv.Itoa(s.Launch), strconv.Itoa(s.Rep), strconv.FormatUint(seed, 10))
		}
	}
	out.Flush()
	return cmp.Or(err, out.Error())
}

// sentence says what to run.
func (p *Planned) sentence() string {
	o := p.Options
	goal := fmt.Sprintf("a change of %s (seen %s of the times, at %s false alarms", percentWords(o.Detect), percentWords(o.Power), percentWords(o.Level))
	if o.Family > 1 {
		goal += fmt.Sprintf(" shared by %d comparisons", o.Family)
	}
	goal += ")"
	if p.Best.Days == 0 {
		return "No design of up to 100 days and 50 runs an arm a day sees " + goal + "."
	}
	d := p.Best
	days := analysis.Counted(d.Days, "day")
	if o.Separate {
		days += " for each arm"
	}
	arms := "both arms"
	if len(p.Arms) > 2 {
		arms = fmt.Sprintf("all %d arms", len(p.Arms))
	}
	launch := "each on a fresh start of the server"
	if d.Launches < d.RunsPerDay {
		launch = "on " + analysis.Counted(d.Launches, "start") + " of the server"
	}
	if d.RunsPerDay == 1 {
		launch = "on a fresh start of the server"
	}
	total := d.Days * d.RunsPerDay * len(p.Arms)
	return fmt.Sprintf("For %s run %s on %s, %s an arm a day, %s: %s, %s.",
		goal, arms, days, analysis.Counted(d.RunsPerDay, "run"), launch, analysis.Counted(total, "run"), hours(d.Cost))
}

// basis says what the plan rests on.
func (p *Planned) basis() string {
	v := p.Variances
	var parts []string
	add := func(name string, variance float64) {
		if variance > 0 {
			parts = append(parts, fmt.Sprintf("%s %s", name, bound(math.Sqrt(variance), 2)+" %"))
		}
	}
	add("run", v.Run)
	add("launch", v.Launch)
	if v.StandIn {
		add("day", v.DayArm)
	} else {
		add("day x arm", v.DayArm)
		if p.Options.Separate {
			add("day", v.Day)
		}
	}
	line := "Spread (SD): " + strings.Join(parts, ", ")
	if p.Metric != "" {
		line += ", of " + table.Visible(p.Metric)
		if s := stratumWords(p.Stratum); s != "" {
			line += " at " + s
		}
		if p.Strata > 1 {
			line += fmt.Sprintf(", which needs most of %d strata", p.Strata)
		}
		line += "; the plan takes its 80 % upper bound"
	} else {
		line += ", as given"
	}
	return line + fmt.Sprintf(". Costs: %s to set up a day, %s a run (--cost-day, --cost-run).", hours(p.Options.CostDay), hours(p.Options.CostRun))
}

// hours prints seconds as people plan them.
func hours(s float64) string {
	switch {
	case s < 60:
		return table.Fixed(s, 0) + " s"
	case s < 2*3600:
		return table.Fixed(s/60, 0) + " min"
	}
	return table.Fixed(s/3600, 1) + " h"
}

// Designs is a table of designs, one a row.
func Designs(rows []noise.PlanRow, detect float64) *table.Table {
	t := &table.Table{Columns: []table.Column{
		{Head: "days", Align: table.Right, Fields: []string{"days"}},
		{Head: "runs an arm a day", Align: table.Right, Fields: []string{"runs"}},
		{Head: "launches", Align: table.Right, Fields: []string{"launches"}},
		{Head: "detects", Align: table.Right, Fields: []string{"mde", "mde_lo", "mde_hi", "mde_planned"}},
		{Head: "sees " + percentWords(detect), Align: table.Right, Fields: []string{"power"}},
		{Head: "cost", Align: table.Right, Fields: []string{"cost"}},
	}}
	for _, r := range rows {
		t.Add(
			table.Cell{Text: strconv.Itoa(r.Days), Values: []any{r.Days}},
			table.Cell{Text: strconv.Itoa(r.RunsPerDay), Values: []any{r.RunsPerDay}},
			table.Cell{Text: strconv.Itoa(r.Launches), Values: []any{r.Launches}},
			table.Cell{Text: planWords(r), Values: []any{r.MDE.Value, r.MDE.Lo, r.MDE.Hi, r.Planned}},
			table.Cell{Text: percent(r.Power, 0), Values: []any{r.Power}},
			table.Cell{Text: hours(r.Cost), Values: []any{r.Cost}},
		)
	}
	return t
}

func planWords(r noise.PlanRow) string {
	d := min(max(1, table.Decimals(2, 100*r.MDE.Value)), 2)
	words := bound(r.MDE.Value, d) + " %"
	if r.MDE.Lo < r.MDE.Value || r.MDE.Hi > r.MDE.Value {
		words += fmt.Sprintf(" (%s\u00a0to\u00a0%s)", bound(r.MDE.Lo, d), bound(r.MDE.Hi, d))
	}
	return words
}

// designGrid is the table of days against runs.
func designGrid(p *Planned) *table.Table {
	t := &table.Table{Columns: []table.Column{{Head: "days", Align: table.Right}}}
	var runs, days []int
	for _, r := range p.Rows {
		if !slices.Contains(runs, r.RunsPerDay) {
			runs = append(runs, r.RunsPerDay)
			t.Columns = append(t.Columns, table.Column{Head: analysis.Counted(r.RunsPerDay, "run"), Align: table.Right})
		}
		if !slices.Contains(days, r.Days) {
			days = append(days, r.Days)
		}
	}
	for i, d := range days {
		row := []table.Cell{table.Word(strconv.Itoa(d))}
		for j := range runs {
			row = append(row, table.Word(planWords(p.Rows[i*len(runs)+j])))
		}
		t.Add(row...)
	}
	return t
}

func (p *printer) plan(plan *Planned) {
	p.section("What to run", func() {
		p.prose("", plan.sentence())
		p.prose("", plan.basis())
	})
	if len(plan.PerDays) > 0 {
		p.section(plan.perDaysHead(), func() { p.table(Designs(plan.PerDays, plan.Options.Detect)) })
	}
	p.section(plan.gridHead(), func() { p.table(designGrid(plan)) })
}

func (p *Planned) perDaysHead() string {
	return "Fewest runs that see " + percentWords(p.Options.Detect) + ", by days"
}

func (p *Planned) gridHead() string {
	return fmt.Sprintf("Smallest change that a design detects (%s power at %s), by runs an arm a day", percentWords(p.Options.Power), percentWords(p.Level))
}

type planDoc struct {
	Detect  Num          `json:"detect,omitzero"`
	Level   Num          `json:"level,omitzero"`
	Metric  *string      `json:"metric,omitempty"`
	Stratum *stratumDoc  `json:"stratum,omitempty"`
	Best    *planRowDoc  `json:"best,omitempty"`
	Rows    []planRowDoc `json:"rows"`
}

type planRowDoc struct {
	Days       int `json:"days"`
	Runs       int `json:"runs"`
	Launches   int `json:"launches"`
	MDE        Num `json:"mde"`
	MDELo      Num `json:"mde_lo"`
	MDEHi      Num `json:"mde_hi"`
	MDEPlanned Num `json:"mde_planned"` // at the 80 % upper bound of the spread
	Power      Num `json:"power"`       // to see detect, at that bound
	Cost       Num `json:"cost"`        // seconds, all arms
}

func newPlanDoc(p *Planned) planDoc {
	doc := planDoc{Rows: []planRowDoc{}}
	if p == nil {
		return doc
	}
	row := func(r noise.PlanRow) planRowDoc {
		return planRowDoc{r.Days, r.RunsPerDay, r.Launches, Num(r.MDE.Value), Num(r.MDE.Lo), Num(r.MDE.Hi), Num(r.Planned), Num(r.Power), Num(r.Cost)}
	}
	doc.Detect, doc.Level, doc.Metric = Num(p.Options.Detect), Num(p.Level), named(p.Metric)
	stratum := stratumDoc(p.Stratum)
	doc.Stratum = &stratum
	if p.Best.Days > 0 {
		best := row(p.Best)
		doc.Best = &best
	}
	for _, r := range p.Rows {
		doc.Rows = append(doc.Rows, row(r))
	}
	return doc
}
