package report

import (
	"fmt"
	"strings"
	"testing"

	"noisefloor/datasets"
)

func commented(t *testing.T, r *Report) string {
	t.Helper()
	var b strings.Builder
	if err := Markdown(&b, r); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestMarkdownGolden(t *testing.T) {
	for name, r := range samples() {
		golden(t, name+".md", commented(t, r))
	}
}

// Package table shows that nothing in a text acts; here, that every text goes
// through it: the only marks are those of the paper.
func TestMarkdownIsSafe(t *testing.T) {
	r := full()
	hostile := "@octocat #7 `x` | <img src=x> ![y](http://evil.example) [z](//evil.example)\n# head"
	r.Inputs.Folder, r.Inputs.Where = hostile, []string{hostile}
	r.Design.By, r.Design.Days[0] = hostile, hostile
	r.Next = append(r.Next, hostile)
	for i := range r.Comparisons {
		r.Comparisons[i].Level = hostile
		r.Comparisons[i].Stratum[1].Value = datasets.Text(hostile)
	}
	for i := range r.Headlines {
		r.Headlines[i].Level = hostile
	}
	text := commented(t, r)
	for _, bad := range []string{"<", "@octocat", "#7", " `", "](", "http://", "\n#", "\u202e", "\x1b"} {
		if strings.Contains(strings.ReplaceAll(text, `\`+strings.TrimSpace(bad), ""), bad) {
			t.Errorf("%q stands in the comment as it came", bad)
		}
	}
}

// A comment of GitHub takes 65 536 characters, however much there is to say.
func TestMarkdownFitsAComment(t *testing.T) {
	r := full()
	row := r.Comparisons[0]
	for i := range 400 {
		row.Level = fmt.Sprint(strings.Repeat("long", 400), i)
		r.Comparisons = append(r.Comparisons, row)
		r.Next = append(r.Next, strings.Repeat("more ", 100))
	}
	text := commented(t, r)
	if len(text) > 65_000 {
		t.Errorf("%d bytes", len(text))
	}
	if _, end, _ := strings.Cut(text, "left out here: a comment has no room for them."); !strings.Contains(end, "seed 1.") {
		t.Errorf("the end does not say what is left out and where the numbers come from: %q", text[max(0, len(text)-400):])
	}
}
