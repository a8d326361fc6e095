package machine

import (
	"fmt"
	"io"
	"testing"

	"noisefloor/ingest/internal/scantest"
)

func told(text io.Reader) (list []scantest.Record, err error) {
	data, err := io.ReadAll(text)
	m, cut := Parse(data)
	for _, e := range m.Entries {
		list = append(list, scantest.Record{Text: fmt.Sprintf("%s=%s", e.Key, e.Value)})
	}
	if cut != nil {
		list = append(list, scantest.Record{Line: 1, Text: cut.Error()})
	}
	return list, err
}

func says(t *testing.T, text string, want ...string) {
	t.Helper()
	if !Sniff([]byte(text)) {
		t.Errorf("nobody's:\n%.100s", text)
	}
	scantest.Finds(t, told, text, want...)
}

// The values are those of the files, read by eye.
func TestRecorded(t *testing.T) {
	files := scantest.Recorded(t)
	amd := []string{"arch=x86_64", "cpu=AMD EPYC", "cores=2", "sockets=1", "numa_nodes=1", "hypervisor=KVM"}
	says(t, files["testdata/lscpu.txt"], amd...)
	says(t, files["testdata/lscpu-json.txt"], amd...)
	says(t, files["testdata/uname.txt"], "host=vm", "kernel=6.18.44", "arch=x86_64")
	says(t, files["testdata/meminfo.txt"], "memory_bytes=25276059648")
	says(t, files["testdata/free.txt"], "memory_bytes=25276059648")
	says(t, files["testdata/free-h.txt"], "memory_bytes=24696061952")
	says(t, files["testdata/cpuinfo.txt"], "cpu=AMD EPYC", "cores=2", "microcode=0x1000065")
	says(t, files["testdata/pt-summary.txt"], "host=vm", "os=Debian GNU/Linux 12 (bookworm) (bookworm)", "kernel=6.18.44", "cpu=AMD EPYC", "cores=2", "sockets=1", "memory_bytes=25232932864")
}

func TestVariants(t *testing.T) {
	// A harness puts several of them one behind the other.
	says(t, "=== uname ===\nLinux db7.example.org 6.8.0-60-generic #63-Ubuntu SMP PREEMPT_DYNAMIC Tue Apr 15 19:04:15 UTC 2025 x86_64 x86_64 x86_64 GNU/Linux\n\n=== CPU ===\nArchitecture:                         x86_64\n"+
		"CPU op-mode(s):                       32-bit, 64-bit\nCPU(s):                               80\nModel name:                           Intel(R) Xeon(R) Gold 6230   CPU @ 2.10GHz\nSocket(s):                            2\nCPU max MHz:                          3900.0000\n"+
		"\n=== memory ===\n               total        used        free      shared  buff/cache   available\nMem:             187           5          26           0         155         179\nSwap:              7           0           7\n",
		"host=db7.example.org", "kernel=6.8.0-60-generic", "arch=x86_64", "cpu=Intel(R) Xeon(R) Gold 6230 CPU @ 2.10GHz", "cores=80", "sockets=2", "memory_bytes=200789721088")
	// free -m.
	says(t, "              total        used        free      shared  buff/cache   available\nMem:          64228       10000       50000           1        4228       53000\n", "memory_bytes=67347939328")
	// pt-summary of a virtual machine with several processors, of which one has no numbers.
	says(t, "# Percona Toolkit System Summary Report ######################\n    Hostname | db7\n Virtualized | KVM\n Service Tag | 4711\n# Processor ##################################################\n  Processors | physical = 2, cores = 32, virtual = 64, hyperthreading = yes\n"+
		"      Models | 64xIntel(R) Xeon(R) Gold 6230   CPU @ 2.10GHz\n# Memory #####################################################\n       Total | 1010.5M\n  Numa Nodes | 2\n# Disk #######################################################\n       Total | 5G\n",
		"host=db7", "cpu=Intel(R) Xeon(R) Gold 6230 CPU @ 2.10GHz", "cores=64", "sockets=2", "numa_nodes=2", "memory_bytes=1059586048", "hypervisor=KVM")
	says(t, "/usr/sbin/mysqld  Ver 8.0.36-28 for Linux on x86_64 (Percona Server (GPL), Release 28, Revision 47601f19)\n", "server_version=8.0.36-28")
	says(t, "mariadbd  Ver 11.4.5-MariaDB-log for Linux on x86_64 (MariaDB Server)\n", "server_version=11.4.5-MariaDB-log")
	// ARM has no name in /proc/cpuinfo, and German has other names in lscpu.
	says(t, "processor\t: 0\nBogoMIPS\t: 243.75\nCPU implementer\t: 0x41\nCPU part\t: 0xd0c\n\nprocessor\t: 1\nBogoMIPS\t: 243.75\nCPU implementer\t: 0x41\nCPU part\t: 0xd0c\n\n", "cpu=ARM implementer 0x41 part 0xd0c", "cores=2")
	says(t, "Architektur:                     x86_64\nCPU(s):                          16\nModellname:                      AMD Ryzen 7 5800X 8-Core Processor\nSockel:                          1\n", "arch=x86_64", "cpu=AMD Ryzen 7 5800X 8-Core Processor", "cores=16", "sockets=1")
	// More than there can be, found by fuzzing.
	scantest.Finds(t, told, "Mem:      90000000P       965Mi        18Gi       8.7Mi       4.8Gi        22Gi\n")
	scantest.Finds(t, told, "siblings: 1\n")
	scantest.Finds(t, told, "CPU part: 1\n")
	// Cut in the middle of a number.
	says(t, "MemTotal:       24683652 kB\nMemFree:        18967464 kB\n", "memory_bytes=25276059648")
	scantest.Finds(t, told, "Linux db7 6.8.0 #1 SMP x86_64 GNU/Linux\nCPU(s):                          1", "host=db7", "kernel=6.8.0", "arch=x86_64", `@1 the last line has no end and is not read: "CPU(s):                          1"`)
	for _, text := range []string{"", "Linux is a kernel\n", "name: value\nCPU(s): many\n", "total used free\n"} {
		if Sniff([]byte(text)) {
			t.Errorf("%q is taken for a machine", text)
		}
	}
}

func TestScanner(t *testing.T) {
	for name, text := range scantest.Recorded(t) {
		t.Run(name, func(t *testing.T) { scantest.Check(t, told, text) })
	}
}

func TestCut(t *testing.T) {
	for name, text := range scantest.Recorded(t) {
		t.Run(name, func(t *testing.T) { scantest.Cut(t, told, scantest.Partly, text) })
	}
}

func FuzzParse(f *testing.F) {
	for _, text := range scantest.Recorded(f) {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		Sniff(text)
		m, _ := Parse(text)
		for _, e := range m.Entries {
			if n, ok := e.Value.Number(); e.Value.IsNull() || ok && !(n > 0) {
				t.Fatalf("%s is %s", e.Key, e.Value)
			}
		}
	})
}
