package runmeta

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	"noisefloor/datasets"
	"noisefloor/ingest/internal/scantest"
)

// want is written as key=value; the type stands behind it: i, f, b, t.
func check(t *testing.T, text string, want ...string) Map {
	t.Helper()
	m, err := Parse([]byte(text))
	if err != nil {
		t.Errorf("%q: %v", text, err)
	}
	var got []string
	for _, e := range m.Entries {
		kind := map[datasets.Kind]string{datasets.IntKind: "i", datasets.FloatKind: "f", datasets.BoolKind: "b", datasets.TextKind: "t"}[e.Value.Kind()]
		got = append(got, e.Key+"="+e.Value.String()+":"+kind)
	}
	if !slices.Equal(got, want) {
		t.Errorf("%q:\ngot  %q\nwant %q", text, got, want)
	}
	return m
}

func TestJSON(t *testing.T) {
	check(t, `{"allocator": "jemalloc", "order": 3, "profiled": false, "load1_before": 4.83, "memory_bytes": 25276063744, "nothing": null}`,
		"allocator=jemalloc:t", "order=3:i", "profiled=false:b", "load1_before=4.83:f", "memory_bytes=25276063744:i")
	check(t, `{"server": {"version": "9.7.0", "cnf": {"innodb-buffer-pool": "12G"}}, "args": ["--a", "--b"]}`,
		"server_version=9.7.0:t", "server_cnf_innodb_buffer_pool=12G:t", "args=--a --b:t")
	check(t, `{"version": 9.10, "ratio": 9.10}`, "version=9.10:t", "ratio=9.1:f") // a version is no number
	m := check(t, `{"threads": 8, "plan": [{"order": 1}, {"order": 2}]}`, "threads=8:i")
	if !slices.Equal(m.Unread, []string{"plan"}) {
		t.Errorf("lists: %q", m.Unread)
	}
	m = check(t, `{"a": 1, "a": 2}`, "a=1:i")
	if !slices.Equal(m.Twice, []string{"a"}) {
		t.Errorf("twice: %q", m.Twice)
	}
}

// The envelope of an API says nothing about a run.
func TestEnvelope(t *testing.T) {
	check(t, `{"status": "success", "code": 0, "message": "", "data": {"resultType": "scalar", "buffer_pool": "8G", "code": 7}}`, "data_buffer_pool=8G:t", "data_code=7:i")
	check(t, `{"success": true, "error": null, "result": {"pool": "8G"}}`, "result_pool=8G:t")
	check(t, `{"status": "success", "pool": "8G"}`, "status=success:t", "pool=8G:t") // no envelope
	check(t, `{"status": "failed", "data": {"pool": "8G"}}`, "status=failed:t", "data_pool=8G:t")
}

func TestBrokenJSON(t *testing.T) {
	check(t, `{"cache-size":196,"user-threads":84}"`, "cache_size=196:i", "user_threads=84:i") // a harness of 2016 wrote it with the stray quote
	check(t, `{"threads": 8, "name": "x",}`, "threads=8:i", "name=x:t")
	check(t, "{\n  // how\n  \"threads\": 8, # many\n  \"name\": \"a//b#c\"\n}", "threads=8:i", "name=a//b#c:t")
	check(t, `{'threads': 8, 'name': "it's"}`, "threads=8:i", "name=it's:t")
	check(t, `{threads: 8, rate: NaN, on: True, x: 1e5}`, "threads=8:i", "on=true:b", "x=100000:f")
	if _, err := Parse([]byte(`{"a" "b" "c"}`)); err == nil {
		t.Error("accepted what is no JSON at all")
	}
}

func told(text io.Reader) (list []scantest.Record, err error) {
	data, err := io.ReadAll(text)
	m, broken := Parse(data)
	for _, e := range m.Entries {
		list = append(list, scantest.Record{Text: e.Key + "=" + e.Value.String()})
	}
	if broken != nil {
		list = append(list, scantest.Record{Line: 1, Text: broken.Error()})
	}
	return list, err
}

