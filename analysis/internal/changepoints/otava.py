"""Runs Apache Otava's own detection, at its defaults, on series: one a line on
standard input. Prints the places of its changes and the seconds that it took.
Needs a Python that has the package apache-otava."""

import sys
import time

from otava.series import AnalysisOptions, compute_change_points

defaults = AnalysisOptions()
for line in sys.stdin:
    series = [float(word) for word in line.split()]
    start = time.perf_counter()
    found, _ = compute_change_points(series, defaults.window_len, defaults.max_pvalue, defaults.min_magnitude)
    seconds = time.perf_counter() - start
    print(" ".join([f"{seconds:.6f}"] + [str(int(c.index)) for c in found]))
