"""Compares the totals that sysbench printed with an exported runs table, to the last digit.

    noisefloor ingest DIR --out DS && noisefloor export DS --to csv --table runs --out CSV
    python3 totals.py DIR CSV/runs/part-0.csv

A reading of the logs of its own, by regular expressions over whole texts, so that both
agree only if both are right. Runs of parallel clients are compared as sums, those with
checkpoints are counted only: their last block is of a part of the run.
"""
import bz2, collections, csv, gzip, io, lzma, os, re, sys, tarfile, zipfile
from decimal import Decimal

NUMBER = r"(-?\d+(?:\.\d+)?)"
STARTS = re.compile(r"(?:^|[^\w./-])sysbench \S+?:?\s+(?:multi-threaded system|\(using (?:bundled|system) LuaJIT)|Running the test with following options")
RATED = {"transactions": ("transactions", "tps"), "queries": ("queries", "qps"), "ignored errors": ("errors", "errors_per_s"),
         "deadlocks": ("errors", "errors_per_s"), "reconnects": ("reconnects", "reconnects_per_s"), "read/write requests": ("requests", "requests_per_s")}
PLAIN = {"total time": "duration_s", "time elapsed": "duration_s", "total number of events": "events", "events/s (eps)": "eps", "events per second": "eps",
         "total time taken by event execution": "latency_sum", "read": "reads", "write": "writes", "other": "other", "Number of threads": "threads"}
rated = re.compile(r"^\W*(" + "|".join(map(re.escape, RATED)) + r"):\s+" + NUMBER + r"\s+\(\s*" + NUMBER + " per sec")
plain = re.compile(r"^\W*(" + "|".join(map(re.escape, PLAIN)) + r"):\s+" + NUMBER + r"s?\s*$")
latency = re.compile(r"^\W*(?:approx\.\s*)?(?:(min|avg|max|sum)|(\d+)(?:th)? percentile):\s+" + NUMBER + r"(ms|s)?\s*$")
fairness = re.compile(r"^\W*(events|execution time) \(avg/stddev\):\s+" + NUMBER + "/" + NUMBER)


def texts(path, data):
    """The texts in a file, those in archives by their path inside."""
    if data[:2] == b"\x1f\x8b":
        yield from texts(path, gzip.decompress(data))
    elif data[:3] == b"BZh":
        yield from texts(path, bz2.decompress(data))
    elif data[:6] == b"\xfd7zXZ\0":
        yield from texts(path, lzma.decompress(data))
    elif data[:4] == b"PK\x03\x04":
        archive = zipfile.ZipFile(io.BytesIO(data))
        for member in archive.infolist():
            if not member.is_dir():
                yield from texts(path + "!" + member.filename, archive.read(member))
    elif data[257:262] == b"ustar":
        archive = tarfile.open(fileobj=io.BytesIO(data))
        for member in archive:
            if member.isfile():
                yield from texts(path + "!" + member.name, archive.extractfile(member).read())
    else:
        yield path, data.decode("utf-16" if data[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8", errors="replace")


def totals(text):
    """What each finished run of a log printed, in the units of the table."""
    runs, run, checkpoint = [], {}, False
    for line in re.split(r"\r\n|\n|\r", text):
        line = re.sub(r"\x1b\[[0-9;]*[A-Za-z]", "", line)
        if STARTS.search(line):
            run, checkpoint = {}, False
        elif "Checkpoint report:" in line:
            run, checkpoint = {"checkpoints": True, "threads": run.get("threads")}, True
        elif m := rated.match(line):
            count, rate = RATED[m[1]]
            run[count], run[rate] = Decimal(m[2]), Decimal(m[3])
        elif m := plain.match(line):
            run[PLAIN[m[1]]] = Decimal(m[2])
        elif m := latency.match(line):
            run["latency_" + (m[1] or "p" + m[2])] = Decimal(m[3]) / (1 if m[4] == "s" else 1000)
        elif m := fairness.match(line):
            name = "fairness_" + {"events": "events", "execution time": "time"}[m[1]]
            run[name + "_avg"], run[name + "_sd"] = Decimal(m[2]), Decimal(m[3])
            if m[1] == "execution time":
                if not checkpoint:
                    runs.append(run)
                run, checkpoint = ({"checkpoints": True, "threads": run.get("threads")} if checkpoint else {}), False
    return runs


def added(parts):
    """The sum of parallel clients: what adds up, and the extremes."""
    names = set.intersection(*(set(p) for p in parts))
    fold = {"latency_min": min, "latency_max": max, "duration_s": max}
    return {n: fold.get(n, sum)(p[n] for p in parts) for n in names
            if n in fold or n == "latency_sum" or not n.startswith(("latency_", "fairness_"))}


root, table = sys.argv[1:3]
csv.field_size_limit(1 << 30)
rows = collections.defaultdict(list)
for row in csv.DictReader(open(table, newline="")):
    if row["tool"] == "sysbench" and row["status"] in ("complete", "fatal-with-summary", "forced-shutdown"):
        rows[row["source"]].append(row)
count = collections.Counter()
for folder, _, names in os.walk(root):
    for name in sorted(names):
        path = os.path.join(folder, name)
        with open(path, "rb") as f:
            data = f.read()
        for source, text in texts(os.path.relpath(path, root), data):
            runs = totals(text)
            mine = sorted(rows.get(source, []), key=lambda r: int(r["part"]))
            if runs and not mine:
                count["logs of copies, or not in the table"] += 1
                continue
            if len(runs) != sum(int(r["clients"] or 1) for r in mine):
                if runs:
                    print(f"{source}: {len(runs)} runs in the log, {len(mine)} in the table")
                continue
            for row in mine:
                clients = int(row["clients"] or 1)
                parts, runs = runs[:clients], runs[clients:]
                want = parts[0] if clients == 1 else added(parts)
                if "checkpoints" in want:
                    count["runs with checkpoints"] += 1
                    continue
                count["runs"] += 1
                for column, value in want.items():
                    got = Decimal(row[column]) if row.get(column) else None
                    count["numbers"] += 1
                    slack = abs(value) * Decimal("1e-14") if clients > 1 else 0  # binary sums
                    if got is None or abs(got - value) > slack:
                        print(f"{source}, part {row['part']}: {column} is {value} in the log, {got} in the table")
print(", ".join(f"{n} {what}" for what, n in count.items()))
