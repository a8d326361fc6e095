package analysis

import "noisefloor/datasets/natural"

// Natural sorts names as people do: see natural.Compare.
func Natural(a, b string) int { return natural.Compare(a, b) }
