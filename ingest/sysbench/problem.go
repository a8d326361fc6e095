package sysbench

// The kinds of problem.
const (
	KindForeign    = "foreign-line"         // nothing that sysbench prints
	KindBroken     = "broken-line"          // starts like a line of sysbench, goes on otherwise
	KindTorn       = "torn-line"            // the text ends, or was cut, inside this line
	KindLong       = "long-line"            // longer than 64 KiB: the rest was read over
	KindZeros      = "nul-bytes"            // left by a crash
	KindMissing    = "intervals-missing"    // a gap between report lines
	KindRepeated   = "intervals-repeated"   // two report lines for one time
	KindBackwards  = "intervals-backwards"  // a report line for an earlier time
	KindCut        = "text-cut"             // a line like "..", with no gap that shows what is gone
	KindWrapped    = "counter-wrapped"      // below zero or beyond anything possible
	KindTotals     = "totals-disagree"      // report lines against summary
	KindEvents     = "events-disagree"      // events against transactions, or against those of the threads
	KindRate       = "rate-disagrees"       // count and time against the printed rate
	KindAboveMax   = "percentile-above-max" // percentiles are grid values, so a little is normal
	KindCheckpoint = "checkpoint"           // the totals were added up over checkpoint reports
	KindPercentile = "percentile-assumed"   // report lines of a hook do not name theirs
	KindExtract    = "extract"              // report lines and nothing else
	KindLocale     = "locale-commas"        // numbers with commas were read
	KindClock      = "clock-step"           // time stamps against report lines
	KindClients    = "clients-missing"      // reports of processes that worked side by side
	KindFatal      = "fatal"                // FATAL messages of sysbench
	KindAlert      = "alert"                // ALERT messages
	KindWarning    = "warning"              // WARNING messages
)

// note counts a problem of which the first example is enough.
func (s *scan) note(kind string, text []byte) {
	if s.Problem != nil { // quoting it takes longer than finding it
		s.problems.AddLine(s.rd, kind, text)
	}
}

// tell is note for a problem of an earlier line.
func (s *scan) tell(kind string, line int, text string) { s.problems.Add(kind, line, []byte(text)) }
