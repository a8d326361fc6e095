package ingest

import (
	"bytes"
	"encoding/binary"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"noisefloor/datasets"
	"noisefloor/ingest/activesessions"
	"noisefloor/ingest/hoststat"
	"noisefloor/ingest/internal/lines"
	"noisefloor/ingest/internal/load"
	"noisefloor/ingest/internal/pattern"
	"noisefloor/ingest/machine"
	"noisefloor/ingest/mysqlsummary"
	"noisefloor/ingest/pprofile"
	"noisefloor/ingest/runmeta"
	"noisefloor/ingest/serverstat"
	"noisefloor/ingest/table"
)

// kind is what a file is, told by its content.
type kind string

const (
	runTable      kind = "table"
	metadata      kind = "metadata"
	variables     kind = "server variables"
	optionFile    kind = "my.cnf"
	serverSummary kind = "server summary"
	hostFile      kind = "host statistics"
	machineFile   kind = "machine description"
	ownPart       kind = "noisefloor data set"
	changeList    kind = "list of known changes"
	emptyZip      kind = "zip without files"
	otherStalk    kind = "output of pt-stalk or pt-mysql-summary"
	prometheus    kind = "answer of Prometheus"

	emptyFile  kind = "empty file"
	image      kind = "image"
	binaryFile kind = "binary file"
	document   kind = "document"
	unknown    kind = "unknown text"
)

// isProblem: what a person may have meant to be read and was not.
func (k kind) isProblem() bool {
	return k == emptyFile || k == image || k == binaryFile || k == unknown || k == emptyZip
}

// someLines of a text tell its kind.
const someLines = 40

var magics = []struct {
	magic string
	kind  kind
}{
	{"\x89PNG\r\n", image}, {"\xff\xd8\xff", image}, {"GIF8", image}, {"BM", ""}, {"II*\x00", image}, {"MM\x00*", image}, {"RIFF", image},
	{"PERFILE2", perfData}, {"2ELIFREP", perfData}, {"PERFFILE", "perf.data of version 1"}, {"\x7fELF", binaryFile},
	{"%PDF-", document}, {"SQLite format 3\x00", "sqlite"}, {"PK\x05\x06", emptyZip},
}

