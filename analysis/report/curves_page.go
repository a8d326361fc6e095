package report

// curveSection is what the page shows of one group of curves.
type curveSection struct {
	Heading     string
	Sentences   []string
	Pictures    []picture
	Terms       htmlTable
	Differences *htmlTable
}

func newCurveSection(c *Curves) curveSection {
	s := curveSection{Heading: c.heading(), Sentences: c.sentences(), Pictures: curvePictures(c), Terms: newHTMLTable(curveTerms(c))}
	if len(c.Pairs) > 0 {
		t := newHTMLTable(curveDifferences(c))
		s.Differences = &t
	}
	return s
}
