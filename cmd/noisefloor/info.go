package main

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"noisefloor/analysis/group"
	"noisefloor/analysis/table"
	"noisefloor/datasets"
)

func (a *app) infoCommand() *cobra.Command {
	var reading ingestFlags
	var grouping group.Options
	var series string
	c := &cobra.Command{
		Use:   "info DATASET|PATH...",
		Short: "factors, levels, gaps; crossed, interleaved, confounded?",
		Args:  cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, paths []string) error {
			data, err := a.open(c.Context(), paths, &reading)
			if err != nil {
				return err
			}
			defer data.close()
			if series != "" {
				return a.seriesTable(data, grouping, strings.TrimSpace(series))
			}
			return a.info(data, grouping)
		},
	}
	reading.register(c.Flags())
	c.Flags().StringVar(&grouping.By, "by", "", "factor under comparison (guessed and said if absent)")
	c.Flags().StringArrayVar(&grouping.Where, "where", nil, "only these runs")
	c.Flags().StringSliceVar(&grouping.Ignore, "ignore", nil, "factors or conditions to leave aside")
	c.Flags().StringVar(&series, "series", "", "instead: what vmstat, mpstat and the like told during the runs; =cpu_idle only these")
	c.Flags().Lookup("series").NoOptDefVal = " "
	return c
}

// levelsShown bounds a line of levels; the count is always whole.
const levelsShown = 8

// strataShown bounds the table of runs per cell: beyond it names were guessed badly or
// nobody reads on.
const strataShown = 200

func (a *app) info(data *opened, opt group.Options) error {
	runs, columns, err := data.Runs()
	if err != nil {
		return nothingUsable{err}
	}
	if runs, columns, err = group.Settings(runs, columns, data.Settings, opt); err != nil {
		return err
	}
	found, err := data.Problems()
	if err != nil {
		return nothingUsable{err}
	}
	status := map[string]int{}
	for _, r := range runs {
		status[string(r.Status)]++
	}
	design, cells, warnings, err := group.Analyse(runs, columns, opt)
	var none group.NoMatch
	if errors.As(err, &none) {
		return nothingUsable{err}
	}
	if err != nil {
		return err
	}
	w := a.stdout
	say := func(format string, args ...any) {
		text := table.Visible(fmt.Sprintf(format, args...))
		fmt.Fprintln(w, strings.Join(table.Wrap(text, table.ScreenOf(w).Columns(), 2), "\n"))
	}
	ends := ""
	for _, name := range slices.Sorted(maps.Keys(status)) {
		ends += fmt.Sprintf(", %s: %d", name, status[name])
	}
	say("runs: %d%s; sources: %d; problem records: %d", len(runs), ends, len(data.Sources()), len(found))
	switch {
	case design.By != "":
		say("compared: %s (%s), base %s (%s)", design.By, design.ByWhy, design.Base, design.BaseWhy)
	case len(design.Choices) > 0:
		say("compared: not chosen, candidates are %s", strings.Join(design.Choices, ", "))
	default:
		say("compared: nothing, no factor varies that could be the change")
	}
	days := "unknown"
	if len(design.Days) > 0 {
		days = fmt.Sprintf("%d (%s)", len(design.Days), some(design.Days))
	}
	order := map[int]string{1: "arms interleaved", 0: "running order unknown", -1: "one arm always ran before the other"}[design.Interleaved]
	say("days: %s; %s", days, order)
	for _, m := range design.Aliased {
		say("confounded: %s moves with the arm (%s: %s; %s: %s)", m.Condition, m.Arms[0], m.Levels[0], m.Arms[1], m.Levels[1])
	}
	if len(design.AlsoDiffers) > 0 {
		say("also differs with the arm: %s", strings.Join(design.AlsoDiffers, ", "))
	}
	fmt.Fprintln(w)
	factors := table.Table{Columns: []table.Column{{Head: "factor"}, {Head: "role"}, {Head: "levels", Align: table.Right}, {Head: "which (runs)"}}}
	var constants, labels []string
	for _, f := range design.Factors {
		switch f.Role {
		case group.Constant:
			constants = append(constants, f.Name+"="+f.Levels[0].String())
			continue
		case group.Label:
			labels = append(labels, f.Name)
			continue
		}
		var levels []string
		for i, v := range f.Levels {
			levels = append(levels, fmt.Sprintf("%s (%d)", v, f.Runs[i]))
		}
		if f.Null > 0 {
			levels = append(levels, fmt.Sprintf("unknown (%d)", f.Null))
		}
		role := string(f.Role)
		if f.Why != "" {
			role += ", " + f.Why
		}
		factors.Add(table.Word(f.Name), table.Word(role), table.Word(fmt.Sprint(len(f.Levels))), table.Word(some(levels)))
	}
	if err := factors.Text(w, table.ScreenOf(w)); err != nil {
		return err
	}
	if len(constants) > 0 {
		say("the same in all runs: %s", strings.Join(constants, ", "))
	}
	if len(labels) > 0 {
		say("of each run by itself: %s", strings.Join(labels, ", "))
	}
	settings, missing, err := group.DifferingSettings(runs, data.Settings)
	if err != nil {
		return nothingUsable{err}
	}
	if len(settings) > 0 {
		fmt.Fprintln(w)
		if err := settingsTable(settings).Text(w, table.ScreenOf(w)); err != nil {
			return err
		}
		if design.By == "" || !slices.ContainsFunc(settings, func(d group.Differing) bool { return d.Name == strings.TrimPrefix(design.By, "setting:") }) {
			say("each of these can be what is compared, or a condition of --where: --by %s", settings[0].Name)
		}
		if n := len(settings) - settingsShown; n > 0 {
			say("and %d more server settings that differ, in the table settings", n)
		}
		if missing > 0 {
			say("only some servers have, or say: %d settings, in the table settings", missing)
		}
	}
	fmt.Fprintln(w)
	perCell := runsPerCell(design, cells)
	strata := len(perCell.Rows)
	perCell.Rows = perCell.Rows[:min(strata, strataShown)]
	if err := perCell.Text(w, table.ScreenOf(w)); err != nil {
		return err
	}
	if strata > strataShown {
		say("and %d more strata: --where 'threads==8' shows some, --ignore FACTOR joins them", strata-strataShown)
	}
	told, err := seriesOf(data)
	if err != nil {
		return nothingUsable{err}
	}
	if line := told.perRun(runs); line != "" {
		say("%s", line)
	}
	for _, r := range runs {
		if r.Status != datasets.Complete {
			say("left out: %s, part %d, %s", r.Source, r.Part, r.Status)
		}
	}
	for _, warning := range warnings {
		say("%s", warning.Text())
	}
	gathered := datasets.Gather(found)
	for _, p := range gathered {
		say("problem: %s", p)
	}
	if len(gathered) < len(found) {
		say("each of the %d problem records: noisefloor export --table problems", len(found))
	}
	return nil
}

