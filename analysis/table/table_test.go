package table

import (
	"encoding/csv"
	"html"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"pgregory.net/rapid"
)

func text(t *testing.T, table *Table, s Screen) string {
	t.Helper()
	var b strings.Builder
	if err := table.Text(&b, s); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func equal(t *testing.T, got, want string) {
	t.Helper()
	if diff := cmp.Diff(strings.TrimPrefix(want, "\n"), got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// results is a table as the report has it: a name, two numbers, a verdict.
func results(names ...string) *Table {
	t := &Table{Columns: []Column{
		{Head: "workload", Fields: []string{"workload"}},
		{Head: "change", Align: Right, Fields: []string{"ratio"}},
		{Head: "95 % interval", Align: Right, Fields: []string{"lo", "hi"}},
		{Head: "verdict", Fields: []string{"verdict"}},
	}}
	for _, name := range names {
		t.Add(Word(name), Cell{"-4.1 %", []any{.959}, 0}, Cell{"-5.0 to -3.2 %", []any{.95, math.NaN()}, 0}, Cell{"slower", []any{"slower"}, Vermillion})
	}
	return t
}

func TestTextAligns(t *testing.T) {
	equal(t, text(t, results("oltp_read_only", "x"), Screen{}), `
workload        change   95 % interval  verdict
--------------  ------  --------------  -------
oltp_read_only  -4.1 %  -5.0 to -3.2 %  slower
x               -4.1 %  -5.0 to -3.2 %  slower
`)
}

func TestTextWrapsNamesAfterSeparators(t *testing.T) {
	equal(t, text(t, results("oltp_read_write_with_prepared_statements"), Screen{Width: 60}), `
workload                     change   95 % interval  verdict
---------------------------  ------  --------------  -------
oltp_read_write_with_        -4.1 %  -5.0 to -3.2 %  slower
  prepared_statements
`)
}

// A no-break space holds an interval together.
func TestNoBreakSpace(t *testing.T) {
	table := &Table{Columns: []Column{{Head: "spread"}, {Head: "n", Align: Right}}}
	table.Add(Cell{Text: "1.2 % (0.6\u00a0to\u00a01.9)"}, Cell{Text: "3"}) // breaks at neither . nor space
	equal(t, text(t, table, Screen{Width: 19}), `
spread            n
----------------  -
1.2 %             3
  (0.6 to 1.9)
`)
}

func TestTextStacksWhatCannotBeWrapped(t *testing.T) {
	hash := strings.Repeat("0123456789abcdef", 3) // no place to break
	equal(t, text(t, results(hash, "x"), Screen{Width: 46}), `
workload       0123456789abcdef0123456789abcde
                 f0123456789abcdef
change         -4.1 %
95 % interval  -5.0 to -3.2 %
verdict        slower

workload       x
change         -4.1 %
95 % interval  -5.0 to -3.2 %
verdict        slower
`)
}

func TestTextCountsWideCharactersAsTwo(t *testing.T) {
	equal(t, text(t, results("高負荷", "abcdef"), Screen{}), `
workload  change   95 % interval  verdict
--------  ------  --------------  -------
高負荷    -4.1 %  -5.0 to -3.2 %  slower
abcdef    -4.1 %  -5.0 to -3.2 %  slower
`)
}

func TestTextShowsWhatActsOnATerminal(t *testing.T) {
	out := text(t, results("red\x1b[31m", "\u202eflip", "two\nlines", "\xff"), Screen{})
	for _, want := range []string{`red\x1b[31m`, `\u202eflip`, `two\nlines`, `\xff`} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is not in\n%s", want, out)
		}
	}
	if strings.ContainsAny(out, "\x1b\u202e") {
		t.Errorf("a name reached the terminal as it was: %q", out)
	}
}

func TestColourOnlyRepeatsWords(t *testing.T) {
	plain := text(t, results("x"), Screen{})
	colour := text(t, results("x"), Screen{Colour: true})
	if !strings.Contains(colour, "\x1b[38;5;166mslower\x1b[0m") {
		t.Errorf("no colour in %q", colour)
	}
	for _, code := range []string{"\x1b[38;5;166m", "\x1b[1m", "\x1b[0m"} {
		colour = strings.ReplaceAll(colour, code, "")
	}
	equal(t, colour, plain)
}

func TestPipesHaveNoColour(t *testing.T) {
	var b strings.Builder
	if s := ScreenOf(&b); s.Colour || s.Columns() != 100 {
		t.Errorf("a pipe is %+v", s)
	}
}

func TestMarkdownEscapes(t *testing.T) {
	var b strings.Builder
	if err := results("oltp_read_only", "a|b", "<script>", "_x_", "*x*", "`x`", "[x](http://y)").Markdown(&b); err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, line := range strings.Split(strings.TrimSpace(b.String()), "\n") {
		name, _, _ := strings.Cut(strings.TrimPrefix(line, "| "), " | ")
		names = append(names, name)
	}
	want := []string{"workload", ":---", "oltp_read_only", `a\|b`, "&lt;script&gt;", `\_x\_`, `\*x\*`, "\\`x\\`", `\[x\](http\://y)`}
	if diff := cmp.Diff(want, names); diff != "" {
		t.Error(diff)
	}
}

func TestCSVIsExact(t *testing.T) {
	var b strings.Builder
	if err := results("a,\"b\"\nc").CSV(&b); err != nil {
		t.Fatal(err)
	}
	records, err := csv.NewReader(strings.NewReader(b.String())).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	want := [][]string{{"workload", "ratio", "lo", "hi", "verdict"}, {"a,\"b\"\nc", "0.959", "0.95", "", "slower"}}
	if diff := cmp.Diff(want, records); diff != "" {
		t.Error(diff)
	}
}

func TestWithout(t *testing.T) {
	equal(t, text(t, results("x").Without("change", "95 % interval"), Screen{}), `
workload  verdict
--------  -------
x         slower
`)
}

func TestFixed(t *testing.T) {
	for _, c := range []struct {
		v        float64
		decimals int
		want     string
	}{
		{1.25, 1, "1.2"}, // half to even, as strconv does
		{-.04, 1, "0.0"}, // no -0.0
		{-.06, 1, "-0.1"},
		{math.NaN(), 1, ""},
		{math.Inf(1), 1, "∞"},
		{math.Inf(-1), 1, "-∞"},
	} {
		if got := Fixed(c.v, c.decimals); got != c.want {
			t.Errorf("Fixed(%v, %d) = %q, want %q", c.v, c.decimals, got, c.want)
		}
	}
	if got := Signed(.01, 1); got != "0.0" { // a plus before zero would claim a direction
		t.Errorf("Signed(.01, 1) = %q", got)
	}
}

func TestDecimals(t *testing.T) {
	for _, c := range []struct {
		values []float64
		want   int
	}{
		{[]float64{812.4, 10234.5}, 1}, // four digits of the smallest
		{[]float64{10234.5}, 0},
		{[]float64{.0024}, 6},
		{[]float64{1e-12}, 6}, // capped
		{[]float64{0, math.NaN(), math.Inf(1)}, 0},
		{nil, 0},
	} {
		if got := Decimals(4, c.values...); got != c.want {
			t.Errorf("Decimals(4, %v) = %d, want %d", c.values, got, c.want)
		}
	}
}

var words = rapid.StringOfN(rapid.RuneFrom([]rune("ab_-/.=, 高é👩\u200d")), 0, 60, -1)

// Whatever the names, Wrap keeps to its width and loses nothing but spaces.
func TestWrapProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, width, hang := words.Draw(t, "s"), rapid.IntRange(6, 40).Draw(t, "width"), rapid.IntRange(0, 3).Draw(t, "hang")
		lines := Wrap(s, width, hang)
		for _, line := range lines {
			if Width(line) > width {
				t.Fatalf("%q is wider than %d", line, width)
			}
		}
		squeeze := strings.NewReplacer(" ", "")
		if got, want := squeeze.Replace(strings.Join(lines, "")), squeeze.Replace(s); got != want {
			t.Fatalf("got %q, want %q", got, want)
		}
	})
}