// known texts are recognised and counted, their values are for a later version
// to read. A line of the head must match. The order matters: perf's headings
// before the general ones.
var known = []struct {
	kind  kind
	shape *pattern.Pattern
}{
	{"server error log", pattern.MustCompile(`(?m)^\d{4}-\d\d-\d\d[T ]+\d?\d:\d\d:\d\d\S*\s+\d+\s+\[(?:System|Warning|Note|ERROR|Error)\]|^\d{6} +\d?\d:\d\d:\d\d (?:mysqld_safe|mariadbd_safe|\[(?:Warning|Note|ERROR)\]|InnoDB:) `)},
	{"kernel log", pattern.MustCompile(`(?m)^(?:\[ *\d+\.\d{6}\] )?(?:Linux version \d|Initializing cgroup subsys|BIOS-provided physical RAM map:|Bootdata ok|Command line: (?:BOOT_IMAGE|ro|auto)\b)`)},
	{perfStat, pattern.MustCompile(`(?m)^\s*Performance counter stats for |^#\s+time\s+counts unit events|^# (?:cmd: )?perf stat |^\{"(?:interval|cpu|core|die|socket|node|thread|cgroup|aggregate-number|counter-value)" ?:` +
		`|^(?:[^,;\t\n]*[,;\t]){1,5}(?:cycles|instructions|cpu-clock|task-clock|context-switches|page-faults|branches)(?::\w+)?[,;\t]|^(?:cycles|instructions)\t\d`)},
	{perfReport, pattern.MustCompile(`(?m)^# Samples: .* of event|^# To display the perf\.data header info|^# Overhead +`)},
	{perfScript, pattern.MustCompile(`(?m)^\S.*\s\d+(?:/\d+)?\s+(?:\[\d+\]\s+)?\d+\.\d+:\s+(?:\d+\s+)?\S+:\s*(?:\S.*)?$|^# captured on\s*:|^# cmdline : \S*perf ` +
		`|^\s*(?:[0-9a-f]{12,16} [^\s\d].*|[0-9a-f]{6,16} \S.*(?:\)|\+0x[0-9a-f]+))\n\s*[0-9a-f]{6,16} \S|:\s+[0-9a-f]{8,16} \S.*\(\S*\)$`)},
	{foldedStacks, pattern.MustCompile(`\A(?:#[^\n]*\n|\s)*(?:[^\n;]+ \d+(?:\.\d+)?\r?\n)*[^\n]*;[^\n]* \d+(?:\.\d+)?\r?(?:\n|\z)`)},
	{prometheus, pattern.MustCompile(`\A\s*\{(?s:.{0,200}?)"resultType"\s*:\s*"(?:matrix|vector|scalar|string)"`)},
	{"metrics for Prometheus", pattern.MustCompile(`(?m)^# (?:HELP|TYPE) [a-zA-Z_:]\w* \S`)},
	{"flame graph", pattern.MustCompile(`(?s)\A\s*(?:<\?xml.*?)?(?:<!DOCTYPE svg.*?)?<svg`)},
	{"description of containers", pattern.MustCompile(`(?m)^services:[ \t]*\r?\n(?:[ \t]*(?:#.*)?\r?\n)*[ \t]+[\w.-]+:[ \t]*\r?\n(?:[ \t]+.*\n)*?[ \t]+(?:image|build)[ \t]*:|^apiVersion:[ \t]*(?:[\w.-]+/)?v\d\w*[ \t]*\r?$`)},
	{changeList, pattern.MustCompile(`\A(?:\s|#[^\n]*\n)*-\s+\{?\s*at:\s`)},
	{"query digests", pattern.MustCompile(`(?mi)^(?:schema_name|digest)\tdigest`)},
	{"disk counts of vmstat -d", pattern.MustCompile(`(?m)^disk- -+reads-+ -+writes-+`)},
	{"log of transactions of pgbench", pattern.MustCompile(`\A(?:1\d{9} \d+ \d+ \d{3,} \d+ \d+(?: \d+){0,9}\r?\n){3}|\A(?:\d+ \d+ (?:\d+|failed|skipped) \d+ 1\d{9} \d{1,6}(?: \d+)?\r?\n){3}`)},
	{"list of BenchBase", pattern.MustCompile(`\Atime ?\(sec\), ?throughput ?\(req/sec\)|\A"?Time \(seconds\)"?,(?:"?Requests"?,)?"?Throughput \(requests/second\)|\A"?Transaction Type Index(?: \(start number\))?"?,"?Transaction Name`)},
	{"list of disks", pattern.MustCompile(`\A\s*(?:Filesystem\s.*\bMounted on|NAME\s+(?:[A-Z:%-]+\s+)*(?:MOUNTPOINTS?|FSTYPE|MAJ:MIN)\b.*)\r?\n`)},
	{"processes of ps", pattern.MustCompile(`(?m)^USER +PID +%CPU|^\S+ +\d+ +\d+\.\d +\d+\.\d +\d+ +\d+ \S+ +\S+ +\d?\d:\d\d +\d+:\d\d `)},
}

var (
	variableNames = pattern.MustCompile(`(?m)^(?:\| )?(?:allow_suspicious_udfs|activate_all_roles_on_login|admin_address|alter_algorithm|auto_increment_increment|auto_generate_certs|autocommit|automatic_sp_privileges|back_log|basedir)\s*[\t|]|^Variable_name: [a-z]` +
		`|^(?:\| )?Variable_name\s*[\t|]\s*Value\s*\|?\r?\n(?:\+[-+]*\r?\n)?(?:\| )?[a-z]`) // of a few only; a status begins with a capital
	optionSection = pattern.MustCompile(`(?m)^\s*\[(?:mysqld?|mysqld[-\d.]+|mariadbd?|mariadb-[\d.]+|server|client|mysqldump|galera|mysqld_safe|embedded)\]`)
	manifest      = pattern.MustCompile(`"(?:schema|noisefloor)"\s*:\s*"noisefloor/`)
	markdown      = pattern.MustCompile(`(?m)^#{1,4} \S|^\[[^\]]+\]\(http|^={3,}\s*$|^-{3,}\s*$|^\* \S|^<!DOCTYPE html|^<html`)
	jsonList      = pattern.MustCompile(`\A\s*\[\s*[{\["]|\A\s*\{[^\n]*\}\r?\n\s*\{`)
)

