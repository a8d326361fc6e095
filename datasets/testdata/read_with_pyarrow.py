"""Reads a noisefloor data set with pyarrow alone and prints what it found.

    python read_with_pyarrow.py DATASET

One JSON object per data set: for each table its rows, and for each column its
type, nulls, sum (of numbers) and metadata. Where polars and duckdb are
installed they count and sum the same tables. The Go test TestReadWithPyarrow
compares all of it with what Go reads.
"""

import json
import math
import os
import sys

import pyarrow as pa
import pyarrow.compute as pc


def read_table(folder, parts):
    tables = [pa.ipc.open_file(os.path.join(folder, part["file"])).read_all() for part in parts]
    for table in tables:
        table.validate(full=True)
    return pa.concat_tables(tables, promote_options="permissive")


def sum_of(column):
    total = pc.sum(column).as_py()
    if total is None or (isinstance(total, float) and not math.isfinite(total)):
        return None
    return total


def describe(table):
    columns = {}
    for field in table.schema:
        column = table.column(field.name)
        about = {
            "type": str(field.type),
            "nulls": column.null_count,
            "metadata": {k.decode(): v.decode() for k, v in (field.metadata or {}).items()},
        }
        if pa.types.is_integer(field.type) or pa.types.is_floating(field.type):
            about["sum"] = sum_of(column)
        elif pa.types.is_timestamp(field.type):
            about["sum"] = sum_of(column.cast(pa.int64()))
        elif pa.types.is_boolean(field.type):
            about["sum"] = sum_of(column.cast(pa.int64()))
        else:
            if pa.types.is_list(field.type):
                column = pc.list_flatten(column)
            about["bytes"] = sum(len(text.encode()) for text in column.to_pylist() if text is not None)
        columns[field.name] = about
    return {"rows": table.num_rows, "columns": columns}


def with_polars(folder, parts):
    import polars

    frames = [polars.read_ipc(os.path.join(folder, part["file"])) for part in parts]
    frame = polars.concat(frames, how="diagonal_relaxed")
    return {"rows": frame.height, "nulls": {name: frame[name].null_count() for name in frame.columns}}


def with_duckdb(table):
    import duckdb

    connection = duckdb.connect()
    connection.register("t", table)
    names = table.schema.names
    counts = ", ".join('count("' + name.replace('"', '""') + '")' for name in names)
    rows, *filled = connection.execute("select count(*), " + counts + " from t").fetchone()
    return {"rows": rows, "nulls": {name: rows - n for name, n in zip(names, filled)}}


def main(folder):
    with open(os.path.join(folder, "dataset.json"), encoding="utf-8") as f:
        dataset = json.load(f)
    found = {}
    for name, listed in dataset["tables"].items():
        if not listed["parts"]:
            continue
        table = read_table(folder, listed["parts"])
        found[name] = describe(table)
        for other, read in (("polars", lambda: with_polars(folder, listed["parts"])), ("duckdb", lambda: with_duckdb(table))):
            try:
                found[name][other] = read()
            except ImportError:
                pass
    json.dump(found, sys.stdout, indent=1)


if __name__ == "__main__":
    main(sys.argv[1])
