package figure

import (
	"fmt"
	"image/color"
	"strings"

	"noisefloor/analysis"
)

// Ink is a colour with a meaning. It has a shade for a light page and one for
// a dark page.
type Ink struct {
	name        string
	light, dark color.NRGBA
	opacity     float64 // 0 = 1
}

// RGBA makes an Ink a color.Color: its shade on a light page.
func (k Ink) RGBA() (r, g, b, a uint32) {
	c := k.light
	if k.opacity > 0 {
		c.A = uint8(k.opacity*255 + .5)
	}
	return c.RGBA()
}

// fade is the same ink, see-through.
func (k Ink) fade(opacity float64) Ink {
	k.opacity = opacity
	return k
}

func newInk(name string, light, dark uint32) Ink {
	rgb := func(v uint32) color.NRGBA {
		return color.NRGBA{R: uint8(v >> 16), G: uint8(v >> 8), B: uint8(v), A: 255}
	}
	return Ink{name: name, light: rgb(light), dark: rgb(dark)}
}

// The inks of the page itself.
var (
	Paper = newInk("paper", 0xfdfdfc, 0x14171b)
	Text  = newInk("text", 0x1c2024, 0xe6e9ec)
	Muted = newInk("muted", 0x5b646e, 0xa3adb8) // second-rank text
	Rule  = newInk("rule", 0xd5d9dd, 0x343b43)  // grid lines and borders
	Band  = newInk("band", 0xe9ecef, 0x242a31)  // areas behind marks
)

// verdictInks are dark (light) enough to be read as words on the page. The
// hues are bluish green, vermillion, blue and orange; what cannot be answered
// is grey, not an alarm.
var verdictInks = map[analysis.Verdict]Ink{
	analysis.Faster:       newInk("faster", 0x00795a, 0x2bc29a),
	analysis.Slower:       newInk("slower", 0xb84e00, 0xf08a4b),
	analysis.Equivalent:   newInk("equivalent", 0x0068a3, 0x62b5ea),
	analysis.Inconclusive: newInk("inconclusive", 0x8a5a00, 0xe9b44c),
	analysis.Unsupported:  newInk("unsupported", 0x5b646e, 0xa3adb8),
}

// VerdictInk is the colour of a verdict.
func VerdictInk(v analysis.Verdict) Ink {
	if k, ok := verdictInks[v]; ok {
		return k
	}
	return Muted
}

// Glyph is the sign of a verdict, from Latin-1, which every font has.
// Arrows up and down are not used: for a latency, faster points down.
func Glyph(v analysis.Verdict) string {
	switch v {
	case analysis.Faster:
		return "»"
	case analysis.Slower:
		return "«"
	case analysis.Equivalent:
		return "="
	case analysis.Inconclusive:
		return "~"
	}
	return "?"
}

// armInks: the base is blue, the first contender orange.
var armInks = []Ink{
	newInk("arm0", 0x0072b2, 0x4fa8e0), // blue
	newInk("arm1", 0xc98500, 0xe69f00), // orange
	newInk("arm2", 0xc0639a, 0xdc93bd), // reddish purple
	newInk("arm3", 0x009e73, 0x1fbf93), // bluish green
	newInk("arm4", 0xd55e00, 0xf08a4b), // vermillion
	newInk("arm5", 0x3a9ad0, 0x8ccdf2), // sky blue
}

// ArmInk is the colour of the i-th arm; 0 is the base.
func ArmInk(i int) Ink { return armInks[i%len(armInks)] }

// Class is the CSS class that fills text or a shape with the ink.
func (k Ink) Class() string { return "f-" + k.name }

// Style is the stylesheet that the classes in SVG figures refer to: the inks
// as variables --nf-..., light or dark as the reader has it. A page needs it
// once.
func Style() string {
	inks := append([]Ink{Paper, Text, Muted, Rule, Band}, armInks...)
	for _, v := range []analysis.Verdict{analysis.Faster, analysis.Slower, analysis.Equivalent, analysis.Inconclusive, analysis.Unsupported} {
		inks = append(inks, verdictInks[v])
	}
	var light, dark, classes strings.Builder
	for _, k := range inks {
		fmt.Fprintf(&light, "--nf-%s:%s;", k.name, hex(k.light))
		fmt.Fprintf(&dark, "--nf-%s:%s;", k.name, hex(k.dark))
		fmt.Fprintf(&classes, ".f-%[1]s{fill:var(--nf-%[1]s)}.s-%[1]s{stroke:var(--nf-%[1]s)}\n", k.name)
	}
	return fmt.Sprintf(":root{color-scheme:light dark;%s}\n@media screen and (prefers-color-scheme:dark){:root{%s}}\n%s", light.String(), dark.String(), classes.String())
}

func hex(c color.NRGBA) string { return fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B) }
