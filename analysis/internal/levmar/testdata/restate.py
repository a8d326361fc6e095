#!/usr/bin/env python3
"""Restates the nonlinear regression sets of the NIST Statistical Reference
Datasets (https://www.itl.nist.gov/div898/strd/nls/nls_main.shtml) in one file:

    python3 restate.py FOLDER-OF-.dat-FILES > strd.txt

Of each set it keeps the numbers: starts, certified values, data."""
import pathlib, re, sys

print("""# Statistical Reference Datasets, nonlinear regression: NIST, https://www.itl.nist.gov/div898/strd/nls/nls_main.shtml
# Works of the US government, in the public domain; restated by restate.py beside this file. For each set, a line for
# each parameter (start 1, start 2, certified value, its certified standard deviation), the certified residual sum of
# squares, and the data: y, then x.""")
plain = lambda s: repr(float(s)).removesuffix(".0")
for file in sorted(pathlib.Path(sys.argv[1]).glob("*.dat")):
    lines = file.read_text().splitlines()
    print("\nset", file.stem)
    for line in lines:
        m = re.match(r"\s*b\d+ =\s+(\S+)\s+(\S+)\s+(\S+)\s+(\S+)\s*$", line)
        if m:
            print("parameter", *m.groups())
        m = re.match(r"Residual Sum of Squares:\s+(\S+)", line)
        if m:
            print("rss", m.group(1))
    begin = max(i for i, line in enumerate(lines) if re.match(r"Data:\s+y", line))
    for line in lines[begin + 1:]:
        if line.strip():
            print(*map(plain, line.split()))