// runsPerCell counts runs per stratum and arm, so that gaps are seen.
func runsPerCell(design group.Design, cells []group.Cell) *table.Table {
	arms := design.Arms
	if len(arms) == 0 {
		arms = []string{"runs"}
	}
	t := &table.Table{Columns: []table.Column{{Head: "stratum"}}}
	for _, arm := range arms {
		t.Columns = append(t.Columns, table.Column{Head: arm, Align: table.Right})
	}
	listed := map[string]bool{}
	for _, c := range cells {
		stratum := orAll(group.Words(c.Stratum))
		if listed[stratum] { // by another metric
			continue
		}
		listed[stratum] = true
		row := []table.Cell{table.Word(stratum)}
		for arm := range arms {
			runs, days := 0, map[string]bool{}
			for _, r := range c.Runs {
				if r.Arm == arm {
					runs++
					days[r.Day] = true
				}
			}
			delete(days, "")
			text := fmt.Sprint(runs)
			if len(days) > 1 {
				text += fmt.Sprintf(" on %d days", len(days))
			}
			if n := c.LeftOut[arm]; n > 0 {
				text += fmt.Sprintf(" (%d left out)", n)
			}
			row = append(row, table.Word(text))
		}
		t.Add(row...)
	}
	return t
}

func orAll(label string) string {
	if label == "" {
		return "all runs"
	}
	return label
}

func some(words []string) string {
	if len(words) > levelsShown {
		return strings.Join(words[:levelsShown], ", ") + fmt.Sprintf(", and %d more", len(words)-levelsShown)
	}
	return strings.Join(words, ", ")
}

// settingsShown bounds the list in info; two versions differ in a hundred variables.
const settingsShown = 25

func settingsTable(list []group.Differing) *table.Table {
	t := &table.Table{Columns: []table.Column{{Head: "server setting"}, {Head: "differs (runs)"}}}
	for _, d := range list[:min(len(list), settingsShown)] {
		t.Add(table.Word(d.Name), table.Word(some(d.Values)))
	}
	return t
}
