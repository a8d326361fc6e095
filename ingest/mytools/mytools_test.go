package mytools

import (
	"math"
	"strings"
	"testing"

	"noisefloor/datasets"
	"noisefloor/ingest/internal/scantest"
)

// The texts have the shape of real files; their numbers are ours.
const (
	heads = "ips\tqps\trps\trmbps\twps\twmbps\trpq\trkbpq\twpi\twkbpi\tcsps\tcpups\tcspq\tcpupq\tdbgb1\tdbgb2\trss\tmaxop\tp50\tp99\ttag\n"
	steps = "l.i0\n" + heads +
		"100000\t0\t10\t2.0\t51.5\t32.0\t0.009\t0.035\t0.000\t0.236\t15000\t45.5\t0.109\t13\t1.3\t2.0\t0.5\t0.265\t101000\t18000\tmy8036_rel.cx6d\n" +
		"-\n" +
		"90000\t0\t0\t0.0\t73.3\t43.2\t0.000\t0.000\t0.001\t0.429\t12591\t42.0\t0.122\t16\t1.9\t5.2\t0.0\t0.005\tNA\tNA\t20m.pg131.cx5\n" +
		"\nq100.1\n" + heads +
		"100\t5000\t0.0\t0.0\t133.5\t3.3\t0.000\t0.000\tinf\t33.395\t24752\t29.5\t4.008\t191\t8.0\t48.5\t8.4\t0.016\t6185\t6041\tmy8036_rel.cx6d\n"
	ratios = heads + "0.74\t1\t0.00\t0.00\t1.43\t1.34\t0.00\t0.00\tinf\t1.82\t0.83\t0.92\t1.12\t1.23\t1.46\t0.12\t0.00\t0.02\t0.72\t4.50\tpg131.cx5\n" +
		"1\t1\t1.00\t0.00\t1.43\t1.34\t0.00\t0.00\tinf\t1.82\t0.83\t0.92\t1.12\t1.23\t1.46\t0.12\t0.00\t0.02\t0.72\t4.50\tpg124.cx5\n"
	untitled = heads + row1 + row2
	row1     = "84388\t0\t0.0\t0.0\t117.0\t22.2\t0.000\t0.000\t0.001\t0.270\t18355\t40.4\t0.218\t19\t1.3\t41.9\t2.5\t0.106\t85509\t50087\t20m.my8021.cx6d\n"
	row2     = "155814\t0\t0.0\t0.0\t1384.1\t125.9\t0.000\t0.000\t0.009\t0.827\t9111\t24.4\t0.058\t6\t3.0\t43.5\t3.0\t0.022\tNA\tNA\t20m.my8021.cx6d\n"
	byTest   = "sb.prepare.met.point-query.warm.range100.pk1\n--- absolute\ncpu/o\t\tcs/o\tr/o\trKB/o\twKB/o\to/s\tdbms\n" +
		"0.000033\t0.027\t0\t2\t0.5\t110497\tx.pg1222_o2nofp.x10a_c32r128.pk1\n--- relative to first result\n0.97\t\t0.96\t1\t1\t1.00\t1.04\tx.pg1322_o2nofp.x10a_c32r128.pk1\n\n" +
		"sb.o.delete.range100.pk1.dop24\n99009\tx.my5649.x6d.pk1\n99009\tx.my8022.x6d.pk1\n"
	columns = "col-1 : x.my8043_rel.z12a_c32r128.pk1\ncol-2 : 9.4.0 with another config\n\ncol-1\tcol-2\tpoint queries, first run\n72716\t73816\thot-points_range=100\n402447\t402447\tpoint-query_range=100\n" +
		"\nRelative to: 8.0.43\ncol-1 : 9.4.0\n\ncol-1\n1.02\thot-points_range=100\n2\tpoint-query_range=100\n"
	older = "i_sec\tt_sec\ti_ips\tt_ips\ti_qps\tt_qps\tmax_i\tmax_q\tt_ins\tt_query\n" +
		"1.0\t1.0\t61833\t61833\t0\t0\t2919\t0\t61900\t0\n1.0\t2.0\t63625\t62729\t0\t0\t1983\t0\t125600\t0\nCreated secondary indexes in 12.5 seconds\nTotals: 2.0 secs, 62729.5 rows/sec, 125600 rows\nDone\n"
	newer = "Using Mongo w=1, r=1, j=0, trx=0\ni_sec\tt_sec\ti_ips\tt_ips\ti_dps\tt_dps\ti_qps\tt_qps\tmax_i\tmax_d\tmax_q\tt_ins\tt_del\tt_query\tretry_i\tretry_d\tretry_q\n" +
		"1.0\t1.0\t100\t100\t100\t100\t3000\t3000\t2919\t5000\t40\t100\t100\t3000\t0\t0\t0\n1.5\t2.5\t100\t100\t100\t100\t4000\t3600\t1983\t20\t0\t250\t250\t9000\t1\t0\t2\n" +
		"Query thread: 9000 queries, fetched/query(expected, actual) = ( 10 , 9.998 )\nTotals: 2.5 secs, 100.0 rows/sec, 250 rows, 1 0 2 insert-delete-query retry\nDone\n"
)

