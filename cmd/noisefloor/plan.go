package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"noisefloor/analysis/group"
	"noisefloor/analysis/noise"
	"noisefloor/analysis/report"
	"noisefloor/datasets"
)

func (a *app) planCommand() *cobra.Command {
	var (
		flags            answerFlags
		detect           = fraction(0.01)
		power            = fraction(0.80)
		sd               map[string]string
		arms             []string
		opt              noise.PlanOptions
		costDay, costRun time.Duration
		schedule         bool
	)
	c := &cobra.Command{
		Use:   "plan [DATASET|PATH...]",
		Short: "how many runs on how many days, from a pilot or from --sd; --schedule gives the order to run",
		Args: func(_ *cobra.Command, paths []string) error {
			switch {
			case len(paths) == 0 && len(sd) == 0:
				return errors.New("a plan needs a pilot (a data set or a folder of logs) or spreads: --sd run=1.2%,day:arm=0.4%")
			case len(paths) > 0 && len(sd) > 0:
				return errors.New("the spread comes from the pilot or from --sd, not from both")
			}
			return nil
		},
		RunE: func(c *cobra.Command, paths []string) error {
			opt.Detect, opt.Power, opt.Level = float64(detect), float64(power), 1-float64(flags.confidence)
			opt.CostDay, opt.CostRun = costDay.Seconds(), costRun.Seconds()
			if slices.Min(append([]int{2}, opt.Days...)) < 2 || slices.Min(append([]int{1}, opt.Runs...)) < 1 {
				return errors.New("--days from 2 on and --runs from 1 on: one day cannot tell a change from the day")
			}
			if err := flags.checkPage(); err != nil {
				return err
			}
			r, err := a.planned(c, paths, &flags, sd, arms, opt)
			if err != nil {
				return err
			}
			if schedule {
				return r.Plan.Schedule(a.stdout, flags.seed)
			}
			return a.print(&flags, r)
		},
	}
	flags.register(c)
	f := c.Flags()
	f.Var(&detect, "detect", "the change that is to be seen")
	f.Var(&power, "power", "how often it is to be seen")
	f.StringToStringVar(&sd, "sd", nil, "spreads instead of a pilot: run=1.2%,launch=0.3%,day:arm=0.4% (day=2% for --separate, or as an upper bound)")
	f.StringSliceVar(&arms, "arms", nil, "names of the arms, base first (default: those of the pilot, else base,contender)")
	f.IntVar(&opt.Family, "comparisons", 0, "comparisons that share the false alarms (default: strata x contenders of the pilot, else 1)")
	f.BoolVar(&opt.Separate, "separate", false, "each arm on days of its own")
	f.IntVar(&opt.Launches, "launches", 0, "server starts of an arm a day (default: one for every run)")
	f.DurationVar(&costDay, "cost-day", 30*time.Minute, "what setting up a day takes")
	f.DurationVar(&costRun, "cost-run", 0, "what a run takes (default: as in the pilot, else 5m)")
	f.IntSliceVar(&opt.Days, "days", nil, "days of the table; one of these and one of --runs are the design of --schedule")
	f.IntSliceVar(&opt.Runs, "runs", nil, "runs an arm a day of the table")
	f.BoolVar(&schedule, "schedule", false, "print the order to run as CSV, arms interleaved at random, by --seed")
	return c
}

// planned makes the plan, from given spreads or from a pilot.
func (a *app) planned(c *cobra.Command, paths []string, flags *answerFlags, sd map[string]string, arms []string, opt noise.PlanOptions) (*report.Report, error) {
	if len(paths) == 0 {
		v, err := spreads(sd)
		if err != nil {
			return nil, err
		}
		if len(arms) == 0 {
			arms = []string{"base", "contender"}
		}
		if opt.CostRun == 0 {
			opt.CostRun = (5 * time.Minute).Seconds()
		}
		r := &report.Report{Version: version(), Seed: flags.seed, Parts: []report.Part{report.PartPlan}}
		return r, r.PlanGiven(v, arms, opt)
	}
	data, err := a.open(c.Context(), paths, &flags.reading)
	if err != nil {
		return nil, err
	}
	defer data.close()
	options := flags.options(data)
	options.Parts = []report.Part{report.PartPlan}
	in, err := data.input()
	if err != nil {
		return nil, err
	}
	r, err := buildOf(in, options)
	if err != nil {
		return nil, err
	}
	if len(arms) == 0 {
		if arms = r.Design.Arms; len(arms) < 2 {
			arms = []string{"base", "contender"}
		}
	}
	if opt.CostRun == 0 {
		opt.CostRun = usualDuration(in.Runs)
	}
	if opt.Family == 0 {
		opt.Family = strataOf(r) * (len(arms) - 1)
	}
	return r, r.PlanFrom(arms, opt)
}

// strataOf counts the strata of the first metric.
func strataOf(r *report.Report) int {
	n := 0
	for _, v := range r.Variance {
		if v.Metric == r.Variance[0].Metric {
			n++
		}
	}
	return n
}

// usualDuration is the median of the complete runs, in seconds; five minutes if
// none says.
func usualDuration(runs []datasets.Run) float64 {
	var known []float64
	for _, r := range runs {
		if r.Status == datasets.Complete && r.Duration > 0 {
			known = append(known, r.Duration)
		}
	}
	if len(known) == 0 {
		return 300
	}
	slices.Sort(known)
	return known[len(known)/2]
}

// spreads reads the components of --sd.
func spreads(sd map[string]string) (noise.Variances, error) {
	var v noise.Variances
	at := map[string]*float64{noise.RunLevel: &v.Run, noise.Launch: &v.Launch, noise.DayArm: &v.DayArm, noise.Day: &v.Day}
	names := []string{noise.RunLevel, noise.Launch, noise.DayArm, noise.Day}
	for name, text := range sd {
		variance, ok := at[name]
		if !ok {
			return v, group.Unknown{What: "level of --sd", Name: name, Known: names}
		}
		var f fraction
		if strings.Trim(text, "0.%") != "" { // 0 is a spread, though no fraction
			if err := f.Set(text); err != nil {
				return v, fmt.Errorf("--sd %s=%s: %w", name, text, err)
			}
		}
		*variance = float64(f) * float64(f)
	}
	_, between := sd[noise.DayArm]
	_, day := sd[noise.Day]
	switch {
	case !between && !day:
		return v, errors.New("--sd: say also day:arm=..., what a day does to one arm and not to the other, or day=... as an upper bound of it")
	case !between:
		v.DayArm, v.StandIn = v.Day, true
	}
	return v, nil
}
