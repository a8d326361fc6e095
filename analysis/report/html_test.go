package report

import (
	"encoding/xml"
	"errors"
	"io"
	"regexp"
	"strings"
	"testing"
)

func rendered(t *testing.T, r *Report) string {
	t.Helper()
	var b strings.Builder
	if err := HTML(&b, r); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// element is one start tag of the page.
type element struct {
	name  string
	attrs map[string]string
}

// tags reads the page strictly: as XML, once what HTML writes without an end
// (doctype, meta, link) is taken away. A name that broke out of its place
// would leave tags unbalanced or add elements.
func tags(t *testing.T, page string) (elements []element, text string) {
	t.Helper()
	page = strings.TrimPrefix(page, "<!doctype html>\n")
	page = regexp.MustCompile(`<(meta|link|input)([^>]*)>`).ReplaceAllString(page, "<$1$2/>")
	page = regexp.MustCompile(`(<details) open>`).ReplaceAllString(page, "$1>")
	d := xml.NewDecoder(strings.NewReader(page))
	d.Entity = xml.HTMLEntity
	var b strings.Builder
	inStyle := false
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return elements, b.String()
		}
		if err != nil {
			line, _ := d.InputPos()
			t.Fatalf("line %d: %v\n%s", line, err, strings.Split(page, "\n")[line-1])
		}
		switch e := token.(type) {
		case xml.StartElement:
			el := element{e.Name.Local, map[string]string{}}
			for _, a := range e.Attr {
				el.attrs[a.Name.Local] = a.Value
			}
			elements = append(elements, el)
			inStyle = el.name == "style"
		case xml.EndElement:
			inStyle = false
		case xml.CharData:
			if !inStyle {
				b.Write(e)
			}
		}
	}
}

func TestPageIsWellFormedAndSafe(t *testing.T) {
	allowed := map[string]bool{}
	for _, name := range strings.Fields(`html head meta title link style body main header section h1 h2 h3 h4 p span ul li figure figcaption div
		table thead tbody tr th td details summary dl dt dd code svg desc path text circle label input`) {
		allowed[name] = true
	}
	for name, r := range samples() {
		elements, _ := tags(t, rendered(t, r))
		headings := 0
		for _, e := range elements {
			if !allowed[e.name] {
				t.Errorf("%s: <%s> does not belong on the page", name, e.name)
			}
			if e.name == "h1" {
				headings++
			}
			for key, value := range e.attrs {
				if strings.HasPrefix(key, "on") || key == "src" || key == "href" && value != "data:," {
					t.Errorf("%s: <%s %s=%q> acts or fetches", name, e.name, key, value)
				}
			}
			if e.name == "svg" && e.attrs["class"] == "figure" && (e.attrs["role"] != "img" || e.attrs["aria-label"] == "" || e.attrs["viewBox"] == "") {
				t.Errorf("%s: a picture without role, label or size: %v", name, e.attrs)
			}
		}
		if headings != 1 {
			t.Errorf("%s: %d h1", name, headings)
		}
	}
}

func TestHostileTextIsEscaped(t *testing.T) {
	page := rendered(t, full())
	for _, bad := range []string{"<script", `alert("x")`, "\u202e", "\x1b", "<b>bold</b>"} {
		if strings.Contains(page, bad) {
			t.Errorf("%q stands on the page as it came", bad)
		}
	}
	_, text := tags(t, page)
	for _, want := range []string{evil, `a"b'c\u202egnp.log`, `\x1b[31mFATAL\x1b[0m <b>bold</b>`} {
		if !strings.Contains(text, want) {
			t.Errorf("%q cannot be read on the page", want)
		}
	}
}

// The page is self-contained: no address is fetched, and a policy forbids it.
func TestPageNeedsNoNetwork(t *testing.T) {
	page := rendered(t, full())
	for _, bad := range []string{"http:", "https:", "//", "@import", "url("} {
		rest := strings.ReplaceAll(page, `xmlns="http://www.w3.org/2000/svg"`, "")
		if i := strings.Index(rest, bad); i >= 0 {
			t.Errorf("%q: ...%s...", bad, rest[max(0, i-40):min(len(rest), i+40)])
		}
	}
	if !strings.Contains(page, "default-src 'none'") {
		t.Error("no content security policy")
	}
}

// h1 is the answer: verdict and sentence of each contender.
func TestHeadingIsTheAnswer(t *testing.T) {
	heading := func(r *Report) string {
		_, rest, _ := strings.Cut(rendered(t, r), "<h1")
		h, _, _ := strings.Cut(rest, "</h1>")
		_, text := tags(t, "<!doctype html>\n<h1"+h+"</h1>")
		return strings.Join(strings.Fields(text), " ")
	}
	check := func(name, got string, want ...string) {
		t.Helper()
		for _, w := range want {
			if !strings.Contains(got, w) {
				t.Errorf("%s: %q is not in %q", name, w, got)
			}
		}
	}
	check("full", heading(full()), "« slower jemalloc is 3.4 % slower than glibc", "~ inconclusive tcmalloc against glibc", "? unsupported "+evil)
	check("one day", heading(oneDay()), "? unsupported No verdict on allocator: the arms share one day only (2026-11-30)")
	check("describe only", heading(describeOnly()), "No verdict: version and")
	check("one run", heading(oneRun()), "No verdict: nothing varies")
}

// What to run stands right under an answer that could not be given.
func TestUnsupportedSaysWhatToRun(t *testing.T) {
	_, rest, _ := strings.Cut(rendered(t, oneDay()), "</h1>")
	header, _, _ := strings.Cut(rest, "</header>")
	if n := strings.Count(header, "Run both arms, alternating, on at least 3 days"); n != 1 {
		t.Errorf("said %d times under the heading:\n%s", n, header)
	}
}

func TestPageShowsEachVerdictInWords(t *testing.T) {
	_, text := tags(t, rendered(t, full()))
	for _, v := range verdicts {
		if !strings.Contains(text, string(v)) {
			t.Errorf("%s is not on the page", v)
		}
	}
}

func TestPageShowsTheOddestRunsOnly(t *testing.T) {
	page := rendered(t, full())
	if n := strings.Count(page, `<figure class="panel">`); n != panelsShown {
		t.Errorf("%d panels, want %d", n, panelsShown)
	}
	if !strings.Contains(page, "60 of 88 runs, the oddest first") {
		t.Error("the page does not say how many runs it leaves out")
	}
}

func TestHashesAreShortAndWhole(t *testing.T) {
	page := rendered(t, full())
	hash := strings.Repeat("0123456789abcdef", 4)
	if !strings.Contains(page, `<code title="`+hash+`">0123456789ab</code>`) {
		t.Error("no short hash with the whole one in its title")
	}
}

func TestTypeset(t *testing.T) {
	for in, want := range map[string]string{
		"-4.1 %": "−4.1\u00a0%", "-5.0 to -3.2 %": "−5.0 to −3.2\u00a0%", "(-0.5)": "(−0.5)", "-": "–", "2026-11-30": "2026-11-30", "glibc-2": "glibc-2", "--day-from": "--day-from",
	} {
		if got := typeset(in); got != want {
			t.Errorf("typeset(%q) = %q, want %q", in, got, want)
		}
	}
}
