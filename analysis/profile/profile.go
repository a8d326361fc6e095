// Package profile says which symbols, counters and waits changed between two
// arms, and which only look as if they had, because two profiles of one build
// differ too.
//
// A run's profile becomes one number for each symbol: its share of the samples,
// or what it cost a transaction. From there on nothing is special about
// profiles: days are blocks, launches are replicates, and the design table of
// package compare decides what can be said. One profile an arm is unsupported,
// with the difference that was seen beside it. Two normalisations are given
// because they answer different questions: a build that does all its work in
// nine tenths of the time has the same shares and fewer samples a transaction.
//
// Collect gathers stacks into runs, Diff answers for one stratum, and Adjust
// makes the answers of all symbols hold together: among the symbols called, the
// expected share of false ones stays at 5 %, and with two recordings of one
// build any symbol at all is called in at most 5 % of pairs. Events are never
// mixed: whoever collects does so event by event.
package profile

import (
	"math"

	"noisefloor/analysis"
	"noisefloor/analysis/compare"
)

// Kind is which number of a symbol is compared.
type Kind string

const (
	Self  Kind = "self"  // samples in the symbol itself
	Total Kind = "total" // in it or in anything that it called
	Wait  Kind = "wait"  // a wait event: sessions that waited for it, on average
)

// Scale is what a number is a part of.
type Scale string

const (
	Share          Scale = "share"           // of the run's samples
	PerTransaction Scale = "per-transaction" // weight for each transaction of the run
	Sessions       Scale = "sessions"        // average active sessions
)

// Call is the answer for one symbol. A share has no better side, so that the
// verdicts of compare would not fit.
type Call string

const (
	Grew        Call = "grew"
	Shrank      Call = "shrank"
	NotShown    Call = "not shown"   // the design could answer, these data do not
	Unsupported Call = "unsupported" // the design cannot answer
)

// Options are the choices of the user; the zero value is the published default.
type Options struct {
	Confidence  float64  // 0 = 0.95; a symbol is called at level 1 - Confidence
	IgnoreOrder bool     // as in compare
	Aliased     []string // as in compare: conditions that move with the arm
	LeftOut     [2]int   // as in compare
	// MinSamples is how many samples a symbol needs, on average over the runs,
	// to be tested; 0 = 20. Below, chance alone moves a share by more than a
	// fifth: such symbols are counted and left untested, so that the others need
	// not pay for looking at them. The choice looks at both arms together, which
	// does not favour a difference (Bourgon, Gentleman and Huber 2010, PNAS 107,
	// 9546-9551).
	MinSamples float64
}

func (o Options) withDefaults() Options {
	if o.MinSamples == 0 {
		o.MinSamples = 20
	}
	return o
}

func (o Options) compare() compare.Options {
	return compare.Options{Confidence: o.Confidence, Scale: compare.Difference, IgnoreOrder: o.IgnoreOrder, Aliased: o.Aliased, LeftOut: o.LeftOut}
}

// Row is the answer for one symbol (or wait event), one kind and one scale. NaN
// is unknown. Base, Contender, Diff and the bounds are on the scale itself: a
// share of .03, a difference of .005.
type Row struct {
	Symbol          string
	Kind            Kind
	Scale           Scale
	Base, Contender float64 // typical run of each arm, days equal
	Diff, Lo, Hi    float64 // contender - base; marginal bounds, NaN if unsupported
	// Ratio is contender/base with its bounds; NaN for shares and sessions, and
	// where the base has none.
	Ratio, RatioLo, RatioHi float64
	P, Q                    float64 // Q is set by Adjust: Benjamini and Hochberg over all rows
	Call                    Call
	Samples                 float64 // mean over runs of both arms, in samples; NaN for waits
	Tested                  bool    // has a P that counts among those adjusted
	Conditional             *Conditional
	Warnings                []analysis.Warning // about the values of this row; those about all rows stand with the Result

	twin  *Row    // the same numbers in all runs: tested once
	level float64 // Q below it is a call
}

// Conditional speaks for the one day that the arms share, launches as
// replicates. It is no call.
type Conditional struct {
	Lo, Hi   float64 // of Diff
	P, Q     float64 // Q over all rows, as for the calls
	Launches int     // fewest of an arm
}

// Result is what Diff found in one stratum.
type Result struct {
	Rows []*Row // by how much they matter: the largest difference first
	// Rare are symbols below Options.MinSamples, which were not tested.
	Rare struct {
		Symbols int
		Share   float64 // of all samples, self
		Below   float64 // Options.MinSamples
	}
	Design   compare.Design
	Runs     [2]int // behind the rows
	Days     [2]int // 0 = unknown
	Method   string
	Warnings []analysis.Warning // about all rows: refusals first
}

// blank is the one place where rows begin.
func blank(symbol string, kind Kind, scale Scale) *Row {
	nan := math.NaN()
	return &Row{Symbol: symbol, Kind: kind, Scale: scale, Base: nan, Contender: nan, Diff: nan, Lo: nan, Hi: nan,
		Ratio: nan, RatioLo: nan, RatioHi: nan, P: nan, Q: nan, Call: Unsupported, Samples: nan}
}

// Twin tells a total that is the same as the self of its symbol in every run,
// because the symbol calls nothing: to print one of them is enough.
func (r *Row) Twin() bool { return r.twin != nil }

// Called tells whether the difference is a claim.
func (r *Row) Called() bool { return r.Call == Grew || r.Call == Shrank }