// sniffed is the kind of a file and what sniffing found out on the way.
type sniffed struct {
	kind    kind
	tool    *load.Tool // of a log
	host    hoststat.Kind
	dialect table.Dialect
}

// decided tells whether a longer head cannot say more: a tool of the host is known
// by its first lines, and only a log may follow what it printed.
func (s sniffed) decided(head, longer []byte) bool {
	if s.kind != hostFile || longer[0] == '{' {
		return false
	}
	before, after := lines.Telling(wholeLines(head)), lines.Telling(wholeLines(longer))
	return bytes.Equal(before, after) || toolOf(longer) == nil
}

// wholeLines leaves out the last line if it has no end.
func wholeLines(text []byte) []byte { return text[:bytes.LastIndexByte(text, '\n')+1] }

// sniff tells the kind of a file by its head; whole means that the head is all
// of it. The name only helps where the content cannot say: a program, a readme.
func sniff(head []byte, whole bool, name string) sniffed {
	s := sniffContent(head, whole, name)
	if isCollected(name) && !s.isRead(name) {
		return sniffed{kind: otherStalk}
	}
	return s
}

func sniffContent(head []byte, whole bool, name string) sniffed {
	if len(bytes.TrimSpace(head)) == 0 {
		return sniffed{kind: emptyFile}
	}
	if datasets.IsForeign(head) {
		return sniffed{kind: runTable, dialect: table.Dialect{Form: table.Columnar}}
	}
	if isSource(head, name) {
		return sniffed{kind: document}
	}
	for _, m := range magics {
		if m.kind != "" && bytes.HasPrefix(head, []byte(m.magic)) {
			return sniffed{kind: m.kind}
		}
	}
	if t := toolOf(head); t != nil {
		return sniffed{kind: logKind(t), tool: t}
	}
	if activesessions.Sniff(head) {
		return sniffed{kind: activeSessions}
	}
	if pprofile.Sniff(head) {
		return sniffed{kind: pprofProfile}
	}
	text := decoded(utf8Text(head))
	if text == nil {
		if d, ok := table.Sniff(head, whole); ok {
			return sniffed{kind: runTable, dialect: d}
		}
		return sniffed{kind: binaryFile}
	}
	if manifest.Match(text) && bytes.HasPrefix(bytes.TrimSpace(text), []byte("{")) {
		return sniffed{kind: ownPart}
	}
	if h := hoststat.Sniff(text); h != "" {
		return sniffed{kind: hostFile, host: h}
	}
	if machine.Sniff(firstLines(text, someLines)) {
		return sniffed{kind: machineFile}
	}
	if k := serverstat.Sniff(text); k != "" && !isProgram(text, name) && !(k != serverstat.Status && variableNames.Match(text)) {
		return sniffed{kind: kind(k)}
	}
	lines := firstLines(text, someLines)
	switch {
	case mysqlsummary.Sniff(lines):
		return sniffed{kind: serverSummary}
	case variableNames.Match(text):
		return sniffed{kind: variables}
	case optionSection.Match(text):
		return sniffed{kind: optionFile}
	}
	object := bytes.HasPrefix(bytes.TrimSpace(lines), []byte("{")) // only two begin so
	for _, k := range known {
		if (!object || k.kind == perfStat || k.kind == prometheus) && k.shape.Match(lines) && !(k.kind == foldedStacks && isProgram(lines, name)) {
			return sniffed{kind: k.kind}
		}
	}
	d, isTable := table.Sniff(head, whole)
	switch {
	case isTable && d.Form == table.JSON:
		return sniffed{kind: runTable, dialect: d}
	case jsonList.Match(lines):
		return sniffed{kind: "JSON list"}
	}
	if runmeta.Sniff(text, whole) {
		return sniffed{kind: metadata}
	}
	if isTable && (d.Form == table.Delimited || !isProgram(lines, name)) {
		return sniffed{kind: runTable, dialect: d}
	}
	if isProse(lines, name) {
		return sniffed{kind: document}
	}
	return sniffed{kind: unknown}
}

