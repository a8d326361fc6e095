package scaling

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// law is one family of curves over a measured range: a scale times a shape that
// one to three parameters bend. Fits find the parameters; the scale follows from
// them, one for each day.
type law interface {
	// logShape is the log of the shape at x and, unless grad is nil, its
	// derivatives by the parameters. NaN where the shape is not positive.
	logShape(p []float64, x float64, grad []float64) float64
	// regions are the boxes to search, each with a start. y is the mean log of
	// each level. Extended lifts the bounds that are a convention, such as a
	// contention of at least 0: how far an estimate would go beyond its bound
	// tells how sure the bound is.
	regions(y []float64, extended bool) []region
	// terms are what people call the parameters.
	terms() []termName
	// values turns a scale and parameters into the terms.
	values(scale float64, p []float64) []float64
	// turn is where the curve turns from rising to falling or the other way; +Inf
	// where it would turn with other parameters, NaN where it never does.
	turn(p []float64) float64
}

// plain laws have their shape without exponents and logs, and so give it directly
// to a fit of values; grad is still that of the log.
type plain interface {
	shape(p []float64, x float64, grad []float64) float64
}

// region is a box of parameters and where to start in it.
type region struct{ start, lo, hi []float64 }

// termName says what a term is.
type termName struct {
	name string
	unit Unit
	// positive terms get their interval on the log scale, and are compared as
	// ratios. Terms that may be 0 are not: an interval made on logs never holds 0,
	// however well it describes the data.
	positive bool
	// lo and hi are what the term can be by its meaning.
	lo, hi float64
}

// Unit is what a term is counted in: a number, or x and y of the curve.
type Unit string

const (
	Number Unit = "1"
	OfX    Unit = "x"
	OfY    Unit = "y"
	YPerX  Unit = "y/x"
)

// family makes a law for the levels of an axis.
type family struct {
	name       string
	parameters int     // of the curve: the scale and those of the shape
	least      float64 // x must be at least this
	// clients: the law is about throughput against clients at work. The others
	// are about anything.
	clients bool
	bind    func(axis) law
}

// above0 is the least of laws that take the log of x, or count clients.
const above0 = math.SmallestNonzeroFloat64

// families are all laws, a file each, the simplest first.
var families = []family{
	{"linear", 2, -inf, false, newLinear},
	{"power", 2, above0, false, newPower},
	{"amdahl", 2, above0, true, newAmdahl},
	{"gustafson", 2, above0, true, newGustafson},
	{"usl", 3, above0, true, newUSL},
	{"peak", 3, -inf, false, newPeak},
	{"saturating", 3, 0, false, newSaturating},
	{"segmented", 4, -inf, false, newSegmented},
}

// Laws are the names that Options.Law takes.
func Laws() []string {
	var names []string
	for _, f := range families {
		names = append(names, f.name)
	}
	return names
}

// UnknownLaw: Options.Law is none of Laws.
type UnknownLaw struct{ Name string }

func (e UnknownLaw) Error() string {
	return fmt.Sprintf("there is no law called %q; there are %s", e.Name, strings.Join(Laws(), ", "))
}

// candidates are the laws to choose from. Of those that draw the same curves one
// is taken: against clients Gustafson's is the line.
func candidates(opt Options) ([]family, error) {
	if opt.Law != "" {
		i := slices.IndexFunc(families, func(f family) bool { return f.name == opt.Law })
		if i < 0 {
			return nil, UnknownLaw{opt.Law}
		}
		return families[i : i+1], nil
	}
	var list []family
	for _, f := range families {
		if f.clients && !opt.Clients || f.name == "linear" && opt.Clients {
			continue
		}
		list = append(list, f)
	}
	return list, nil
}

// levelsNeeded leaves one level over to contradict the law.
func (f *family) levelsNeeded() int { return f.parameters + 1 }

// axis is the measured range of x.
type axis struct {
	levels []float64 // distinct, ascending
	log    bool      // x doubles rather than grows by steps
}

func (a axis) lo() float64 { return a.levels[0] }
func (a axis) hi() float64 { return a.levels[len(a.levels)-1] }

// unit maps the range to 0..1, in proportion to x or its log.
func (a axis) unit(x float64) float64 {
	if a.log {
		return math.Log(x/a.lo()) / math.Log(a.hi()/a.lo())
	}
	return (x - a.lo()) / (a.hi() - a.lo())
}

// at is the inverse of unit.
func (a axis) at(u float64) float64 {
	if a.log {
		return a.lo() * math.Exp(u*math.Log(a.hi()/a.lo()))
	}
	return a.lo() + u*(a.hi()-a.lo())
}

var inf = math.Inf(1)

// box is a region of one start.
func box(start, lo, hi []float64) []region { return []region{{start, lo, hi}} }

// rise is the log of the ratio of the last level to the first.
func rise(y []float64) float64 { return y[len(y)-1] - y[0] }
