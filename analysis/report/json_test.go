package report

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"noisefloor/analysis"
)

func encoded(t *testing.T, r *Report) (string, map[string]any) {
	t.Helper()
	var b bytes.Buffer
	if err := JSON(&b, r); err != nil {
		t.Fatal(err)
	}
	var doc map[string]any
	if err := json.Unmarshal(b.Bytes(), &doc); err != nil {
		t.Fatal(err)
	}
	return b.String(), doc
}

func TestJSONGolden(t *testing.T) {
	for name, r := range samples() {
		text, _ := encoded(t, r)
		golden(t, name+".json", text)
	}
}

func TestJSONIsStable(t *testing.T) {
	first, _ := encoded(t, full())
	for range 5 {
		if again, _ := encoded(t, full()); again != first {
			t.Fatal("two calls print different documents")
		}
	}
}

// The keys are those of DESIGN.md, section 4: all of them, in every report.
func TestJSONHasEveryKey(t *testing.T) {
	has := func(what string, got any, want string) {
		t.Helper()
		object, ok := got.(map[string]any)
		if !ok {
			t.Errorf("%s is %T, not an object", what, got)
			return
		}
		keys := slices.Sorted(maps.Keys(object))
		wanted := strings.Fields(want)
		slices.Sort(wanted)
		if diff := cmp.Diff(wanted, keys); diff != "" {
			t.Errorf("%s (-want +got)\n%s", what, diff)
		}
	}
	for name, r := range samples() {
		_, doc := encoded(t, r)
		has(name, doc, "schema version seed inputs design comparisons headlines gate variance steady scaling crossovers history factors profile plan warnings")
		has(name+" inputs", doc["inputs"], "sources runs where problems")
		has(name+" design", doc["design"], "by base factors days interleaved aliased")
		has(name+" plan", doc["plan"], "rows")
		for _, key := range []string{"comparisons", "headlines", "variance", "steady", "scaling", "crossovers", "history", "factors", "profile", "warnings"} {
			if _, ok := doc[key].([]any); !ok {
				t.Errorf("%s: %s is %T, not a list", name, key, doc[key])
			}
		}
	}
	_, doc := encoded(t, full())
	row := doc["comparisons"].([]any)[0].(map[string]any)
	has("comparison", row, `metric unit better scale stratum base contender ratio difference lo hi lo_adj hi_adj confidence p p_adjusted p_equiv_adjusted
		df method aggregate family verdict exceeds_margin margin cut_s noise_floor days_planned looks settle conditional cross_check warnings`)
	has("headline", doc["headlines"].([]any)[0], `metric unit better scale stratum base contender ratio difference lo hi lo_adj hi_adj confidence p p_adjusted p_equiv_adjusted
		df method aggregate family verdict exceeds_margin margin cut_s noise_floor days_planned looks settle conditional cross_check warnings strata dropped`)
	has("base", row["base"], "level runs days launches mean left_out")
	has("noise_floor", row["noise_floor"], "value lo hi")
	noise := doc["variance"].([]any)[0].(map[string]any)
	has("variance", noise, "metric unit stratum n mean components repeatability day_to_day noise_floor floors warnings")
	has("n", noise["n"], "days launches runs intervals")
	has("component", noise["components"].([]any)[0], "level var sd_rel lo hi share")
	has("factor", doc["design"].(map[string]any)["factors"].([]any)[0], "name levels role")
}

