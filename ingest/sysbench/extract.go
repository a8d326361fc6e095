package sysbench

import (
	"math"

	"noisefloor/datasets"
)

// fewestOfExtract: of fewer report lines nobody makes a file.
const fewestOfExtract = 3

// isExtract tells a run of which somebody kept the report lines and nothing else:
// grep thds run.log > run.txt, or what a hook prints. A text that shows anything
// else of sysbench was cut, and so was one that begins later than a run does.
func (s *scan) isExtract() bool {
	return s.rows >= fewestOfExtract && s.first <= 1.5*s.step && !s.worded && !s.finished && s.run.Version == "" && len(s.run.Metrics) == 0 && !s.header && !s.started && !s.fatal && !s.help && !s.torn
}

// extracted makes of the report lines what the summary would have said.
func (s *scan) extracted() {
	if s.took <= 0 {
		return
	}
	name := "tps"
	if last := s.run.Intervals.Len() - 1; last >= 0 && math.IsNaN(s.run.Intervals.At(last).QPS) && !s.hooked.rows {
		name = "eps"
	}
	s.run.Metrics[name], s.run.Metrics["duration_s"] = s.sum/s.took, s.last
	s.run.Status = datasets.Complete
	s.tell(KindExtract, s.run.FirstLine, "report lines and nothing else: whether the run was longer is not said, its throughput is their mean")
}
