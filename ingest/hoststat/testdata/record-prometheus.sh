#!/bin/bash
# Records what Prometheus answers about a machine and a MariaDB under sysbench, and what
# mpstat says meanwhile. BIN has prometheus, prometheus-node-exporter and
# prometheus-mysqld-exporter.
set -eu
bin=$1 out=$2 data=$(mktemp -d) pids=
trap 'kill $pids 2>/dev/null; wait; rm -rf "$data"' EXIT
mkdir -p "$data/d" "$data/tmp" "$out"
mariadb-install-db --no-defaults --user=root --datadir="$data/d" --auth-root-authentication-method=normal >"$data/install.log" 2>&1
mariadbd --no-defaults --user=root --datadir="$data/d" --tmpdir="$data/tmp" --socket="$data/s" --pid-file="$data/p" --skip-networking --innodb-buffer-pool-size=64M >"$data/err" 2>&1 &
pids="$pids $!"
until mariadb --no-defaults --user=root --socket="$data/s" -e 'CREATE DATABASE sbtest' 2>/dev/null; do sleep .2; done
"$bin/prometheus-node-exporter" --web.listen-address=127.0.0.1:19100 >/dev/null 2>&1 & pids="$pids $!"
DATA_SOURCE_NAME="root@unix($data/s)/" "$bin/prometheus-mysqld-exporter" --web.listen-address=127.0.0.1:19104 >/dev/null 2>&1 & pids="$pids $!"
cat >"$data/p.yml" <<'EOF'
global: {scrape_interval: 2s}
scrape_configs:
- {job_name: node, static_configs: [{targets: ["127.0.0.1:19100"]}]}
- {job_name: mysql, static_configs: [{targets: ["127.0.0.1:19104"]}]}
EOF
"$bin/prometheus" --config.file="$data/p.yml" --storage.tsdb.path="$data/tsdb" --web.listen-address=127.0.0.1:19090 >/dev/null 2>&1 & pids="$pids $!"
bench() { exec sysbench oltp_read_write --db-driver=mysql --mysql-socket="$data/s" --mysql-user=root --mysql-db=sbtest --tables=2 --table-size=5000 --threads=4 "$@"; }
(bench prepare >/dev/null)
sleep 4
S_TIME_FORMAT=ISO LC_ALL=C mpstat 2 11 >"$out/prometheus-mpstat.txt" & pids="$pids $!"
(bench --time=20 run)
sleep 3
end=$(date +%s)
query() { curl -sG http://127.0.0.1:19090/api/v1/query_range --data-urlencode "query=$1" -d start=$((end - 40)) -d end=$end -d step=2; }
query node_cpu_seconds_total >"$out/prometheus-cpu.txt"
query 'mysql_global_status_commands_total{command=~"select|commit|update"}' >"$out/prometheus-commands.txt"
# What names the machine.
sed -i -E 's#^(Linux [0-9.]+)\S*#\1#' "$out/prometheus-mpstat.txt"
