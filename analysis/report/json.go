package report

import (
	"bytes"
	"encoding/json"
	"io"
	"math"
	"reflect"
	"strings"
	"unicode"

	"noisefloor/analysis"
	"noisefloor/analysis/compare"
	"noisefloor/analysis/group"
	"noisefloor/datasets"
	"noisefloor/datasets/unit"
)

// Schema is the version of the JSON document. A change that could break a
// reader takes a new one.
const Schema = "noisefloor/v1"

// JSON writes the report as one object for programs: full precision, base
// units (latencies in seconds), relative numbers as fractions, null for what is
// unknown. Every key is always there.
func JSON(w io.Writer, r *Report) error {
	doc := document{
		Schema: Schema, Version: r.Version, Seed: r.Seed,
		Inputs:      inputsDoc{Sources: []sourceDoc{}, Runs: r.Inputs.Runs, Where: append([]string{}, r.Inputs.Where...), Problems: []problemDoc{}},
		Design:      newDesignDoc(r.Design),
		Comparisons: []comparisonDoc{}, Headlines: []headlineDoc{}, Variance: []varianceDoc{},
		Steady: []steadyDoc{}, History: historyDocs(r), Factors: factorsDocs(r), Profile: profileDocs(r),
		Plan:     newPlanDoc(r.Plan),
		Warnings: warningDocs(r.Warnings, profileWarnings(r)),
	}
	for _, s := range r.Inputs.Sources {
		doc.Inputs.Sources = append(doc.Inputs.Sources, sourceDoc{s.Path, s.SHA256, s.Size, s.Kind, s.Tool, s.Version, s.Runs})
	}
	for _, p := range r.Inputs.Problems {
		doc.Inputs.Problems = append(doc.Inputs.Problems, problemDoc{p.Source, known(p.Line), p.Kind, p.Text, p.Count})
	}
	for i := range r.Comparisons {
		doc.Comparisons = append(doc.Comparisons, newComparisonDoc(&r.Comparisons[i]))
	}
	for i := range r.Headlines {
		doc.Headlines = append(doc.Headlines, newHeadlineDoc(&r.Headlines[i]))
	}
	if r.Gate != nil {
		doc.Gate = &gateDoc{string(r.Gate.Kind), r.Gate.Outcome.String(), Num(r.Gate.Detect), list(r.Gate.Reasons)}
	}
	for i := range r.Variance {
		doc.Variance = append(doc.Variance, newVarianceDoc(&r.Variance[i]))
	}
	doc.Scaling, doc.Crossovers = curveDocs(r.Curves)
	for i := range r.Steady {
		doc.Steady = append(doc.Steady, newSteadyDoc(&r.Steady[i]))
	}
	out := json.NewEncoder(w)
	out.SetIndent("", "  ")
	return out.Encode(doc)
}

type document struct {
	Schema      string          `json:"schema"`
	Version     string          `json:"version"`
	Seed        uint64          `json:"seed"`
	Inputs      inputsDoc       `json:"inputs"`
	Design      designDoc       `json:"design"`
	Comparisons []comparisonDoc `json:"comparisons"`
	Headlines   []headlineDoc   `json:"headlines"`
	Variance    []varianceDoc   `json:"variance"`
	Steady      []steadyDoc     `json:"steady"`
	Scaling     []scalingDoc    `json:"scaling"`
	Crossovers  []crossoverDoc  `json:"crossovers"`
	History     []historyDoc    `json:"history"`
	Factors     []factorsDoc    `json:"factors"`
	Profile     []profileDoc    `json:"profile"`
	Plan        planDoc         `json:"plan"`
	Gate        *gateDoc        `json:"gate"`
	Warnings    []warningDoc    `json:"warnings"`
}

type inputsDoc struct {
	Sources  []sourceDoc  `json:"sources"`
	Runs     int          `json:"runs"`
	Where    []string     `json:"where"` // the filter; runs counts also what it leaves out
	Problems []problemDoc `json:"problems"`
}

type sourceDoc struct {
	Path    string `json:"path"`
	SHA256  string `json:"sha256"`
	Size    int64  `json:"size"`
	Kind    string `json:"kind"`
	Tool    string `json:"tool"`
	Version string `json:"version"`
	Runs    int    `json:"runs"`
}

