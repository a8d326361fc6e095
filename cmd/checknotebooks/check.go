package main

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"html"
	"image"
	"image/png"
	"regexp"
	"slices"
	"strings"
)

// problems says what is wrong with a notebook that was just executed, compared
// with what is committed of it. The kernel says "ok" after a panic, so what cells
// wrote has to be read.
func problems(committed, executed *notebook) []string {
	found := broken(executed)
	if len(found) == 0 { // else the answers differ because of it
		found = append(found, differences(committed, executed)...)
	}
	if len(found) == 0 {
		found = append(found, unfounded(executed)...)
	}
	return found
}

// broken names the cells that did not run to their end: an error, anything on
// stderr (a panic, an exit status, the complaint of a shell), or no answer at all.
func broken(n *notebook) []string {
	var found []string
	for i := range n.Cells {
		c := &n.Cells[i]
		if !c.isCode() {
			continue
		}
		if c.Count == nil {
			found = append(found, fmt.Sprintf("cell %d was not run", i+1))
		}
		for _, o := range c.Outputs {
			switch {
			case o.Type == "error":
				found = append(found, fmt.Sprintf("cell %d failed: %s", i+1, o.Value))
			case o.Type == "stream" && o.Name == "stderr":
				found = append(found, fmt.Sprintf("cell %d wrote to stderr: %s", i+1, strings.TrimSpace(plain(string(o.Text)))))
			}
		}
	}
	return found
}

// differences names the cells that answer otherwise than they did when the
// notebook was committed.
func differences(committed, executed *notebook) []string {
	if len(committed.Cells) != len(executed.Cells) {
		return []string{fmt.Sprintf("%d cells were committed and %d run", len(committed.Cells), len(executed.Cells))}
	}
	var found []string
	for i := range committed.Cells {
		was, is := committed.Cells[i].Outputs, executed.Cells[i].Outputs
		if len(was) != len(is) {
			found = append(found, fmt.Sprintf("cell %d: %d outputs were committed, now there are %d", i+1, len(was), len(is)))
			continue
		}
		for k := range was {
			if d := difference(was[k], is[k]); d != "" {
				found = append(found, fmt.Sprintf("cell %d: %s", i+1, d))
			}
		}
	}
	return found
}

// difference says how two outputs differ, "" if they do not.
func difference(was, is output) string {
	if was.Type != is.Type || was.Name != is.Name {
		return fmt.Sprintf("a %s %s was committed, now it is a %s %s", was.Type, was.Name, is.Type, is.Name)
	}
	if was.Text != is.Text {
		return changed(string(was.Text), string(is.Text))
	}
	var kinds []string
	for kind := range was.Data {
		kinds = append(kinds, kind)
	}
	for kind := range is.Data {
		if !slices.Contains(kinds, kind) {
			kinds = append(kinds, kind)
		}
	}
	slices.Sort(kinds)
	for _, kind := range kinds {
		a, b := was.Data[kind], is.Data[kind]
		if a == b {
			continue
		}
		if kind == "image/png" {
			if d := pictures(string(a), string(b)); d != "" {
				return d
			}
			continue
		}
		return kind + ": " + changed(string(a), string(b))
	}
	return ""
}

// changed shows the first line that differs.
func changed(was, is string) string {
	a, b := strings.Split(was, "\n"), strings.Split(is, "\n")
	for i := range max(len(a), len(b)) {
		var x, y string
		if i < len(a) {
			x = a[i]
		}
		if i < len(b) {
			y = b[i]
		}
		if x != y {
			return fmt.Sprintf("the committed answer is\n\t%s\nand now it is\n\t%s", x, y)
		}
	}
	return ""
}

// likePicture is how far two pictures of the same may be apart, as the mean
// difference of a colour: processors round differently, which moves single
// pixels at the edge of a line by a shade.
const likePicture = 0.002

// pictures says how two PNG files differ.
func pictures(was, is string) string {
	a, errA := decodePNG(was)
	b, errB := decodePNG(is)
	switch {
	case errA != nil || errB != nil:
		return fmt.Sprintf("a picture cannot be read (committed: %v, now: %v)", errA, errB)
	case a.Bounds() != b.Bounds():
		return fmt.Sprintf("a picture of %v was committed, now it has %v pixels", a.Bounds().Size(), b.Bounds().Size())
	}
	sum, n := 0.0, 0
	for y := a.Bounds().Min.Y; y < a.Bounds().Max.Y; y++ {
		for x := a.Bounds().Min.X; x < a.Bounds().Max.X; x++ {
			r1, g1, b1, _ := a.At(x, y).RGBA()
			r2, g2, b2, _ := b.At(x, y).RGBA()
			for _, d := range [3]int{int(r1) - int(r2), int(g1) - int(g2), int(b1) - int(b2)} {
				sum += float64(max(d, -d)) / 0xffff
			}
			n += 3
		}
	}
	if sum/float64(n) > likePicture {
		return fmt.Sprintf("the picture has changed: colours differ by %.2f %% on average", 100*sum/float64(n))
	}
	return ""
}

func decodePNG(encoded string) (image.Image, error) {
	raw, err := base64.StdEncoding.DecodeString(strings.ReplaceAll(strings.TrimSpace(encoded), "\n", ""))
	if err != nil {
		return nil, err
	}
	return png.Decode(bytes.NewReader(raw))
}

var (
	bold      = regexp.MustCompile(`\*\*([^*\n]+)\*\*`)
	tag       = regexp.MustCompile(`<[^>]*>`)
	ansi      = regexp.MustCompile("\x1b\\[[0-9;]*m")
	spaces    = regexp.MustCompile(`[\s\x{a0}]+`)
	numberEnd = regexp.MustCompile(`[0-9.]`)
)

// unfounded names the numbers in the prose, those in bold, that no cell has
// produced.
func unfounded(n *notebook) []string {
	var said []string
	for i := range n.Cells {
		for _, o := range n.Cells[i].Outputs {
			said = append(said, plain(string(o.Text)))
			for kind, data := range o.Data {
				if strings.HasPrefix(kind, "text/") {
					said = append(said, plain(string(data)))
				}
			}
		}
	}
	var found []string
	for i := range n.Cells {
		if n.Cells[i].Type != "markdown" {
			continue
		}
		for _, match := range bold.FindAllStringSubmatch(string(n.Cells[i].Source), -1) {
			claim := plain(match[1])
			if strings.ContainsAny(claim, "0123456789") && !slices.ContainsFunc(said, func(s string) bool { return says(s, claim) }) {
				found = append(found, fmt.Sprintf("cell %d says %q, which no cell has produced", i+1, match[1]))
			}
		}
	}
	return found
}

// says tells whether the text has the claim in it, and not as a part of a longer
// number.
func says(text, claim string) bool {
	for from := 0; ; {
		at := strings.Index(text[from:], claim)
		if at < 0 {
			return false
		}
		at += from
		end := at + len(claim)
		before := at == 0 || !numberEnd.MatchString(text[at-1:at])
		after := end == len(text) || !numberEnd.MatchString(text[end:end+1]) || text[end] == '.' && (end+1 == len(text) || text[end+1] == ' ')
		if before && after {
			return true
		}
		from = at + 1
	}
}

// plain is a text without tags and colours, with ordinary signs and spaces.
func plain(s string) string {
	s = html.UnescapeString(tag.ReplaceAllString(ansi.ReplaceAllString(s, ""), " "))
	s = strings.NewReplacer("−", "-", "**", "").Replace(s)
	return strings.TrimSpace(spaces.ReplaceAllString(s, " "))
}
