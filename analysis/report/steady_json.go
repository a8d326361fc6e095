package report

import (
	"noisefloor/analysis/steady"
)

type steadyDoc struct {
	RunID      string       `json:"run_id"`
	Log        string       `json:"log"`
	Stratum    stratumDoc   `json:"stratum"`
	Arm        *string      `json:"arm"`
	Day        *string      `json:"day"`
	Metric     *string      `json:"metric"`
	Class      steady.Class `json:"class"`
	CutS       Num          `json:"cut_s"`
	KeptS      Num          `json:"kept_s"`
	Mean       Num          `json:"mean"`
	SE         Num          `json:"se"`
	ESS        Num          `json:"ess"`
	CommonCutS Num          `json:"common_cut_s"`
	SteadyTPS  Num          `json:"steady_tps"`
	Warnings   []warningDoc `json:"warnings"`
}

func newSteadyDoc(s *Steady) steadyDoc {
	return steadyDoc{
		RunID: s.RunID, Log: s.Name, Stratum: stratumDoc(s.Stratum), Arm: named(s.Arm), Day: named(s.Day), Metric: named(s.Metric),
		Class: s.Class, CutS: Num(s.Cut), KeptS: Num(s.Kept), Mean: Num(s.Mean), SE: Num(s.SE), ESS: Num(s.ESS),
		CommonCutS: Num(s.CommonCut), SteadyTPS: Num(s.SteadyTPS), Warnings: warningDocs(s.Warnings),
	}
}