// A last line without an end is read where people write lines: their editors leave it
// out too often, so that one that was cut cannot be told from it.
func TestCut(t *testing.T) {
	is := func(text string, want ...string) {
		t.Helper()
		scantest.Finds(t, told, text, append(want, "@1 the end is missing")...)
	}
	is(`{"threads": 8, "name": "cut of`, "threads=8")
	is(`{"threads": 8, "server": {"version": "9.7.0"`, "threads=8", "server_version=9.7.0")
	is(`{"threads": 8, "name":`, "threads=8")
	is(`{"threads": 8, "pool": 12`, "threads=8")
	is(`{"threads": 8, "pool": 12,`, "threads=8", "pool=12")
	is(`{"threads": 8, "options": ["a", "b"`, "threads=8")
	is(`{'threads': 8, 'on': Tru`, "threads=8")
	const object = `{"threads": 128, "server": {"version": "9.7.0", "ratio": 0.125, "on": true, "cnf": ["a b", "c"], "list": [{"a": 1}, [2, 3]]}, "pool": 12}`
	scantest.Cut(t, told, scantest.Partly, object, strings.ReplaceAll(object, ", ", ",\n  ")+"\n", strings.ReplaceAll(object, `"`, "'"))
	lines := func(text io.Reader) ([]scantest.Record, error) {
		data, err := io.ReadAll(text)
		if err != nil {
			return nil, err
		}
		end := bytes.LastIndexByte(data, '\n') + 1
		list, err := told(bytes.NewReader(data[:end]))
		if end < len(data) {
			list = append(list, scantest.Record{Line: 1})
		}
		return list, err
	}
	scantest.Cut(t, lines, scantest.Partly, "threads: 128\nserver:\n  version: 9.7.0\n  ratio: 0.125\npool: 12\n", "threads = 128\n[server]\nversion = 9.10\nname = \"ps\"\npool = 12\n",
		"export THREADS=128\nNAME='a b' # the name\npool=12G\n", "[run]\nthreads=128\nwhat=more = less\n", "Buffer pool: 12G\r\nThreads: 128\r\n")
}

func TestYAML(t *testing.T) {
	check(t, "server: ps8\nbuffer_pool: 140\nio_capacity: 6000\nstorage: SSD\n", "server=ps8:t", "buffer_pool=140:i", "io_capacity=6000:i", "storage=SSD:t")
	check(t, "version: 9.10\nthreads: \"8\"\non: true\nratio: 0.5\n", "version=9.10:t", "threads=8:t", "on=true:b", "ratio=0.5:f")
	check(t, "server:\n  version: 8.0.42\n  cnf:\n    pool: 12G\noptions:\n  - a\n  - b\n", "server_version=8.0.42:t", "server_cnf_pool=12G:t", "options=a b:t")
	check(t, "only: one\n", "only=one:t")
	check(t, "base: &b\n  x: 1\nuse: *b\n", "base_x=1:i") // aliases are not followed
}

func TestTOML(t *testing.T) {
	check(t, "threads = 8\n[server]\nversion = 9.10\nname = \"ps\"\nflags = [\"a\", \"b\"]\n", "server_flags=a b:t", "server_name=ps:t", "server_version=9.10:t", "threads=8:i")
}

func TestLines(t *testing.T) {
	check(t, "export THREADS=8\nNAME='a b' # the name\npool=12G\n", "threads=8:i", "name=a b:t", "pool=12G:t")
	check(t, "[run]\nthreads=8\nwhat=more = less\n", "run_threads=8:i", "run_what=more = less:t")
	check(t, "command: sysbench --x: y\nthreads: 8\n", "command=sysbench --x: y:t", "threads=8:i")
	check(t, "Buffer pool: 12G\r\nThreads: 8\r\n", "buffer_pool=12G:t", "threads=8:i")
}

