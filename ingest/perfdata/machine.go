package perfdata

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// A Machine is where symbols are looked for. Its methods may be called from several
// goroutines; what was read once is kept for other recordings.
type Machine struct {
	Root string // before every path, "" for the machine itself
	Host string // its name, to tell whether a recording without build IDs is its own

	mu     sync.Mutex
	files  map[[2]string]*symbols // by path and wanted build ID
	maps   map[int32]*symbols     // of compilers, by process
	kernel *kernel
}

// Here is the machine that the program runs on.
func Here() *Machine {
	host, _ := os.Hostname()
	return &Machine{Host: host}
}

// debugFolder holds debug information by build ID, as distributions install it.
const debugFolder = "/usr/lib/debug/.build-id"

// symbols gives the functions of a file with a build ID; nil if no such file is
// there. Without a build ID the file is taken if the recording is the machine's own.
func (m *Machine) symbols(path, id string, own bool) *symbols {
	if m == nil || !strings.HasPrefix(path, "/") || id == "" && !own {
		return nil
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	key := [2]string{path, id}
	if s, known := m.files[key]; known {
		return s
	}
	s := m.read(path, id)
	if m.files == nil {
		m.files = map[[2]string]*symbols{}
	}
	m.files[key] = s
	return s
}

func (m *Machine) read(path, id string) *symbols {
	var own, debug *symbols
	if s, found, ok := m.readFile(path); ok && (id == "" || found == id) {
		own, id = s, found
	}
	if len(id) > 2 {
		if s, found, ok := m.readFile(filepath.Join(debugFolder, id[:2], id[2:]+".debug")); ok && found == id {
			debug = s
		}
	}
	switch {
	case debug == nil || len(debug.list) == 0:
		return own
	case own != nil: // the segments of a debug file lie elsewhere
		return &symbols{list: debug.list, loads: own.loads}
	}
	return debug
}

// readFile reads an ELF file; others, pipes and devices among them, are passed by.
func (m *Machine) readFile(path string) (*symbols, string, bool) {
	path = filepath.Join(m.Root, filepath.Clean("/"+path))
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() || info.Size() > maxELF {
		return nil, "", false
	}
	return readELF(path)
}

// maxCompiled is the longest list of compiled functions that is read.
const maxCompiled = 256 << 20

// compiled gives the functions that a virtual machine says it has compiled, in
// /tmp/perf-PID.map (tools/perf/Documentation/jit-interface.txt):
//
//	7f1b6dfc5b80 1a4 JS:^fib /home/user/fib.js:1:13
func (m *Machine) compiled(pid int32) *symbols {
	m.mu.Lock()
	defer m.mu.Unlock()
	if s, known := m.maps[pid]; known {
		return s
	}
	s := &symbols{}
	if m.maps == nil {
		m.maps = map[int32]*symbols{}
	}
	m.maps[pid] = s
	path := filepath.Join(m.Root, fmt.Sprintf("/tmp/perf-%d.map", pid))
	info, err := os.Lstat(path)
	if err != nil || !info.Mode().IsRegular() || info.Size() > maxCompiled {
		return s
	}
	f, err := os.Open(path)
	if err != nil {
		return s
	}
	defer f.Close()
	for in := bufio.NewScanner(f); in.Scan(); {
		fields := strings.SplitN(in.Text(), " ", 3)
		if len(fields) < 3 {
			continue
		}
		from, err1 := strconv.ParseUint(strings.TrimPrefix(fields[0], "0x"), 16, 64)
		size, err2 := strconv.ParseUint(strings.TrimPrefix(fields[1], "0x"), 16, 64)
		if err1 == nil && err2 == nil {
			s.list = append(s.list, symbol{from: from, to: from + size, name: fields[2], global: true})
		}
	}
	slices.Reverse(s.list) // what was compiled last stands first at its address
	s.settle()
	return s
}

// kernel is the running one.
type kernel struct {
	id, release string
	symbols     *symbols
	anchors     map[string]uint64 // _text and _stext
}

func (m *Machine) running() *kernel {
	if m == nil {
		return nil
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.kernel == nil {
		m.kernel = m.readKernel()
	}
	return m.kernel
}

func (m *Machine) readKernel() *kernel {
	k := &kernel{anchors: map[string]uint64{}, symbols: &symbols{}}
	if notes, err := os.ReadFile(filepath.Join(m.Root, "/sys/kernel/notes")); err == nil {
		k.id = noteBuildID(&decoder{notes, binary.NativeEndian, false})
	}
	if release, err := os.ReadFile(filepath.Join(m.Root, "/proc/sys/kernel/osrelease")); err == nil {
		k.release = strings.TrimSpace(string(release))
	}
	f, err := os.Open(filepath.Join(m.Root, "/proc/kallsyms"))
	if err != nil {
		return k
	}
	defer f.Close()
	k.readSymbols(bufio.NewScanner(f))
	return k
}

// readSymbols reads /proc/kallsyms; the addresses are 0 for those who may not see
// them:
//
//	ffffffff81000000 T _text
//	ffffffffc0a3b000 t br_handle_frame	[bridge]
func (k *kernel) readSymbols(in *bufio.Scanner) {
	for in.Scan() {
		fields := bytes.Fields(in.Bytes())
		if len(fields) < 3 || len(fields[1]) != 1 {
			continue
		}
		address, err := strconv.ParseUint(string(fields[0]), 16, 64)
		if err != nil || address == 0 {
			continue
		}
		kind := fields[1][0]
		name := string(fields[2])
		if name == "_text" || name == "_stext" {
			k.anchors[name] = address
		}
		switch kind {
		case 't', 'T', 'w', 'W':
			k.symbols.list = append(k.symbols.list, symbol{from: address, to: address, name: name, weak: kind == 'w' || kind == 'W', global: kind == 'T'})
		}
	}
	k.symbols.settle()
}
