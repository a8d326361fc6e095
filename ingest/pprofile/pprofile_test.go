package pprofile

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"runtime/pprof"
	"strings"
	"testing"
	"time"

	"github.com/google/pprof/profile"

	"noisefloor/datasets"
	"noisefloor/ingest/internal/scantest"
)

func told(text io.Reader) (list []scantest.Record, err error) {
	var problems []scantest.Record
	rows, duration, err := Scan(text, func(p datasets.Problem) {
		problems = append(problems, scantest.Problem(p))
	})
	for _, s := range rows {
		list = append(list, scantest.Record{Text: fmt.Sprintf("%s|%s|%s %v %v", s.Event, s.Comm, strings.Join(s.Frames, ";"), s.Weight, s.Samples)})
	}
	if !math.IsNaN(duration) {
		list = append(list, scantest.Record{Text: fmt.Sprint(duration, " s")})
	}
	return append(list, problems...), err
}

func function(id uint64, name string) *profile.Function { return &profile.Function{ID: id, Name: name} }

// sampled is a profile of two stacks, one with an inlined function, one with an
// address of a library without symbols.
func sampled(types ...string) *profile.Profile {
	lib := &profile.Mapping{ID: 1, Start: 0x1000, Limit: 0x9000, File: "/usr/lib/libz.so.1"}
	main, read, copied := function(1, "main"), function(2, "net/http.(*conn).serve"), function(3, "copy(int, long)")
	locations := []*profile.Location{
		{ID: 1, Line: []profile.Line{{Function: main}}},
		{ID: 2, Line: []profile.Line{{Function: copied}, {Function: read}}},
		{ID: 3, Address: 0x1234, Mapping: lib},
	}
	p := &profile.Profile{Function: []*profile.Function{main, read, copied}, Location: locations, Mapping: []*profile.Mapping{lib}, DurationNanos: 2.5e9}
	values := func(n int64) (list []int64) {
		for i := range types {
			list = append(list, n*int64(1+9*i))
		}
		return list
	}
	for _, t := range types {
		p.SampleType = append(p.SampleType, &profile.ValueType{Type: t, Unit: "count"})
	}
	p.Sample = []*profile.Sample{
		{Location: []*profile.Location{locations[1], locations[0]}, Value: values(3), Label: map[string][]string{"comm": {"server"}}},
		{Location: []*profile.Location{locations[2], locations[0]}, Value: values(1)},
	}
	return p
}

func proto(t testing.TB, p *profile.Profile) string {
	t.Helper()
	var b bytes.Buffer
	if err := p.WriteUncompressed(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func finds(t *testing.T, data string, want ...string) {
	t.Helper()
	list, err := told(strings.NewReader(data))
	if err != nil {
		t.Error(err)
	}
	var got []string
	for _, r := range list {
		got = append(got, r.Text)
	}
	if g, w := strings.Join(got, "\n"), strings.Join(want, "\n"); g != w {
		t.Errorf("got\n%s\nwant\n%s", g, w)
	}
}

func TestScan(t *testing.T) {
	finds(t, proto(t, sampled("samples", "cpu")),
		"cpu||main;[libz.so.1] 10 1", "cpu|server|main;net/http.(*conn).serve;copy 30 3", "2.5 s")
	finds(t, proto(t, sampled("samples")),
		"samples||main;[libz.so.1] 1 1", "samples|server|main;net/http.(*conn).serve;copy 3 3", "2.5 s")
	finds(t, proto(t, sampled("alloc_objects", "alloc_space")),
		"alloc_objects||main;[libz.so.1] 1 NaN", "alloc_objects|server|main;net/http.(*conn).serve;copy 3 NaN",
		"alloc_space||main;[libz.so.1] 10 NaN", "alloc_space|server|main;net/http.(*conn).serve;copy 30 NaN", "2.5 s")
	finds(t, "\x1f\x8b", "broken-profile 1: compressed twice")
}

// A profile that Go made is known by its first bytes and read whole.
func TestRealProfile(t *testing.T) {
	var b bytes.Buffer
	if err := pprof.StartCPUProfile(&b); err != nil {
		t.Skip(err) // go test -cpuprofile
	}
	for end := time.Now().Add(300 * time.Millisecond); time.Now().Before(end); {
		fmt.Fprint(io.Discard, strings.Repeat("x", 1000))
	}
	pprof.StopCPUProfile()
	p, err := profile.Parse(&b)
	if err != nil {
		t.Fatal(err)
	}
	data := proto(t, p)
	if !Sniff([]byte(data)) {
		t.Errorf("begins with %q, not recognised", data[:16])
	}
	rows, duration, err := Scan(strings.NewReader(data), func(p datasets.Problem) { t.Error(p) })
	if err != nil || len(p.Sample) > 0 && len(rows) == 0 || duration < .2 {
		t.Errorf("%d rows, %v s, %v", len(rows), duration, err)
	}
	for _, data := range []string{proto(t, sampled("cpu")), proto(t, sampled("alloc_objects", "alloc_space"))} {
		if !Sniff([]byte(data)) {
			t.Errorf("begins with %q, not recognised", data[:16])
		}
	}
	for _, text := range []string{"", "\n\nhello", "mariadbd;f 3\n", "\nsysbench 1.0.20", "x 1 2.5: cycles:\n"} {
		if Sniff([]byte(text)) {
			t.Errorf("%q is no profile", text)
		}
	}
}

func TestScanner(t *testing.T) {
	scantest.Check(t, told, proto(t, sampled("samples", "cpu")), proto(t, sampled("alloc_space")))
}

func FuzzScan(f *testing.F) {
	f.Add([]byte(proto(f, sampled("samples", "cpu"))))
	f.Fuzz(func(t *testing.T, data []byte) {
		if _, _, err := Scan(bytes.NewReader(data), nil); err != nil {
			t.Fatal(err)
		}
	})
}
