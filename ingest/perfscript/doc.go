// Package perfscript reads the text that perf script prints, of any perf version
// and with any fields, and counts its call stacks: each distinct stack once, with
// the sum of the periods of its samples. Texts of gigabytes are read by all CPUs
// at once; memory grows with the distinct stacks, not with the text.
//
//	mariadbd 25886/25890 [001]  3277.081000:    5025125 cpu-clock:pppH:
//		ffffffff82266833 schedule+0x23 ([kernel.kallsyms])
//		          97c3d malloc+0x1d (/usr/lib/x86_64-linux-gnu/libc.so.6)
//		          8a71f0 [unknown] (/usr/sbin/mariadbd)
//
// Frames are named as inferno-collapse-perf names them, so that stacks from here
// and folded files made by it fit together: no offset, no argument list, and a
// frame without a symbol is called by its library, [mariadbd]. Folded writes the
// very bytes that inferno writes for the texts of its own tests and of FlameGraph's,
// at its default options. Where other texts come out differently, inferno reads
// them wrongly: names of commands that end in a number (my thread 1), tracepoints
// and what they print, lines of --show-task-events, libraries with blanks in their
// names or that were deleted.
package perfscript
