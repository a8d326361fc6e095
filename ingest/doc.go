// Package ingest turns a folder of files, as benchmarks leave them, into the rows
// of a data set. It tells what each file is by its content, finds the factors of
// every run without being configured, and says everything that it guessed, left
// out or did not understand.
//
//  1. walk.go lists the files below the PATHs; package archive looks into archives
//     and compressed files as if they were folders.
//  2. kind.go tells what a file is; look.go reads of each file what is needed
//     before any run can be described: the head of a log, a whole metadata map,
//     the columns of a table.
//  3. Package naming names what varies in the paths; package layout matches --layout;
//     join.go finds the metadata and the side files of each log; describe.go
//     settles who is right.
//  4. unchanged.go passes by what an earlier call has read; scan.go reads the logs
//     and tables, several at a time, and hands the rows on in one order, whatever
//     the number of workers; beside.go and hosts.go keep what was measured beside a
//     run until the run is there.
//
// Explicit beats guessed: --set, then --layout, then metadata files (the nearest
// first), then side files, then the path. What a log says about itself (its
// threads, its version) is a fact; who contradicts it gets a problem record.
package ingest