type problemDoc struct {
	Source string `json:"source"`
	Line   *int   `json:"line"`
	Kind   string `json:"kind"`
	Text   string `json:"text"`
	Count  int    `json:"count"`
}

type designDoc struct {
	By          *string     `json:"by"`
	Base        *string     `json:"base"`
	Factors     []factorDoc `json:"factors"`
	Days        []string    `json:"days"`
	Interleaved *bool       `json:"interleaved"`
	Aliased     []string    `json:"aliased"`
}

type factorDoc struct {
	Name   string           `json:"name"`
	Levels []datasets.Value `json:"levels"`
	Role   string           `json:"role"`
}

func newDesignDoc(d group.Design) designDoc {
	doc := designDoc{
		By: named(d.By), Base: named(d.Base),
		Factors: []factorDoc{}, Days: list(d.Days), Aliased: aliasedNames(d.Aliased),
	}
	if d.Interleaved != 0 {
		yes := d.Interleaved > 0
		doc.Interleaved = &yes
	}
	for _, f := range d.Factors {
		doc.Factors = append(doc.Factors, factorDoc{f.Name, list(f.Levels), string(f.Role)})
	}
	return doc
}

type sideDoc struct {
	Level    string `json:"level"`
	Runs     int    `json:"runs"`
	Days     *int   `json:"days"`
	Launches *int   `json:"launches"`
	Mean     Num    `json:"mean"`
	LeftOut  int    `json:"left_out"`
}

type rangeDoc struct {
	Value Num `json:"value"`
	Lo    Num `json:"lo"`
	Hi    Num `json:"hi"`
}

type conditionalDoc struct {
	Lo       Num `json:"lo"`
	Hi       Num `json:"hi"`
	Launches int `json:"launches"`
}

type crossCheckDoc struct {
	Method string `json:"method"`
	Ratio  Num    `json:"ratio"`
	Lo     Num    `json:"lo"`
	Hi     Num    `json:"hi"`
	P      Num    `json:"p"`
	DF     Num    `json:"df"`
}

type comparisonDoc struct {
	Metric         string           `json:"metric"`
	Unit           string           `json:"unit"`
	Better         string           `json:"better"`
	Scale          string           `json:"scale"`
	Stratum        stratumDoc       `json:"stratum"`
	Base           sideDoc          `json:"base"`
	Contender      sideDoc          `json:"contender"`
	Ratio          Num              `json:"ratio"`
	Difference     Num              `json:"difference"`
	Lo             Num              `json:"lo"`
	Hi             Num              `json:"hi"`
	LoAdj          Num              `json:"lo_adj"`
	HiAdj          Num              `json:"hi_adj"`
	Confidence     Num              `json:"confidence"`
	P              Num              `json:"p"`
	PAdjusted      Num              `json:"p_adjusted"`
	PEquivAdjusted Num              `json:"p_equiv_adjusted"`
	DF             Num              `json:"df"`
	Method         string           `json:"method"`
	Aggregate      string           `json:"aggregate"`
	Family         int              `json:"family"`
	Verdict        analysis.Verdict `json:"verdict"`
	ExceedsMargin  bool             `json:"exceeds_margin"`
	Margin         Num              `json:"margin"`
	CutS           Num              `json:"cut_s"` // null: whole runs
	NoiseFloor     rangeDoc         `json:"noise_floor"`
	DaysPlanned    *int             `json:"days_planned"`
	Looks          string           `json:"looks"`
	Settle         *settleDoc       `json:"settle"`
	Conditional    *conditionalDoc  `json:"conditional"`
	CrossCheck     *crossCheckDoc   `json:"cross_check"`
	Warnings       []warningDoc     `json:"warnings"`
}

