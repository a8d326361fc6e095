package report

// curveSection is what the page shows of one group of curves.
type curveSection struct {
	Heading     string
	Sentences   []string
	Pictures    []picture
	Head        string // of the table
	Table       htmlTable
	Differences *htmlTable
}

func newCurveSection(c *Curves) curveSection {
	s := curveSection{Heading: c.heading(), Sentences: c.sentences(), Pictures: curvePictures(c), Head: "Terms", Table: newHTMLTable(CurveTable(c))}
	if !c.described() {
		s.Head = "Levels"
	}
	if c.differ() {
		t := newHTMLTable(curveDifferences(c))
		s.Differences = &t
	}
	return s
}

// curveAnswer heads a page that was asked for curves alone: what each pair of arms
// shows, or the law.
func curveAnswer(r *Report) (a answer) {
	for i := range r.Curves {
		c := &r.Curves[i]
		in := ""
		if s := stratumWords(c.Stratum); s != "" && len(r.Curves) > 1 {
			in = sentenceCase(s) + ": "
		}
		for j := range c.Pairs {
			a.Lines = append(a.Lines, line{Sentence: in + c.rangeSentence(&c.Pairs[j])})
		}
		if len(c.Pairs) == 0 {
			a.Lines = append(a.Lines, line{Sentence: in + c.lawSentence()})
		}
	}
	if len(a.Lines) == 0 {
		a.Lines = []line{{Sentence: "No curve was drawn: the doubts say why."}}
	}
	return a
}
