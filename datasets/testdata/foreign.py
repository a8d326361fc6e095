# Writes foreign.arrow and foreign.parquet: tables as other programs write them.
# pyarrow 21.0.0
import datetime as dt, pyarrow as pa, pyarrow.feather as feather, pyarrow.parquet as pq

t = pa.table({
    "build": pa.array(["base", "patched", None, "base"]).dictionary_encode(),
    "note": pa.array(["a", None, "ü", ""], pa.large_string()),
    "threads": pa.array([8, 16, 8, None], pa.int32()),
    "rows": pa.array([1, 2, 3, 2**53 + 1], pa.int64()),
    "tps": pa.array([953.1, 1.0 / 3.0, None, 1e300], pa.float64()),
    "ratio": pa.array([0.1, 0.25, None, 2.5], pa.float32()),
    "warm": pa.array([True, False, None, True]),
    "started_at": pa.array([dt.datetime(2026, 1, 31, 12, 0, 1, 250000, dt.timezone.utc)] * 3 + [None], pa.timestamp("us", "UTC")),
    "day": pa.array([dt.date(2026, 1, 31)] * 3 + [None]),
    "tags": pa.array([["x"], [], None, ["y", "z"]]),
})
with pa.ipc.new_file("foreign.arrow", t.schema) as w:
    w.write_table(t)
pq.write_table(t, "foreign.parquet", row_group_size=3)