// Whatever the names, the table keeps to the screen and has every character.
func TestTextProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		table := &Table{Columns: []Column{{Head: "name"}, {Head: "other name"}, {Head: "n", Align: Right}}}
		need := map[rune]int{}
		for range rapid.IntRange(1, 4).Draw(t, "rows") {
			a, b := words.Draw(t, "a"), words.Draw(t, "b")
			table.Add(Cell{Text: a}, Cell{Text: b}, Cell{Text: "123456"})
			for _, r := range a + b + "123456" {
				need[r]++
			}
		}
		width := rapid.IntRange(34, 110).Draw(t, "width")
		var out strings.Builder
		if err := table.Text(&out, Screen{Width: width}); err != nil {
			t.Fatal(err)
		}
		have := map[rune]int{}
		for _, line := range strings.Split(out.String(), "\n") {
			if Width(line) > width {
				t.Fatalf("%q is wider than %d", line, width)
			}
			if line != strings.TrimRight(line, " ") {
				t.Fatalf("%q ends in spaces", line)
			}
			for _, r := range line {
				have[r]++
			}
		}
		for r, n := range need {
			if r != ' ' && have[r] < n {
				t.Fatalf("%q stands %d times in the names, %d times in\n%s", r, n, have[r], out.String())
			}
		}
	})
}