func newComparisonDoc(c *Comparison) comparisonDoc {
	doc := comparisonDoc{
		Metric: c.Metric, Unit: c.Unit.Name, Better: better(c.Unit), Scale: string(c.Scale), Stratum: stratumDoc(c.Stratum),
		Base: newSideDoc(c.BaseLevel, c.Base, c.LeftOut[0]), Contender: newSideDoc(c.Level, c.Contender, c.LeftOut[1]),
		Ratio: Num(c.Estimate), Difference: Num(math.NaN()), Lo: Num(c.Lo), Hi: Num(c.Hi), LoAdj: Num(c.LoAdj), HiAdj: Num(c.HiAdj),
		Confidence: Num(c.Confidence), P: Num(c.P), PAdjusted: Num(c.PAdjusted), PEquivAdjusted: Num(c.PEquivAdjusted), DF: Num(c.DF),
		Method: c.Method, Aggregate: string(c.Aggregate), Family: c.Family, Verdict: c.Verdict, ExceedsMargin: c.ExceedsMargin, Margin: Num(c.Margin), CutS: Num(c.Cut),
		NoiseFloor: newRangeDoc(c.NoiseFloor), DaysPlanned: known(c.DaysPlanned), Looks: looks(c.Looks),
		Warnings: warningDocs(c.Result.Warnings, c.Doubts),
	}
	if c.Scale == compare.Difference { // a difference is no ratio; lo and hi bound the difference
		doc.Ratio, doc.Difference = doc.Difference, doc.Ratio
	}
	if s := c.Settle; s.Days > 0 {
		doc.Settle = &settleDoc{s.Days, s.RunsPerDay, Num(s.Effect)}
	}
	if c.Conditional != nil {
		doc.Conditional = &conditionalDoc{Num(c.Conditional.Lo), Num(c.Conditional.Hi), c.Conditional.Launches}
	}
	if x := c.Cross; x != nil {
		doc.CrossCheck = &crossCheckDoc{x.Method, Num(x.Estimate), Num(x.Lo), Num(x.Hi), Num(x.P), Num(x.DF)}
	}
	return doc
}

func newSideDoc(level string, s compare.Side, leftOut int) sideDoc {
	return sideDoc{level, s.Runs, known(s.Days), known(s.Launches), Num(s.Mean), leftOut}
}

func newRangeDoc(e analysis.Estimate) rangeDoc { return rangeDoc{Num(e.Value), Num(e.Lo), Num(e.Hi)} }

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

type varianceDoc struct {
	Metric        string         `json:"metric"`
	Unit          string         `json:"unit"`
	Stratum       stratumDoc     `json:"stratum"`
	N             sizeDoc        `json:"n"`
	Mean          Num            `json:"mean"`
	Components    []componentDoc `json:"components"`
	Repeatability rangeDoc       `json:"repeatability"`
	DayToDay      rangeDoc       `json:"day_to_day"`
	NoiseFloor    rangeDoc       `json:"noise_floor"`
	Floors        []floorDoc     `json:"floors"`
	Warnings      []warningDoc   `json:"warnings"`
}

type sizeDoc struct {
	Days      *int `json:"days"`
	Launches  *int `json:"launches"`
	Runs      int  `json:"runs"`
	Intervals *int `json:"intervals"`
}

type componentDoc struct {
	Level string `json:"level"`
	Var   Num    `json:"var"`
	SDRel Num    `json:"sd_rel"`
	Lo    Num    `json:"lo"`
	Hi    Num    `json:"hi"`
	Share Num    `json:"share"`
}

func newVarianceDoc(v *Variance) varianceDoc {
	doc := varianceDoc{
		Metric: v.Metric, Unit: v.Unit.Name, Stratum: stratumDoc(v.Stratum),
		N:    sizeDoc{known(v.Days), known(v.Launches), v.Runs, known(v.Intervals)},
		Mean: Num(v.Mean), Components: []componentDoc{}, Floors: []floorDoc{},
		Repeatability: newRangeDoc(v.Repeatability), DayToDay: newRangeDoc(v.DayToDay), NoiseFloor: newRangeDoc(ownFloor(v)),
		Warnings: warningDocs(v.Result.Warnings),
	}
	for _, c := range v.Components {
		doc.Components = append(doc.Components, componentDoc{c.Level, Num(c.Var), Num(c.SDRel), Num(c.Lo), Num(c.Hi), Num(c.Share)})
	}
	for _, f := range v.Floors {
		doc.Floors = append(doc.Floors, floorDoc{f.Days, f.RunsPerDay, Num(f.MDE), Num(f.Lo), Num(f.Hi)})
	}
	return doc
}

