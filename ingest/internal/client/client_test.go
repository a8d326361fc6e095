package client

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"testing"

	"noisefloor/ingest/internal/scantest"
)

func told(text io.Reader) (list []scantest.Record, err error) {
	err = Scan(text, func(r *Row) {
		s := fmt.Sprintf("%d: %s", r.Result, strings.Join(r.Cells, " | "))
		if r.Columns != nil {
			s = fmt.Sprintf("%d: [%s] %s", r.Result, strings.Join(r.Columns, " | "), strings.Join(r.Cells, " | "))
		}
		list = append(list, scantest.Record{Text: s})
	}, func(line int, text string) {
		list = append(list, scantest.Record{Text: "other " + text})
	}, func(line int, text string) {
		list = append(list, scantest.Record{Text: "cut " + text})
	})
	return list, err
}

// One result in every form that the clients have, and what stands around it.
var forms = map[string]string{
	"batch": "mysql: [Warning] Using a password on the command line interface can be insecure.\nVariable_name\tValue\nCom_select\t12\nSsl_cipher\t\n",
	"drawn": "+---------------+-------+\n| Variable_name | Value |\n+---------------+-------+\n| Com_select    | 12    |\n| Ssl_cipher    |       |\n+---------------+-------+\n" +
		"+---------------+-------+\n| Variable_name | Value |\n+---------------+-------+\n| Com_select    | 13    |\n+---------------+-------+\n2 rows in set (0.00 sec)\n",
	"mysqladmin":        "+---------------+-------+\n| Variable_name | Value |\n+---------------+-------+\n| Com_select    | 12    |\n+---------------+-------+\n\n+---------------+-------+\n| Variable_name | Value |\n+---------------+-------+\n| Com_select    | 1     |\n+---------------+-------+\n",
	"rulers filtered":   "| Variable_name | Value |\n| Com_select    | 12    |\n| Variable_name | Value |\n| Com_select    | 13    |\n",
	"vertical":          "*************************** 1. row ***************************\nVariable_name: Com_select\n        Value: 12\n*************************** 2. row ***************************\nVariable_name: Ssl_cipher\n        Value: \n",
	"indentation lost":  "*************************** 1. row ***************************\nVariable_name: Com_select\nValue: 12\nTS 1796058361.3 2026-11-30 17:06:01\n",
	"text in a value":   "*************************** 1. row ***************************\n  Type: InnoDB\n  Name: \nStatus: \n=====\nIbuf: size 1\nLOG\n",
	"escaped":           "Type\tName\tStatus\nInnoDB\t\t\\n=====\\nIbuf: a\\tb\\n\n",
	"CSV":               "\"Variable_name\",\"Value\"\n\"Com_select\",\"12\"\n\"Init \"\"x\"\"\",\"a,b\"\n",
	"side by side":      "Com_select 12 15\nUptime 100 110\n",
	"without a heading": "Com_select\t12\nUptime\t100\n",
	"a bar in a value":  "+------+---------+\n| name | comment |\n+------+---------+\n| a    | b | c   |\n+------+---------+\n",
	"other then batch":  "*************************** 1. row ***************************\nVariable_name: Com_select\n        Value: 12\nEVENT_NAME\tCOUNT_STAR\nx\t1\n",
	"cut":               "Variable_name\tValue\nCom_select\t12",
	"cut in a drawing":  "+---------------+-------+\n| Variable_name | Value |\n+---------------+-------+\n| Com_select    | 1",
}

func TestForms(t *testing.T) {
	is := func(form string, want ...string) {
		t.Helper()
		scantest.Finds(t, told, forms[form], want...)
	}
	is("batch", "other mysql: [Warning] Using a password on the command line interface can be insecure.", "1: [variable_name | value] Com_select | 12", "1: [variable_name | value] Ssl_cipher | ")
	is("drawn", "1: [variable_name | value] Com_select | 12", "1: [variable_name | value] Ssl_cipher | ", "2: [variable_name | value] Com_select | 13", "other 2 rows in set (0.00 sec)")
	is("mysqladmin", "1: [variable_name | value] Com_select | 12", "2: [variable_name | value] Com_select | 1")
	is("rulers filtered", "1: [variable_name | value] Com_select | 12", "2: [variable_name | value] Com_select | 13")
	is("vertical", "1: [variable_name | value] Com_select | 12", "1: [variable_name | value] Ssl_cipher | ")
	is("indentation lost", "other TS 1796058361.3 2026-11-30 17:06:01", "1: [variable_name | value] Com_select | 12")
	is("text in a value", "other =====", "other Ibuf: size 1", "other LOG", "1: [type | name | status] InnoDB |  | ")
	is("escaped", "1: [type | name | status] InnoDB |  | \n=====\nIbuf: a\tb\n")
	is("CSV", "1: [variable_name | value] Com_select | 12", "1: [variable_name | value] Init \"x\" | a,b")
	is("side by side", "1: Com_select | 12 | 15", "1: Uptime | 100 | 110")
	is("without a heading", "1: Com_select | 12", "1: Uptime | 100")
	is("a bar in a value", "1: [name | comment] a | b | c")
	is("other then batch", "1: [variable_name | value] Com_select | 12", "2: [event_name | count_star] x | 1")
	is("cut", "cut Com_select\t12")
	is("cut in a drawing", "cut | Com_select    | 1")
}

func TestScanner(t *testing.T) {
	var texts []string
	for _, form := range slices.Sorted(maps.Keys(forms)) {
		texts = append(texts, forms[form])
	}
	scantest.Check(t, told, texts...)
}

func FuzzScan(f *testing.F) {
	for _, text := range forms {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		rows, results := 0, 0
		err := Scan(bytes.NewReader(text), func(r *Row) {
			rows++
			if len(r.Cells) == 0 || r.Result < 1 || r.Result < results || r.Line < 1 {
				t.Fatalf("%+v", r)
			}
			results = r.Result
		}, func(int, string) {}, func(int, string) {})
		if err != nil || rows > bytes.Count(text, []byte("\n"))+1 {
			t.Fatal(rows, err)
		}
	})
}