func TestJSONUnknownIsNull(t *testing.T) {
	_, doc := encoded(t, oneDay())
	row := doc["comparisons"].([]any)[0].(map[string]any)
	for _, key := range []string{"lo", "hi", "lo_adj", "hi_adj", "p", "p_adjusted", "p_equiv_adjusted", "df", "days_planned", "cross_check"} {
		if v := row[key]; v != nil {
			t.Errorf("%s of an unsupported row is %v, want null", key, v)
		}
	}
	if row["ratio"] == nil {
		t.Error("an unsupported row keeps its ratio")
	}
	noise := doc["variance"].([]any)[0].(map[string]any)
	if v := noise["day_to_day"].(map[string]any)["value"]; v != nil {
		t.Errorf("day-to-day of one day is %v, want null", v)
	}
	if v := noise["components"].([]any)[0].(map[string]any)["hi"]; v != nil {
		t.Errorf("upper bound of an unknown component is %v, want null", v)
	}
	_, doc = encoded(t, nothing())
	for _, key := range []string{"by", "base", "interleaved"} {
		if v := doc["design"].(map[string]any)[key]; v != nil {
			t.Errorf("%s of no design is %v, want null", key, v)
		}
	}
}

func TestJSONKeepsTypesAndUnits(t *testing.T) {
	text, doc := encoded(t, full())
	rows := doc["comparisons"].([]any)
	if diff := cmp.Diff(map[string]any{"threads": 1., "workload": "oltp_read_only"}, rows[0].(map[string]any)["stratum"]); diff != "" {
		t.Error(diff)
	}
	if !strings.Contains(text, "\"stratum\": {\n        \"threads\": 1,\n        \"workload\": \"oltp_read_only\"\n      }") {
		t.Error("a stratum does not keep the order of its factors")
	}
	for _, row := range rows {
		row := row.(map[string]any)
		switch row["metric"] {
		case "latency_p95":
			if mean := row["base"].(map[string]any)["mean"]; mean != .0123 {
				t.Errorf("latency is %v, want 0.0123 seconds", mean)
			}
		case "errors_per_s":
			if row["scale"] != "difference" || row["ratio"] != nil || row["lo"] != -.004 {
				t.Errorf("a difference has scale %v, ratio %v, lo %v", row["scale"], row["ratio"], row["lo"])
			}
		}
	}
}

// Full precision: what is read back is what was computed.
func TestJSONRoundTrip(t *testing.T) {
	r := full()
	_, doc := encoded(t, r)
	for i, row := range doc["comparisons"].([]any) {
		c, row := r.Comparisons[i], row.(map[string]any)
		for key, want := range map[string]float64{"lo": c.Lo, "hi": c.Hi, "p": c.P, "p_adjusted": c.PAdjusted, "lo_adj": c.LoAdj} {
			if got, ok := row[key].(float64); ok && got != want {
				t.Errorf("%s of row %d is %v, was %v", key, i, got, want)
			}
		}
		if row["verdict"] != string(c.Verdict) || row["contender"].(map[string]any)["level"] != c.Level {
			t.Errorf("row %d is %v of %v", i, row["verdict"], row["contender"])
		}
	}
}

// A warning is its kind, its sentence and its numbers by name, those of
// embedded structs too.
func TestJSONWarning(t *testing.T) {
	got, err := json.Marshal(warningDocs([]analysis.Warning{
		analysis.OneSharedDay{Day: "2026-11-28", Remedy: analysis.Remedy{AtBest: nan}},
		analysis.WildRuns{Runs: []analysis.WildRun{{ID: "ab", Arm: "base", Value: 7}}},
	}))
	if err != nil {
		t.Fatal(err)
	}
	var docs []map[string]any
	if err := json.Unmarshal(got, &docs); err != nil {
		t.Fatal(err)
	}
	delete(docs[0], "text")
	delete(docs[1], "text")
	want := []map[string]any{
		{"kind": "one-shared-day", "day": "2026-11-28", "at_best": nil},
		{"kind": "wild-runs", "runs": []any{map[string]any{"id": "ab", "arm": "base", "day": "", "value": 7.}}},
	}
	if diff := cmp.Diff(want, docs); diff != "" {
		t.Error(diff)
	}
}

func TestSnake(t *testing.T) {
	for name, want := range map[string]string{"UpperBase": "upper_base", "MDE": "mde", "ID": "id", "AtBest": "at_best", "SDRel": "sd_rel"} {
		if got := snake(name); got != want {
			t.Errorf("snake(%s) = %s, want %s", name, got, want)
		}
	}
}
