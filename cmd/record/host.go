//go:build linux

package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"runtime"
	"strconv"
	"strings"
)

// Host is the machine, without its name: the hash tells machines apart and says nothing else.
type Host struct {
	Hash, Kernel, OS, CPU string
	Cores                 int
	MemoryBytes           int64
	Glibc, Sysbench, Perf string // versions; Perf is empty when perf does not work
}

func fingerprint(machineID string) string {
	sum := sha256.Sum256([]byte("noisefloor" + strings.TrimSpace(machineID)))
	return hex.EncodeToString(sum[:])[:12]
}

func readHost(ctx context.Context) (Host, error) {
	id, err := os.ReadFile("/etc/machine-id")
	if err != nil {
		return Host{}, fmt.Errorf("no fingerprint of the host: %w", err)
	}
	h := Host{
		Hash:   fingerprint(string(id)),
		Kernel: firstLine("/proc/sys/kernel/osrelease"),
		OS:     strings.Trim(value("/etc/os-release", "PRETTY_NAME="), `"`),
		CPU:    strings.TrimLeft(value("/proc/cpuinfo", "model name"), " \t:"),
		Cores:  runtime.NumCPU(),
	}
	if f := strings.Fields(value("/proc/meminfo", "MemTotal:")); len(f) == 2 {
		kib, err := strconv.ParseInt(f[0], 10, 64)
		if err != nil {
			return Host{}, fmt.Errorf("/proc/meminfo: %w", err)
		}
		h.MemoryBytes = kib * 1024
	}
	h.Glibc = strings.TrimPrefix(output(ctx, "getconf", "GNU_LIBC_VERSION"), "glibc ")
	h.Sysbench = strings.TrimPrefix(output(ctx, "sysbench", "--version"), "sysbench ")
	h.Perf = strings.TrimPrefix(output(ctx, "perf", "--version"), "perf version ")
	if h.Sysbench == "" {
		return Host{}, fmt.Errorf("sysbench does not run; install the Debian package sysbench")
	}
	return h, nil
}

func firstLine(path string) string {
	data, err := os.ReadFile(path)
	if err != nil {
		return ""
	}
	line, _, _ := strings.Cut(string(data), "\n")
	return strings.TrimSpace(line)
}

// value returns what follows prefix on the first line that starts with it, or "".
func value(path, prefix string) string {
	data, err := os.ReadFile(path)
	if err != nil {
		return ""
	}
	for line := range strings.Lines(string(data)) {
		if rest, ok := strings.CutPrefix(line, prefix); ok {
			return strings.TrimSpace(rest)
		}
	}
	return ""
}

func output(ctx context.Context, name string, args ...string) string {
	out, err := exec.CommandContext(ctx, name, args...).Output()
	if err != nil {
		return ""
	}
	return string(bytes.TrimSpace(out))
}

func load1() (float64, error) {
	field, _, _ := strings.Cut(firstLine("/proc/loadavg"), " ")
	load, err := strconv.ParseFloat(field, 64)
	if err != nil {
		return 0, fmt.Errorf("/proc/loadavg: %w", err)
	}
	return load, nil
}

// userHz is the unit of /proc/stat: USER_HZ, 100 a second on every Linux architecture but alpha.
const userHz = 100

// cpuTimes returns the seconds idle and stolen by the hypervisor since boot, over all CPUs (proc_stat(5): user nice
// system idle iowait irq softirq steal).
func cpuTimes(stat string) (idle, steal float64, err error) {
	line, _, _ := strings.Cut(stat, "\n")
	f := strings.Fields(line)
	if len(f) < 9 || f[0] != "cpu" {
		return 0, 0, fmt.Errorf("/proc/stat starts with %q, want cpu and at least 8 numbers", line)
	}
	i, err := strconv.ParseUint(f[4], 10, 64)
	if err != nil {
		return 0, 0, fmt.Errorf("/proc/stat: %w", err)
	}
	s, err := strconv.ParseUint(f[8], 10, 64)
	if err != nil {
		return 0, 0, fmt.Errorf("/proc/stat: %w", err)
	}
	return float64(i) / userHz, float64(s) / userHz, nil
}

// redactVariables takes from the server's variables (a tab between name and value) what names this machine: the temporary
// folder becomes $DATA, the host's name its hash, and server_uid, which is made from the network card's address, goes.
func redactVariables(tsv, folder, hostname, hash string) string {
	short, _, _ := strings.Cut(hostname, ".")
	var names []*regexp.Regexp
	for _, name := range []string{hostname, short} {
		if name != "" && name != "localhost" {
			names = append(names, regexp.MustCompile(`(^|[^A-Za-z0-9])`+regexp.QuoteMeta(name)+`($|[^A-Za-z0-9])`))
		}
	}
	var b strings.Builder
	for line := range strings.Lines(tsv) {
		name, value, ok := strings.Cut(line, "\t")
		if !ok {
			b.WriteString(line)
			continue
		}
		value = strings.ReplaceAll(value, folder, "$DATA")
		if !strings.HasPrefix(value, "/usr/") { // a host called mysql would spoil /usr/share/mysql
			for _, re := range names {
				value = re.ReplaceAllString(value, "${1}"+hash+"${2}")
			}
		}
		if name == "server_uid" {
			value = "(removed)\n"
		}
		b.WriteString(name + "\t" + value)
	}
	return b.String()
}