func TestSecretsNeverComeOut(t *testing.T) {
	for _, text := range []string{
		`{"threads": 8, "mysql_password": "hunter2", "auth": {"token": "hunter2"}, "command": "sysbench --mysql-password=hunter2 run"}`,
		"threads: 8\nmysql_password: hunter2\nurl: mysql://root:hunter2@db/x\n",
		"threads = 8\nsecret = \"hunter2\"\n",
		"threads=8\nDB_PASS=hunter2\n",
		"threads: 8\npassword: |\n  hunter2\n  hunter2\npasswords:\n  root: hunter2\n",
		"threads: 8\nkind: Secret\ndata:\n  mysql: hunter2\nstringData:\n  root: hunter2\n",
	} {
		m, err := Parse([]byte(text))
		if err != nil {
			t.Errorf("%q: %v", text, err)
		}
		for _, e := range m.Entries {
			if strings.Contains(e.Value.String(), "hunter2") {
				t.Errorf("%q: %s = %s", text, e.Key, e.Value)
			}
		}
		if v, ok := m.Get("threads"); !ok || v != datasets.Int(8) {
			t.Errorf("%q: threads = %s", text, v)
		}
	}
}

func TestNotAMap(t *testing.T) {
	for _, text := range []string{"", "   \n", "[1, 2]", "- a\n- b\n", "just words", "\xff\xfe", "{\"a\": 1}\n{\"a\": 2}\n"} {
		if _, err := Parse([]byte(text)); !errors.Is(err, ErrNotMap) {
			t.Errorf("%q: %v", text, err)
		}
	}
	if _, err := Parse(make([]byte, MaxSize+1)); err == nil {
		t.Error("no limit on the size")
	}
	if _, err := Parse([]byte(strings.Repeat(`{"a":`, 100))); err == nil {
		t.Error("no limit on the depth")
	}
}

func TestSniff(t *testing.T) {
	for _, text := range []string{`{"a": 1}`, `{}`, "{ // c\n\"a\": 1}", "a: 1\n", "a=1\n", "# c\n[s]\nk = v\n", "a:\n  - b\n  - c\n", "a:\n- b\n", "---\na: 1\n", "mysql: [Warning] Using a password\nversion=8.0\n", "Buffer pool: 12G\n", "a=1,2,3\nb=4\nc=7,8,9\n", "mask=0,1,6\nother=2,3,4\n"} {
		if !Sniff([]byte(text), true) {
			t.Errorf("%q: not taken for a map", text)
		}
	}
	for _, text := range []string{"", "{", "words\n", "a: 1\nwords\n", "12:30 lunch\n", "http://example.org\n", "{\"a\": 1}\n{\"a\": 2}\n", "[1, 2]", "| a | b |\n",
		"a;b;c 12\n", "- a\n", "# only a heading\n", "a_range=100,2,3\nb_range=100,4,5\nc_range=10,6,7\n", "type=pareto\nsysbench oltp_read_only --tables=1 prepare\n", "This is a long sentence with a colon: here\n",
		"mysqladmin: [Warning] Using a password on the command line interface can be insecure.\n", "numpy==1.2\npandas==1.3\n"} {
		if Sniff([]byte(text), true) {
			t.Errorf("%q: taken for a map", text)
		}
	}
	if !Sniff([]byte("a: 1\nb: 2\nsome cut li"), false) {
		t.Error("the last line of a head may be cut")
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{`{"cache-size":196,"user-threads":84}"`, "a: 1\nb:\n  - c\n", "[s]\na = 1\n", "a=1\n", "{'a': [1, {", "a: &x [*x]\n", "\xef\xbb\xbfa: 1\r\n", "{\"password\": \"x\"}"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		Sniff(data, true)
		m, _ := Parse(data)
		seen := map[string]bool{}
		for _, e := range m.Entries {
			if e.Key == "" || e.Value.IsNull() || seen[e.Key] {
				t.Fatalf("bad entry %q = %q", e.Key, e.Value)
			}
			seen[e.Key] = true
		}
	})
}
