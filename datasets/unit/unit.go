// Package unit says what a number is counted in and which way is better, so
// that no other package carries an if about tps or latency. Values are kept in
// base units (seconds, bytes, per second) from the door to the printer; the
// printer picks a scale.
package unit

// Better is the direction in which a metric improves.
type Better int8

const (
	Neither Better = iota // a count or a size: no verdict has a direction
	Higher                // throughput
	Lower                 // latency, errors
)

// String gives the word used in JSON and in field metadata.
func (b Better) String() string {
	switch b {
	case Higher:
		return "higher"
	case Lower:
		return "lower"
	}
	return "neither"
}

// Unit is a base unit and the direction in which the metric improves.
type Unit struct {
	Name   string // base form: "1/s", "s", "B", "B/s", "1" (a plain number)
	Better Better
}