// rendered is the text of Markdown as a reader of GitHub-flavoured Markdown sees
// it, and the names of its elements.
func rendered(t interface{ Fatal(...any) }, source string) (text string, elements []string) {
	var page strings.Builder
	if err := goldmark.New(goldmark.WithExtensions(extension.GFM)).Convert([]byte(source), &page); err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for rest := page.String(); rest != ""; {
		before, after, found := strings.Cut(rest, "<")
		b.WriteString(html.UnescapeString(before))
		if !found {
			break
		}
		name, more, _ := strings.Cut(after, ">")
		elements, rest = append(elements, name), more
	}
	return strings.TrimSpace(b.String()), elements
}

const unlinked = "\u200b" // what holds GitHub off a name

// Whatever a name is called, a paragraph, an item and a table of GitHub-flavoured
// Markdown show it as it is, and nothing else.
func TestMarkdownShowsNamesAsTheyAre(t *testing.T) {
	hostile := []string{
		"a|b", "`x`", "``` x", "**x**", "_x_", "~~x~~", "[x](http://evil.example)", "![x](http://evil.example/x.png)", "<script>alert(1)</script>", "&amp; &lt;",
		"http://evil.example", "www.evil.example", "WWW.evil.example", "me@evil.example", "# x", "#", "- x", "+ x", "1. x", "1) x", "===", "---", "- - -", "> x", "| a | b |", `\`, `\\|`, "<!-- x", "[^1]", "[ ] x", "$x$",
		"mailto:a@b.example", "https://x.example/a_b_c", "ftp://x.example", "\u00a0x", "::: x", "x\n- y", "a  b",
	}
	same := func(t interface {
		Fatal(...any)
		Fatalf(string, ...any)
	}, s string) {
		squeeze := func(s string) string { return strings.Join(strings.Fields(strings.ReplaceAll(s, unlinked, "")), " ") }
		want := squeeze(Visible(s))
		for _, c := range []struct {
			source   string
			elements string
		}{
			{Markdown(s), "p /p"},
			{"- **x**: " + Markdown(s), "ul li strong /strong /li /ul"},
		} {
			text, elements := rendered(t, c.source)
			got := squeeze(strings.TrimPrefix(text, "x:"))
			if got != want || want != "" && strings.Join(elements, " ") != c.elements {
				t.Fatalf("%q is written %q and reads %q, in %q", s, c.source, got, elements)
			}
		}
		var page strings.Builder
		if err := (&Table{Columns: []Column{{Head: "name"}}, Rows: [][]Cell{{{Text: s}}}}).Markdown(&page); err != nil {
			t.Fatal(err)
		}
		text, elements := rendered(t, page.String())
		if got := squeeze(strings.TrimPrefix(text, "name")); got != want || len(elements) != 14 {
			t.Fatalf("%q in a table reads %q, in %q", s, got, elements)
		}
	}
	for _, s := range hostile {
		same(t, s)
	}
	rapid.Check(t, func(t *rapid.T) {
		parts := rapid.SliceOfN(rapid.OneOf(rapid.SampledFrom(hostile), rapid.StringMatching("[-+*_=#.()!~`|<>&@$:/ \\\\\\[\\]a1w]{1,6}")), 1, 4).Draw(t, "parts")
		same(t, strings.Join(parts, ""))
	})
}

// GitHub looks for people and issues in the text that is shown.
func TestMarkdownCallsNobody(t *testing.T) {
	for s, want := range map[string]string{"@octocat": "@&#8203;octocat", "see #12": "see #&#8203;12", "a @ b": "a @ b", "C# 5": "C# 5"} {
		if got := Markdown(s); got != want {
			t.Errorf("Markdown(%q) = %q, want %q", s, got, want)
		}
	}
}
