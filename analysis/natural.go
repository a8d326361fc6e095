package analysis

import "noisefloor/datasets/natural"

// Natural sorts names as people do: see natural.Compare.
func Natural(a, b string) int { return natural.Compare(a, b) }

// Versions orders versions as they were released: see natural.Versions.
func Versions(a, b string) int { return natural.Versions(a, b) }

// IsVersion tells whether a text has the shape of a version.
func IsVersion(s string) bool { return natural.IsVersion(s) }