var (
	tables = []string{steps, ratios, untitled, byTest, columns}
	logs   = []string{older, newer}
)

func near(t *testing.T, what string, metrics, want map[string]float64) {
	t.Helper()
	for name, v := range want {
		if math.Abs(metrics[name]-v) > 1e-12*v {
			t.Errorf("%s: %s is %v, want %v", what, name, metrics[name], v)
		}
	}
}

func TestTables(t *testing.T) {
	f := scantest.Text(t, Tool, steps)
	if len(f.Runs) != 3 || len(f.Problems) > 0 {
		t.Fatalf("%v", f)
	}
	first, third := f.Runs[0], f.Runs[2]
	near(t, "a load step", first.Metrics, map[string]float64{"tps": 100000, "storage_read_bytes_per_s": 2 << 20, "cpu_seconds_per_query": 13e-6, "rss_bytes": 1 << 29, "latency_max": .265, "rate_p99_per_s": 18000})
	near(t, "a query step", third.Metrics, map[string]float64{"qps": 5000, "inserts_per_s": 100})
	if _, ok := first.Metrics["qps"]; ok || first.Workload != "l.i0" || third.Workload != "q100.1" || first.Factors["build"] != datasets.Text("my8036_rel") || first.Factors["cnf"] != datasets.Text("cx6d") || f.Runs[1].Factors["size"] != datasets.Text("20m") {
		t.Errorf("%v %v", f, first.Factors)
	}
	if _, ok := f.Runs[1].Metrics["rate_p50_per_s"]; ok {
		t.Errorf("NA is a number: %v", f.Runs[1].Metrics)
	}
	if f := scantest.Text(t, Tool, ratios); len(f.Runs) != 0 {
		t.Errorf("ratios are runs: %v", f)
	}
	if f := scantest.Text(t, Tool, untitled); len(f.Runs) != 2 || f.Runs[1].Factors["step"] != datasets.Int(2) {
		t.Errorf("rows of one server without titles: %v", f)
	}
}

func TestSysbenchTables(t *testing.T) {
	f := scantest.Text(t, Tool, byTest)
	if len(f.Runs) != 3 || f.Runs[0].Workload != "point-query.warm.range100" || f.Runs[1].Workload != "delete.range100" || f.Runs[1].Threads != 24 || f.Runs[0].Factors["cnf"] != datasets.Text("x10a_c32r128") {
		t.Fatalf("%v", f)
	}
	near(t, "by operation", f.Runs[0].Metrics, map[string]float64{"qps": 110497, "cpu_seconds_per_query": 33e-6, "storage_read_bytes_per_query": 2048})
	near(t, "a list", f.Runs[1].Metrics, map[string]float64{"qps": 99009})

	f = scantest.Text(t, Tool, columns)
	if len(f.Runs) != 4 || f.Runs[1].Workload != "hot-points_range=100" || f.Runs[1].Factors["build"] != datasets.Text("9.4.0 with another config") || f.Runs[2].Factors["build"] != datasets.Text("my8043_rel") {
		t.Fatalf("%v", f)
	}
	near(t, "abreast", f.Runs[1].Metrics, map[string]float64{"qps": 73816})
	if f.Runs[2].Hash == f.Runs[3].Hash {
		t.Error("two cells of one line have one hash")
	}
}

func TestInsert(t *testing.T) {
	f := scantest.Text(t, Insert, older)
	if len(f.Runs) != 1 || len(f.Problems) > 0 || f.Runs[0].Status != datasets.Complete || f.Runs[0].Intervals.Len() != 2 {
		t.Fatalf("%v", f)
	}
	near(t, "a load", f.Runs[0].Metrics, map[string]float64{"tps": 62729.5, "duration_s": 2, "inserts": 125600, "index_seconds": 12.5})
	if iv := f.Runs[0].Intervals.At(1); iv.T != 2 || iv.TPS != 63625 || iv.LatencyPct != .001983 || iv.Percentile != 100 {
		t.Errorf("%v", iv)
	}
	f = scantest.Text(t, Insert, newer)
	near(t, "queries", f.Runs[0].Metrics, map[string]float64{"qps": 3600, "inserts_per_s": 100, "retries": 3, "duration_s": 2.5})
	if _, ok := f.Runs[0].Metrics["tps"]; ok || f.Runs[0].Intervals.At(0).LatencyPct != .005 {
		t.Errorf("%v", f)
	}
	if f := scantest.Text(t, Insert, older[:strings.Index(older, "Totals")]); f.Runs[0].Status != datasets.Truncated {
		t.Errorf("without totals: %v", f)
	}
}
