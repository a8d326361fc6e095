package digits

import (
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// Fixed gives the very float64 that strconv gives, or says no.
func TestFixedIsExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching(`[0-9]{1,12}(\.[0-9]{1,14})?`).Draw(t, "number")
		behind := rapid.SampledFrom([]string{"", " ", "/", ")", "s", " 12", ".", "x"}).Draw(t, "behind")
		shift := rapid.SampledFrom([]int{0, 3, 6, 9}).Draw(t, "shift")
		if behind == "." && strings.Contains(text, ".") {
			behind = ""
		}
		v, size, _ := Fixed([]byte(text+behind), shift)
		digits := len(strings.Replace(text, ".", "", 1))
		if behind == "." {
			if size != 0 {
				t.Fatalf("%q was taken for a number", text+behind)
			}
			return
		}
		if (size > 0) != (digits <= Max && len(text)-strings.IndexByte(text+".", '.')-1+shift < len(Pow10)) || size > 0 && size != len(text) {
			t.Fatalf("read %d bytes of %q", size, text)
		}
		want, err := strconv.ParseFloat(text+"e-"+strconv.Itoa(shift), 64)
		if err != nil {
			t.Fatal(err)
		}
		if size > 0 && v != want {
			t.Fatalf("%q is %v, strconv says %v", text, v, want)
		}
	})
}

// Whole reads what strconv reads, or says no.
func TestWhole(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching(`[0-9]{0,20}`).Draw(t, "number")
		behind := rapid.StringMatching(`([^0-9][ -~]{0,20})?`).Draw(t, "behind")
		v, size := Whole([]byte(text + behind))
		want, _ := strconv.ParseInt(text, 10, 64)
		if len(text) > Max {
			want, text = 0, ""
		}
		if v != want || size != len(text) {
			t.Fatalf("%q is %d of %d bytes", text+behind, v, size)
		}
	})
}
