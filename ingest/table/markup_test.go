package table

import (
	"strings"
	"testing"
)

const pageRuns = "threads=8 version=8.0.42 tps=1234.5; threads=8 version=8.4.5 tps=1334.5"

var pages = map[string]string{
	"HTML": "<!DOCTYPE html><html><style>td > p { x: <table> }</style>\n<script>if (a<b) '<td>'</script>\n<h1>Results</h1>\n<TABLE class=\"a\">\n<thead><tr><th>version<th>threads\n<th>tps</tr></thead>\n" +
		"<tbody>\n<tr>\n<td>8.0.42</td>\n<td align=right>8</td>\n<td><b>1,234.5</b><!-- <td> --></td>\n</tr>\n<tr><td>8.4.5<td>8<td>1&#44;334.5\n</table></html>\n",
	"HTML in one line":            "<table><tr><td>version</td><td>threads</td><td>tps</td></tr><tr><td>8.0.42</td><td rowspan=\"2\">8</td><td>1234.5</td></tr><tr><td>8.4.5</td><td>1334.5</td></tr></table>",
	"HTML inside a layout":        "<table><tr><td>menu</td><td><table><tr><th>version</th><th>threads</th><th>tps</th></tr><tr><td>8.0.42</td><td>8</td><td>1234.5</td></tr><tr><td>8.4.5</td><td>8</td><td>1334.5</td></tr></table></td></tr></table>",
	"HTML in Markdown":            "# Results\n\n<table>\n<tr><th>version</th><th>threads</th><th>tps</th></tr>\n<tr><td>8.0.42</td><td>8</td><td>1234.5</td></tr>\n<tr><td>8.4.5</td><td>8</td><td>1334.5</td></tr>\n</table>\n",
	"MediaWiki":                   "== Results ==\n{| class=\"wikitable\"\n|+ Read only\n! version !! threads !! style=\"color:red\" | tps\n|-\n| 8.0.42 || 8 || 1234.5\n|-\n| 8.4.5\n| align=\"right\" | 8\n| '''1334.5'''\n|}\n",
	"Confluence":                  "h2. Results\n||version||threads||tps||\n|8.0.42|8|1234.5|\n|8.4.5|8|1334.5|\n",
	"AsciiDoc":                    "= Results\n\n.Read only\n[cols=\"1,^1,>2\",options=\"header\"]\n|===\n|version |threads |tps\n\n|8.0.42\n|8\n|1234.5\n\n|8.4.5 >|8 a|1334.5\n|===\n",
	"AsciiDoc without columns":    "|===\n|version |threads |tps\n|8.0.42 |8 |1234.5\n|8.4.5 |8 |1334.5\n|===\n",
	"reStructuredText":            "Results\n=======\n\n======= ======= ======\nversion threads tps\n======= ======= ======\n8.0.42  8       1234.5\n\n8.4.5   8       1334.5\n======= ======= ======\n\nProse.\n",
	"reStructuredText with lines": "+---------+---------+--------+\n| version | threads | tps    |\n+=========+=========+========+\n| 8.0.42  | 8       | 1234.5 |\n+---------+---------+--------+\n| 8.4.5   | 8       | 1334.5 |\n+---------+---------+--------+\n",
}

func TestPages(t *testing.T) {
	for name, text := range pages {
		if p := checkRuns(t, name, text, pageRuns); len(p) > 0 {
			t.Errorf("%s: %v", name, p)
		}
		checkRuns(t, name+" with CR LF", strings.ReplaceAll(text, "\n", "\r\n"), pageRuns)
	}
	const two = "threads=8 section=one tps=10; threads=8 section=two tps=11"
	checkRuns(t, "headings of HTML", "<h1>All</h1><h2>one</h2>\n<table><tr><th>threads</th><th>tps</th></tr><tr><td>8</td><td>10</td></tr></table>\n<h2>two</h2><table><tr><th>threads</th><th>tps</th></tr><tr><td>8</td><td>11</td></tr></table>\n", two)
	checkRuns(t, "headings of MediaWiki", "== one ==\n{|\n! threads !! tps\n|-\n| 8 || 10\n|}\n== two ==\n{|\n! threads !! tps\n|-\n| 8 || 11\n|}\n", two)
}

// What is wrong with a row is told with its line.
func TestLinesOfPages(t *testing.T) {
	for name, text := range map[string]string{
		"HTML":       "<table>\n<tr><th>threads</th><th>tps</th></tr>\n<tr><td>8</td><td>10</td></tr>\n<tr>\n<td>16</td>\n</tr>\n</table>\n",
		"MediaWiki":  "{|\n! threads !! tps\n|-\n| 8 || 10\n|-\n| 16\n|}\n",
		"Confluence": "h1. x\n\n||threads||tps||\n|8|10|\n|9|11|\n|16|\n",
	} {
		_, _, problems := read(t, []byte(text))
		want := map[string]int{"HTML": 6, "MediaWiki": 6, "Confluence": 6}[name]
		if len(problems) != 1 || problems[0].Line != want {
			t.Errorf("%s: %v, want one at line %d", name, problems, want)
		}
	}
}

// A page without a result is no table of runs, and no page is too broken.
func TestPagesWithoutResults(t *testing.T) {
	for name, text := range map[string]string{
		"a list of people": "<table><tr><th>name</th><th>age</th></tr><tr><td>Ada</td><td>36</td></tr><tr><td>Bob</td><td>41</td></tr></table>",
		"coverage":         "<table><tr><td>Element</td><td>Missed</td><td>Cov.</td></tr><tr><td>a.Main</td><td>3</td><td>90%</td></tr><tr><td>b.Main</td><td>1</td><td>80%</td></tr></table>",
		"no headings":      "<table><tr><td>60.0</td><td>4.25</td></tr><tr><td>61.5</td><td>4.20</td></tr></table>",
		"prose":            "a < b and <table of contents",
	} {
		d, ok := Sniff([]byte(text), true)
		if !ok {
			continue
		}
		ts, err := Study(strings.NewReader(text), d, nil)
		if usable, _ := ts.Usable(); err == nil && len(usable) > 0 {
			t.Errorf("%s: %s", name, ts)
		}
	}
}

func FuzzMarkup(f *testing.F) {
	for _, text := range pages {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		for i := range markups {
			if m := &markups[i]; m.tells(text) {
				plain := m.recast(text)
				if len(plain) > 1000*len(text)+1000 {
					t.Fatalf("%s makes %d bytes of %d", m.name, len(plain), len(text))
				}
			}
		}
	})
}
