package datasets

import "strings"

// Fold writes the frames of a call stack in one text, root first, a semicolon
// between; a semicolon or backslash in a frame has a backslash before it. No frame is the
// empty text, and a single one without a name a lone backslash.
func Fold(frames []string) string {
	if len(frames) == 1 && frames[0] == "" {
		return `\`
	}
	var b strings.Builder
	for i, frame := range frames {
		if i > 0 {
			b.WriteByte(';')
		}
		if !strings.ContainsAny(frame, `;\`) {
			b.WriteString(frame)
			continue
		}
		for k := range len(frame) {
			if frame[k] == ';' || frame[k] == '\\' {
				b.WriteByte('\\')
			}
			b.WriteByte(frame[k])
		}
	}
	return b.String()
}

// Unfold is the inverse of Fold; of an empty text it makes no frame.
func Unfold(folded string) []string {
	if folded == "" {
		return nil
	}
	var frames []string
	var b strings.Builder
	for i := 0; i < len(folded); i++ {
		switch {
		case folded[i] == '\\' && i+1 == len(folded): // the frame without a name
		case folded[i] == '\\':
			i++
			b.WriteByte(folded[i])
		case folded[i] == ';':
			frames = append(frames, b.String())
			b.Reset()
		default:
			b.WriteByte(folded[i])
		}
	}
	return append(frames, b.String())
}
