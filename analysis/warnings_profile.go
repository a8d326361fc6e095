package analysis

import "fmt"

// The doubts about profiles and waits.

// ProfilesOfOneArm: there are profiles, and nothing to set them against.
type ProfilesOfOneArm struct {
	Runs int
	By   string // what is compared; "" = nothing
}

func (ProfilesOfOneArm) Kind() string { return "profiles-of-one-arm" }
func (w ProfilesOfOneArm) Text() string {
	text := Counted(w.Runs, "run") + " have profiles"
	if w.Runs == 1 {
		text = "1 run has a profile"
	}
	if w.By != "" {
		return fmt.Sprintf("%s, but not in the base of %s and another arm: noisefloor profile top shows the usual shares.", text, w.By)
	}
	return text + ", and nothing is compared: noisefloor profile top shows the usual shares."
}
