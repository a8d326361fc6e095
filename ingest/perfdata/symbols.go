package perfdata

import (
	"cmp"
	"debug/elf"
	"slices"
	"strings"
)

// symbols are the functions of one file, by address.
type symbols struct {
	list  []symbol
	loads []load
}

type symbol struct {
	from, to uint64
	name     string
	weak     bool
	global   bool
}

// load is a segment: where a piece of the file is in memory.
type load struct {
	offset, size, address uint64
}

// maxELF is the largest file whose symbols are read: a server with debug
// information has about 1 GB.
const maxELF = 4 << 30

// readELF reads the functions of a file and its build ID. debug/elf panics on some
// damaged files.
func readELF(path string) (s *symbols, id string, ok bool) {
	defer func() {
		if recover() != nil {
			s, ok = nil, false
		}
	}()
	f, err := elf.Open(path)
	if err != nil {
		return nil, "", false
	}
	defer f.Close()
	s = &symbols{}
	for _, p := range f.Progs {
		if p.Type == elf.PT_LOAD {
			s.loads = append(s.loads, load{p.Off, p.Memsz, p.Vaddr})
		}
	}
	all, err := f.Symbols()
	if err != nil || len(all) == 0 {
		all, _ = f.DynamicSymbols()
	}
	for _, sym := range all {
		if isFunction(f, sym) {
			bind := elf.ST_BIND(sym.Info)
			s.list = append(s.list, symbol{sym.Value, sym.Value + sym.Size, sym.Name, bind == elf.STB_WEAK, bind == elf.STB_GLOBAL})
		}
	}
	s.settle()
	return s, elfBuildID(f), true
}

func isFunction(f *elf.File, sym elf.Symbol) bool {
	if sym.Name == "" || sym.Section == elf.SHN_UNDEF || int(sym.Section) >= len(f.Sections) {
		return false
	}
	switch elf.ST_TYPE(sym.Info) {
	case elf.STT_FUNC, elf.STT_GNU_IFUNC:
		return true
	case elf.STT_NOTYPE: // assembler: _start
		v := elf.ST_VISIBILITY(sym.Other)
		return f.Sections[sym.Section].Flags&elf.SHF_EXECINSTR != 0 && v != elf.STV_HIDDEN && v != elf.STV_INTERNAL
	}
	return false
}

// elfBuildID reads the note that the linker leaves: sizes of name and ID, a type,
// "GNU\0", the ID.
func elfBuildID(f *elf.File) string {
	section := f.Section(".note.gnu.build-id")
	if section == nil || section.Size > 4096 {
		return ""
	}
	b, err := section.Data()
	if err != nil {
		return ""
	}
	return noteBuildID(&decoder{b, f.ByteOrder, false})
}

func noteBuildID(d *decoder) string {
	for len(d.b) > 0 && !d.short {
		nameSize, idSize, kind := d.u32(), d.u32(), d.u32()
		name := d.take(int(nameSize+3) / 4 * 4)
		id := d.take(int(idSize+3) / 4 * 4)
		if kind == 3 && cString(name) == "GNU" && int(idSize) <= len(id) {
			return hexOf(id[:idSize])
		}
	}
	return ""
}

// settle sorts the symbols, keeps the best of each address as perf does
// (tools/perf/util/symbol.c, choose_best_symbol and symbols__fixup_end), and lets
// those without a size reach to the next.
func (s *symbols) settle() {
	slices.SortStableFunc(s.list, func(a, b symbol) int {
		return cmp.Or(cmp.Compare(a.from, b.from), -better(a, b))
	})
	s.list = slices.CompactFunc(s.list, func(a, b symbol) bool { return a.from == b.from })
	for i := range s.list {
		if s.list[i].to == s.list[i].from {
			if i+1 < len(s.list) {
				s.list[i].to = s.list[i+1].from
			} else {
				s.list[i].to += 4096 // perf: the page
			}
		}
	}
}

// better is 1 if the first of two symbols of one address is the one to show, -1 if
// the second is.
func better(a, b symbol) int {
	yes := func(x bool) int {
		if x {
			return 1
		}
		return 0
	}
	underscores := func(s symbol) int { return len(s.name) - len(strings.TrimLeft(s.name, "_")) }
	return cmp.Or(
		cmp.Compare(yes(a.to > a.from), yes(b.to > b.from)),
		cmp.Compare(yes(!a.weak), yes(!b.weak)),
		cmp.Compare(yes(a.global), yes(b.global)),
		cmp.Compare(underscores(b), underscores(a)),
		cmp.Compare(len(a.name), len(b.name)),
	)
}

// find gives the function at an address.
func (s *symbols) find(address uint64) (string, bool) {
	i, exact := slices.BinarySearchFunc(s.list, address, func(sym symbol, a uint64) int { return cmp.Compare(sym.from, a) })
	if !exact {
		i--
	}
	if i < 0 || address >= s.list[i].to {
		return "", false
	}
	return s.list[i].name, true
}

// address turns an offset in the file into an address.
func (s *symbols) address(offset uint64) uint64 {
	for _, l := range s.loads {
		if offset >= l.offset && offset-l.offset < l.size {
			return offset - l.offset + l.address
		}
	}
	return offset
}
