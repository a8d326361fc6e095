// Package sysbench reads what sysbench prints and gives back its runs: the
// options, every report line, the totals to the last digit, the histogram, how
// the run ended, and what in the text was not understood.
//
// It takes logs as they lie about: several runs in one file, runs that were
// killed, indentation lost in a blog, quoted, time-stamped, coloured, with the
// middle cut out, in UTF-16 or with the line ends of another system. The version
// line does not decide the form of the lines, so every line is told by itself.
//
// The road of a line:
//
//  1. reader.go cuts the text into lines, whatever their ends, and hashes the
//     bytes of the run at hand.
//  2. interval.go reads the common report line straight from the bytes.
//  3. Everything else goes to scan.go, which takes off what others put in front
//     of the line (dress.go) and offers it to header.go, echo.go, message.go and
//     summary.go.
//  4. check.go compares the report lines with the totals when the run ends.
//  5. What nobody wanted is counted in problem.go, one record per kind.
//
// A number that may have lost its end is not taken: a line counts when its line
// end was read, or when the form itself shows that nothing is missing.
package sysbench
