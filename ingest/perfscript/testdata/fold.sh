#!/bin/sh
# Folds the texts in this folder with inferno-collapse-perf 0.12.8 (cargo install
# inferno) at its default options, which TestFoldedAsInferno compares with.
cd "$(dirname "$0")" || exit 1
for text in *.txt; do
	inferno-collapse-perf "$text" 2>/dev/null >"${text%.txt}.folded"
done
