"""Compares a Parquet file with the Arrow stream that it was made of.

same_table.py STREAM PARQUET: the file holds the table in pyarrow, polars and DuckDB,
and the statistics of each row group are those of its rows.
"""

import sys

import duckdb
import polars as pl
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

stream, path = sys.argv[1:]


def plain(field):
    """The type of a column without dictionaries."""
    if pa.types.is_list(field.type):
        return pa.list_(pa.string())
    return pa.string() if pa.types.is_dictionary(field.type) else field.type


def same(name, what, got, want):
    """Null is null, and a zero has its sign in the text of it."""
    want, got = want.combine_chunks(), got.cast(want.type).combine_chunks()
    if not got.equals(want):
        sys.exit(f"{name} differs in {what}")


reader = pa.ipc.open_stream(stream)
target = pa.schema([(f.name, plain(f)) for f in reader.schema])
want = pa.Table.from_batches([pa.RecordBatch.from_arrays([column.cast(t) for column, t in zip(b.columns, target.types)], schema=target) for b in reader])
tables = {
    "pyarrow": pq.read_table(path),
    "polars": pl.read_parquet(path).to_arrow(),
    "DuckDB": duckdb.sql(f"SET TimeZone='UTC'; FROM '{path}'").fetch_arrow_table(),
}
for what, table in tables.items():
    assert table.num_rows == want.num_rows, what
    for name in want.column_names:
        same(name, what, table[name], want[name])

meta = pq.ParquetFile(path).metadata
assert meta.num_row_groups > 1
at = 0
for g in range(meta.num_row_groups):
    group = meta.row_group(g)
    rows = want.slice(at, group.num_rows)
    at += group.num_rows
    assert group.total_byte_size == sum(group.column(c).total_uncompressed_size for c in range(group.num_columns))
    for c, name in enumerate(want.column_names):
        column, statistics = rows[name], group.column(c).statistics
        if pa.types.is_list(column.type):
            column = pc.list_flatten(column)
        else:
            assert statistics.null_count == column.null_count, (g, name)
        least_most = pc.min_max(column).as_py()
        if column.null_count == len(column):
            assert not statistics.has_min_max, (g, name)
        elif statistics.has_min_max or name not in ("long", "words"):  # long texts have none
            assert (statistics.min, statistics.max) == (least_most["min"], least_most["max"]), (g, name, statistics)
