"""Opens an export in pyarrow, pandas, polars and DuckDB and tells what they see.

read_exports.py DIR: for each table and reader, as JSON: rows, and for each column
its type, nulls, and the sum of its numbers or the bytes of its texts; from pyarrow
also the metadata of the fields.
"""

import datetime
import json
import math
import pathlib
import sys

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv
import pyarrow.dataset as ds
import pyarrow.ipc
import pyarrow.json
import pyarrow.parquet as pq

folder = pathlib.Path(sys.argv[1])
package = json.loads((folder / "datapackage.json").read_text())
form = package["format"]
partitioned = bool(package.get("partition_by"))


def summary(values):
    """Nulls, and the sum of numbers or the bytes of texts, of Python values."""
    known = [v for v in values if v is not None and not (isinstance(v, float) and math.isnan(v))]
    if known and isinstance(known[0], list):
        size = sum(len(item.encode()) for v in known for item in v)
    elif known and isinstance(known[0], str):
        size = sum(len(v.encode()) for v in known)
    elif known and isinstance(known[0], (bool, int, float)):
        size = math.fsum(known)
    elif known and type(known[0]) is datetime.date:  # what some readers make of a day
        size = sum(len(v.isoformat()) for v in known)
    else:  # times
        size = math.fsum(v.timestamp() for v in known)
    return {"nulls": len(values) - len(known), "sum": size}


def told(columns, types):
    return {
        "rows": max((len(v) for v in columns.values()), default=0),
        "columns": {name: {"type": types[name], **summary(v)} for name, v in columns.items()},
    }


def of_arrow(table):
    return told({n: table.column(n).to_pylist() for n in table.column_names}, {f.name: str(f.type) for f in table.schema})


def of_pandas(frame):
    def plain(column):
        return [None if not isinstance(v, (list, str)) and not hasattr(v, "tolist") and pd.isna(v) else v.tolist() if hasattr(v, "tolist") else v for v in column]

    return told({n: plain(frame[n]) for n in frame.columns}, {n: str(frame[n].dtype) for n in frame.columns})


def of_polars(frame):
    return told({n: frame[n].to_list() for n in frame.columns}, {n: str(frame[n].dtype) for n in frame.columns})


def of_duckdb(query):
    relation = duckdb.sql(query)
    rows = relation.fetchall()
    names = relation.columns
    return told({n: [r[i] for r in rows] for i, n in enumerate(names)}, {n: str(t) for n, t in zip(names, relation.types)})


duckdb.sql("SET TimeZone='UTC'")
result = {}
for resource in package["resources"]:
    name = resource["name"]
    files = [str(folder / p) for p in resource["path"]]
    one = files[0]
    root = str(folder / name)
    pattern = f"{root}/**/*.{form}"
    readers = {}
    if form == "parquet":
        arrow = ds.dataset(root, format="parquet", partitioning="hive" if partitioned else None).to_table()
        readers["pyarrow"] = of_arrow(arrow)
        # pandas.read_parquet makes categories of partitions, and cannot of one that is null.
        readers["pandas"] = of_pandas(arrow.to_pandas() if partitioned else pd.read_parquet(root))
        readers["polars"] = of_polars(pl.read_parquet(pattern, hive_partitioning=partitioned))
        readers["duckdb"] = of_duckdb(f"FROM read_parquet('{pattern}', hive_partitioning={str(partitioned).lower()})")
        groups = [pq.ParquetFile(f).metadata for f in files]
        readers["groups"] = [
            [[m.row_group(g).num_rows, all(m.row_group(g).column(c).is_stats_set for c in range(m.num_columns))] for g in range(m.num_row_groups)]
            for m in groups
        ]
    elif form == "arrow":
        arrow = pa.ipc.open_file(one).read_all()
        readers["pyarrow"] = of_arrow(arrow)
        readers["pandas"] = of_pandas(pd.read_feather(one))
        readers["polars"] = of_polars(pl.read_ipc(one, memory_map=False))
        readers["duckdb"] = of_duckdb("FROM arrow")
    elif form == "csv":
        arrow = pa.csv.read_csv(one, convert_options=pa.csv.ConvertOptions(strings_can_be_null=True, quoted_strings_can_be_null=False))
        readers["pyarrow"] = of_arrow(arrow)
        readers["pandas"] = of_pandas(pd.read_csv(one))
        readers["polars"] = of_polars(pl.read_csv(one, infer_schema_length=None))
        readers["duckdb"] = of_duckdb(f"FROM read_csv('{one}', header=true, all_varchar=false, sample_size=-1)")
    elif form == "jsonl":
        arrow = pa.json.read_json(one)
        readers["pyarrow"] = of_arrow(arrow)
        readers["pandas"] = of_pandas(pd.read_json(one, lines=True, dtype=False, convert_dates=False))
        readers["polars"] = of_polars(pl.read_ndjson(one, infer_schema_length=None))
        readers["duckdb"] = of_duckdb(f"FROM read_json('{one}', format='newline_delimited', sample_size=-1)")
    readers["metadata"] = {f.name: {k.decode(): v.decode() for k, v in (f.metadata or {}).items()} for f in arrow.schema}
    result[name] = readers
json.dump(result, sys.stdout)