// ownFloor is what a design of as many days as these runs have could detect,
// with the most runs a day that were asked about; unknown if none was.
func ownFloor(v *Variance) analysis.Estimate {
	own := analysis.Estimate{Value: math.NaN(), Lo: math.NaN(), Hi: math.NaN()}
	for _, f := range v.Floors {
		if f.Days == v.Days {
			own.Value, own.Lo, own.Hi = f.MDE, f.Lo, f.Hi
		}
	}
	return own
}

// stratumDoc is an object with the factors in their order, values keeping
// their type.
type stratumDoc []group.Field

// MarshalJSON writes the fields in their order, which a map would lose.
func (s stratumDoc) MarshalJSON() ([]byte, error) {
	return object(len(s), func(i int) (string, any) { return s[i].Name, s[i].Value })
}

// warningDoc is a warning: its kind, its sentence, and the numbers in it by
// name.
type warningDoc struct{ analysis.Warning }

func warningDocs(lists ...[]analysis.Warning) []warningDoc {
	docs := []warningDoc{}
	for _, warnings := range lists {
		for _, w := range warnings {
			docs = append(docs, warningDoc{w})
		}
	}
	return docs
}

// MarshalJSON writes kind and text, then the fields of the warning in snake
// case. Embedded structs are part of the warning.
func (d warningDoc) MarshalJSON() ([]byte, error) {
	keys, values := []string{"kind", "text"}, []any{d.Kind(), d.Text()}
	v := reflect.Indirect(reflect.ValueOf(d.Warning))
	if v.Kind() == reflect.Struct {
		for _, f := range reflect.VisibleFields(v.Type()) {
			key := snake(f.Name)
			if !f.IsExported() || f.Anonymous || key == "kind" || key == "text" {
				continue
			}
			keys, values = append(keys, key), append(values, finite(v.FieldByIndex(f.Index)))
		}
	}
	return object(len(keys), func(i int) (string, any) { return keys[i], values[i] })
}

// finite turns the numbers of a warning's fields into ones that JSON can hold.
func finite(v reflect.Value) any {
	switch v.Kind() {
	case reflect.Float64:
		return Num(v.Float())
	case reflect.Slice, reflect.Array:
		items := []any{}
		for i := range v.Len() {
			items = append(items, finite(v.Index(i)))
		}
		return items
	case reflect.Struct:
		if _, ok := v.Interface().(json.Marshaler); ok {
			return v.Interface()
		}
		fields := fieldsDoc{}
		for _, f := range reflect.VisibleFields(v.Type()) {
			if f.IsExported() && !f.Anonymous {
				fields = append(fields, fieldDoc{snake(f.Name), finite(v.FieldByIndex(f.Index))})
			}
		}
		return fields
	}
	return v.Interface()
}

type fieldDoc struct {
	name  string
	value any
}

type fieldsDoc []fieldDoc

func (s fieldsDoc) MarshalJSON() ([]byte, error) {
	return object(len(s), func(i int) (string, any) { return s[i].name, s[i].value })
}

// object writes a JSON object with its keys in the order given.
func object(n int, field func(i int) (key string, value any)) ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i := range n {
		if i > 0 {
			b.WriteByte(',')
		}
		key, value := field(i)
		k, err := json.Marshal(key)
		if err != nil {
			return nil, err
		}
		v, err := json.Marshal(value)
		if err != nil {
			return nil, err
		}
		b.Write(k)
		b.WriteByte(':')
		b.Write(v)
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// snake turns a Go name into the spelling of the document: UpperBase ->
// upper_base, MDE -> mde.
func snake(name string) string {
	var b strings.Builder
	runes := []rune(name)
	for i, r := range runes {
		if unicode.IsUpper(r) && i > 0 && (unicode.IsLower(runes[i-1]) || i+1 < len(runes) && unicode.IsLower(runes[i+1])) {
			b.WriteByte('_')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}

// looks says how often the data are looked at.
func looks(n int) string {
	if n > 1 {
		return "daily"
	}
	return "once"
}

func better(u unit.Unit) string { return u.Better.String() }

// known is a count that may be unknown, which 0 stands for.
func known(n int) *int {
	if n == 0 {
		return nil
	}
	return &n
}

func named(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// list is never null.
func list[T any](items []T) []T {
	if items == nil {
		return []T{}
	}
	return items
}
