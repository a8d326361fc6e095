package group

import (
	"math"
	"slices"
	"strings"

	"noisefloor/analysis"
	"noisefloor/datasets"
	"noisefloor/datasets/unit"
)

// hostTools tell how busy a machine was, the one that tells it most exactly first:
// dstat and vmstat round to whole percents. The last tell of the memory alone.
var hostTools = []string{"mpstat", "sar", "iostat", "dstat", "vmstat", "top", "meminfo", "free"}

// busiest is the series of devices that becomes one metric: that of the device
// with the highest mean.
const busiest = "device_util_pct"

// Hosts gives runs the means of what the machine did meanwhile as metrics, so that
// every question can be asked about them as about tps: cpu_idle_pct,
// cpu_steal_pct, context_switches_per_s, device_util_pct (of the busiest device).
// What is of one CPU or device otherwise stays in the table series. Where several
// tools tell the same, the most exact counts; several hosts beside one run give no
// metrics, because nothing says which of them was the server. A metric that a run
// has already stays.
func Hosts(runs []datasets.Run, columns []datasets.Column, series func(yield func([]datasets.Sample) error) error) ([]datasets.Column, error) {
	type key struct{ run, tool, metric string }
	type mean struct {
		sum float64
		n   int
	}
	means := map[key]*mean{}
	hosts := map[[2]string]bool{} // run and tool that stand for several hosts
	var last key
	var at *mean
	err := series(func(rows []datasets.Sample) error {
		for i := range rows {
			r := &rows[i]
			k := key{r.RunID, r.Source, r.Metric}
			if k != last {
				last, at = k, nil
				tool, which, several := strings.Cut(r.Source, " ")
				if !slices.Contains(hostTools, tool) {
					continue
				}
				if several && which != "" {
					hosts[[2]string{r.RunID, tool}] = true
					continue
				}
				if strings.Contains(r.Metric, " ") && !strings.HasPrefix(r.Metric, busiest+" ") {
					continue
				}
				if at = means[k]; at == nil {
					at = &mean{}
					means[k] = at
				}
			}
			if at != nil && !math.IsNaN(r.Value) {
				at.sum += r.Value
				at.n++
			}
		}
		return nil
	})
	if err != nil || len(means) == 0 {
		return columns, err
	}
	byRun := map[string]map[string]map[string]float64{} // run, metric, tool
	for k, m := range means {
		if m.n == 0 || hosts[[2]string{k.run, k.tool}] {
			continue
		}
		metric, _, _ := strings.Cut(k.metric, " ")
		if byRun[k.run] == nil {
			byRun[k.run] = map[string]map[string]float64{}
		}
		if byRun[k.run][metric] == nil {
			byRun[k.run][metric] = map[string]float64{}
		}
		v := m.sum / float64(m.n)
		if was, known := byRun[k.run][metric][k.tool]; !known || v > was {
			byRun[k.run][metric][k.tool] = v
		}
	}
	known := map[string]bool{}
	for _, c := range columns {
		known[c.Name] = true
	}
	added := map[string]bool{}
	for i := range runs {
		r := &runs[i]
		for metric, tools := range byRun[r.ID] {
			if _, has := r.Metrics[metric]; has {
				continue
			}
			for _, tool := range hostTools {
				v, told := tools[tool]
				if !told {
					continue
				}
				if r.Metrics == nil {
					r.Metrics = map[string]float64{}
				}
				r.Metrics[metric] = v
				added[metric] = !known[metric]
				break
			}
		}
	}
	var names []string
	for name, isNew := range added {
		if isNew {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	for _, name := range names {
		columns = append(columns, datasets.Column{Name: name, Kind: datasets.FloatKind, Role: datasets.Metric, Unit: unit.Of(name)})
	}
	return columns, nil
}

// What is worth a word. A percent of stolen time is as much as the changes that
// people claim; 100 kB/s of swapping is 25 pages a second, more than what drips out
// of idle processes; ten points of idle time are more than any run of
// datasets/mariadb-allocators is off its fellows (144 runs: 8 at most, half of them
// less than 0.2).
const (
	muchStolen  = 1.0
	muchSwapped = 100e3
	muchIdle    = 10.0
	pageBytes   = 4096
	fellows     = 3 // runs of an arm and stratum that a usual idle time needs
)

// hostDoubts says what else the machine did while runs went on.
func hostDoubts(runs []datasets.Run, cells []Cell) (list []analysis.Warning) {
	stolen, swapped := analysis.StolenCPU{}, analysis.Swapping{}
	idle := map[string]float64{}
	source := map[string]string{}
	for i := range runs {
		r := &runs[i]
		source[r.ID] = r.Source
		if v, ok := r.Metrics["cpu_idle_pct"]; ok {
			idle[r.ID] = v
		}
		if v, ok := r.Metrics["cpu_steal_pct"]; ok {
			stolen.Of++
			if v >= muchStolen {
				stolen.Runs++
			}
			if v > stolen.Most {
				stolen.Most, stolen.Worst = v, r.Source
			}
		}
		v, ok := 0.0, false
		for metric, scale := range map[string]float64{"swap_in_bytes_per_s": 1, "swap_out_bytes_per_s": 1, "swap_in_pages_per_s": pageBytes, "swap_out_pages_per_s": pageBytes} {
			if x, has := r.Metrics[metric]; has {
				v, ok = v+scale*x, true
			}
		}
		if ok {
			swapped.Of++
			if v >= muchSwapped {
				swapped.Runs++
			}
			if v > swapped.Most {
				swapped.Most, swapped.Worst = v, r.Source
			}
		}
	}
	if stolen.Runs > 0 {
		list = append(list, stolen)
	}
	if swapped.Runs > 0 {
		list = append(list, swapped)
	}
	other, furthest := analysis.OtherLoad{}, 0.0
	for i := range cells {
		c := &cells[i]
		if !c.Primary {
			continue
		}
		byArm := map[int][]string{}
		for k, r := range c.Runs {
			if _, told := idle[c.RunIDs[k]]; told {
				byArm[r.Arm] = append(byArm[r.Arm], c.RunIDs[k])
			}
		}
		for _, ids := range byArm {
			other.Of += len(ids)
			if len(ids) < fellows {
				continue
			}
			for _, id := range ids {
				var rest []float64
				for _, fellow := range ids {
					if fellow != id {
						rest = append(rest, idle[fellow])
					}
				}
				slices.Sort(rest)
				usual := (rest[(len(rest)-1)/2] + rest[len(rest)/2]) / 2 // the median
				off := math.Abs(idle[id] - usual)
				if off < muchIdle {
					continue
				}
				other.Runs++
				if off > furthest || off == furthest && source[id] < other.Worst {
					furthest, other.Idle, other.Usual, other.Worst = off, idle[id], usual, source[id]
				}
			}
		}
	}
	if other.Runs > 0 {
		list = append(list, other)
	}
	return list
}
