package ingest

import (
	"strings"
	"testing"

	"noisefloor/datasets"
)

// An object a file: runs where it holds results and nothing else does, metadata of
// the log beside it else.
func TestObjectsOfResults(t *testing.T) {
	const first, second = `{"version": "8.0.42", "config": {"threads": 8}, "result": {"tps": 3120.4, "p95_ms": 3.1}, "password": "hunter2"}`, `{"version": "9.3.0", "config": {"threads": 8}, "result": {"tps": 3171.3, "p95_ms": 3.0}}`
	m, s := ingestTree(t, Options{}, tree(t, map[string]string{"8.0.42.json": first, "9.3.0.json": second, "package.json": `{"name": "bench", "timeout": 30, "dependencies": {"x": 2}}`}))
	if len(m.batch.Runs) != 2 {
		t.Fatalf("%d runs; %s", len(m.batch.Runs), s.Nothing)
	}
	if r := m.batch.Runs[0]; r.Threads != 8 || r.Metrics["tps"] != 3120.4 || r.Metrics["latency_p95"] != 0.0031 || r.Factors["version"] != datasets.Text("8.0.42") {
		t.Errorf("%+v", r)
	}
	for _, r := range m.batch.Runs {
		for name, v := range r.Factors {
			if strings.Contains(v.String(), "hunter2") {
				t.Errorf("%s: %s", name, v)
			}
		}
	}
	m, _ = ingestTree(t, Options{}, tree(t, map[string]string{"a.log": "log 8", "a.json": first}))
	if len(m.batch.Runs) != 1 || m.batch.Runs[0].Factors["version"] != datasets.Text("8.0.42") {
		t.Errorf("beside a log: %d runs, %v", len(m.batch.Runs), m.batch.Runs[0].Factors)
	}
	for _, text := range []string{`{"threads": 8, "duration": 60}`, `{"version": "1.0.0", "size": 12.5}`, `{"tps": "fast"}`} {
		if m, s := ingestTree(t, Options{}, tree(t, map[string]string{"a.json": text})); len(m.batch.Runs) > 0 || !strings.Contains(s.Nothing, "metadata without a run") {
			t.Errorf("%s: %d runs, %s", text, len(m.batch.Runs), s.Nothing)
		}
	}
}

// A page of a report counts where there is nothing that it could be made of.
func TestPagesOfReports(t *testing.T) {
	const page = "<html><h1>Report</h1><table><tr><th>version</th><th>threads</th><th>tps</th></tr>\n<tr><td>8.0.42</td><td>8</td><td>1234.5</td></tr>\n<tr><td>8.4.5</td><td>8</td><td>1334.5</td></tr></table></html>"
	if m, s := ingestTree(t, Options{}, tree(t, map[string]string{"report.html": page})); len(m.batch.Runs) != 2 {
		t.Errorf("alone: %d runs; %s", len(m.batch.Runs), s.Nothing)
	}
	m, s := ingestTree(t, Options{}, tree(t, map[string]string{"report.html": page, "a.log": "log 8"}))
	if len(m.batch.Runs) != 1 || len(s.Skipped) == 0 {
		t.Errorf("beside a log: %d runs, %v", len(m.batch.Runs), s.Skipped)
	}
}

func TestResultsInOtherWriting(t *testing.T) {
	m, s := ingestTree(t, Options{}, tree(t, map[string]string{"8.0.42.txt": "threads=8\ntps=3120.4\npassword=hunter2\n", "9.3.0.yaml": "threads: 8\ntps: 3171.3\n"}))
	if len(m.batch.Runs) != 2 || m.batch.Runs[1].Metrics["tps"] != 3171.3 || m.batch.Runs[0].Factors["password"] != (datasets.Value{}) {
		t.Errorf("%d runs; %s", len(m.batch.Runs), s.Nothing)
	}
	m, _ = ingestTree(t, Options{}, tree(t, map[string]string{"a.json": `{"host": "db1", "results": [{"threads": 1, "tps": 100}, {"threads": 8, "tps": 700}]}`}))
	if len(m.batch.Runs) != 2 || m.batch.Runs[1].Threads != 8 || m.batch.Runs[1].Host != "db1" {
		t.Errorf("a tree: %+v", m.batch.Runs)
	}
	m, _ = ingestTree(t, Options{}, tree(t, map[string]string{"a.log": "log 8", "a.json": `{"results": [{"threads": 1, "tps": 100}, {"threads": 8, "tps": 700}]}`}))
	if len(m.batch.Runs) != 1 {
		t.Errorf("a tree beside a log: %d runs", len(m.batch.Runs))
	}
}
