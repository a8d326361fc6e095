"""Takes the runs of an export through other programs and writes them as tables.

through.py DIR OUT: reads DIR/runs, in whatever format it is, with pyarrow, pandas,
polars and DuckDB, and writes OUT/<reader>.csv and OUT/<reader>.parquet with each.
"""

import json
import pathlib
import sys

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.csv
import pyarrow.ipc
import pyarrow.json
import pyarrow.parquet as pq

folder, out = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
package = json.loads((folder / "datapackage.json").read_text())
form = package["format"]
runs = next(r for r in package["resources"] if r["name"] == "runs")
one = str(folder / runs["path"][0])

arrow = {
    "parquet": lambda: pq.read_table(one),
    "arrow": lambda: pa.ipc.open_file(one).read_all(),
    "csv": lambda: pa.csv.read_csv(one),
    "jsonl": lambda: pa.json.read_json(one),
}[form]()
frame = {
    "parquet": lambda: pd.read_parquet(one),
    "arrow": lambda: pd.read_feather(one),
    "csv": lambda: pd.read_csv(one),
    "jsonl": lambda: pd.read_json(one, lines=True, dtype=False, convert_dates=False),
}[form]()
table = {
    "parquet": lambda: pl.read_parquet(one),
    "arrow": lambda: pl.read_ipc(one, memory_map=False),
    "csv": lambda: pl.read_csv(one, infer_schema_length=None),
    "jsonl": lambda: pl.read_ndjson(one, infer_schema_length=None),
}[form]()
relation = {
    "parquet": lambda: duckdb.sql(f"FROM read_parquet('{one}')"),
    "arrow": lambda: duckdb.sql("FROM arrow"),
    "csv": lambda: duckdb.sql(f"FROM read_csv('{one}', header=true, sample_size=-1)"),
    "jsonl": lambda: duckdb.sql(f"FROM read_json('{one}', format='newline_delimited', sample_size=-1)"),
}[form]()

out.mkdir(parents=True, exist_ok=True)
plain = pa.table({n: c.cast(pa.string()) if pa.types.is_dictionary(c.type) else c for n, c in zip(arrow.column_names, arrow.columns)})
pa.csv.write_csv(plain, out / "pyarrow.csv")
pq.write_table(arrow, out / "pyarrow.parquet")
frame.to_csv(out / "pandas.csv", index=False)
frame.to_parquet(out / "pandas.parquet", index=False)
table.write_csv(out / "polars.csv")
table.write_parquet(out / "polars.parquet")
relation.write_csv(str(out / "duckdb.csv"))
relation.write_parquet(str(out / "duckdb.parquet"))