// decoded gives a text in UTF-8; nil if it is no text. NULs at the end are what a
// crashed machine left.
func decoded(head []byte) []byte {
	head = bytes.TrimRight(head, "\x00")
	if bytes.IndexByte(head, 0) >= 0 {
		return nil
	}
	control := 0
	for i := 0; i < len(head); i++ {
		for i+8 <= len(head) && !hasControl(binary.LittleEndian.Uint64(head[i:])) {
			i += 8
		}
		if i == len(head) {
			break
		}
		if b := head[i]; b < ' ' && b != '\n' && b != '\r' && b != '\t' && b != '\f' && b != '\x1b' && b != '\b' {
			control++
		}
	}
	if control*50 > len(head) {
		return nil
	}
	if !utf8.Valid(head[:max(0, len(head)-utf8.UTFMax)]) && control > 0 {
		return nil
	}
	return head
}

// hasControl tells whether one of eight bytes is below a blank.
func hasControl(w uint64) bool {
	const each = 0x0101010101010101
	return (w-each*' ')&^w&(each<<7) != 0
}

func firstLines(text []byte, n int) []byte {
	at := 0
	for range n {
		i := bytes.IndexByte(text[at:], '\n')
		if i < 0 {
			return text
		}
		at += i + 1
	}
	return text[:at]
}

// sourceEndings are those of programs, templates, notebooks and the answers and words of
// TPC's: what looks like a log or table in them is a sample of one, or the text that a
// parser looks for.
var sourceEndings = []string{"py", "go", "rs", "java", "scala", "kt", "cc", "cpp", "cxx", "hpp", "hh", "cs", "js", "mjs", "cjs", "jsx", "ts", "tsx", "vue", "svelte", "css", "scss", "less", "php", "rb", "pl", "pm",
	"lua", "tcl", "sql", "ps1", "psm1", "bat", "cmd", "swift", "dart", "m4", "cmake", "gradle", "tf", "hcl", "j2", "jinja", "tmpl", "tpl", "proto", "patch", "diff", "ipynb", "rmd", "tex", "bib", "xsl", "xsd", "dtd", "ans", "dss", "c", "h", "t"}

// codeLine is one of C, or a command in a test of cram: what such a test expects, with
// (glob) and (re) for numbers, looks like the log of a killed run.
var codeLine = regexp.MustCompile(`(?m)^\s*(?:#\s*(?:include|define|if|ifdef|ifndef|pragma)\b|/\*|//)|^  \$ \S`)

// projectFiles describe programs, their parts and how they are built, machines that are
// rented, and folders on a screen: no runs.
var projectFiles = strings.Fields("package.json package-lock.json composer.json composer.lock tsconfig.json jsconfig.json deno.json bower.json " +
	"cargo.toml cargo.lock pyproject.toml poetry.lock pipfile chart.yaml mkdocs.yml .travis.yml codecov.yml renovate.json " +
	"terraform.tfstate terraform.tfstate.backup terraform.tfvars .terraform.lock.hcl desktop.ini")

// isSource tells the source of a program by its name. What ends in c or h may be
// results of TPC-C and TPC-H, too, and has to look like code.
func isSource(head []byte, name string) bool {
	name = strings.ToLower(name)
	if slices.Contains(projectFiles, name) {
		return true
	}
	ending := name[strings.LastIndexByte(name, '.')+1:]
	if ending == name || !slices.Contains(sourceEndings, ending) {
		return false
	}
	return len(ending) > 1 || codeLine.Match(firstLines(head, someLines))
}

// isProgram: scripts and sources, in which lines stand aligned and drawn too.
func isProgram(text []byte, name string) bool {
	name = strings.ToLower(name)
	for _, ending := range []string{".sh", ".r", ".yml", ".yaml"} {
		if strings.HasSuffix(name, ending) {
			return true
		}
	}
	return bytes.HasPrefix(text, []byte("#!"))
}

// isProse: readmes, licences, scripts and the like, which nobody expects to be
// read as a result.
func isProse(text []byte, name string) bool {
	name = strings.ToLower(name)
	for _, ending := range []string{".md", ".rst", ".adoc", ".html", ".htm", ".sh", ".r"} {
		if strings.HasSuffix(name, ending) {
			return true
		}
	}
	for _, word := range []string{"readme", "license", "licence", "notes", "changelog", "makefile", "dockerfile"} {
		if strings.HasPrefix(name, word) {
			return true
		}
	}
	return bytes.HasPrefix(text, []byte("#!")) || len(markdown.FindAllIndex(text, 3)) == 3
}
