#!/bin/bash
# Records what the tests of ingest and cmd/noisefloor read: a MariaDB with
# performance_schema under sysbench, two settings of
# innodb_flush_log_at_trx_commit, runs of six seconds, with what the server says
# before, while and after. Nothing here is a measurement of anything: it is about
# the form of the files. Needs mariadb-server, sysbench and percona-toolkit.
set -eu
out=$1; data=$(mktemp -d)
trap 'kill $server 2>/dev/null; wait; rm -rf "$data"' EXIT
mkdir -p "$data/d" "$data/tmp" "$out"
cd "$data"
mariadb-install-db --no-defaults --user=root --datadir="$data/d" --auth-root-authentication-method=normal >install.log 2>&1
sql() { mariadb --no-defaults --user=root --socket="$data/s" "$@"; }
launch() { # flush setting
	mariadbd --no-defaults --user=root --datadir="$data/d" --tmpdir="$data/tmp" --socket="$data/s" --pid-file="$data/p" --skip-networking \
		--innodb-buffer-pool-size=64M --innodb-log-file-size=64M --innodb-flush-log-at-trx-commit=$1 --innodb-monitor-enable=all \
		--performance-schema=ON --performance-schema-instrument='wait/%=ON' --performance-schema-consumer-events-waits-current=ON >"$data/err" 2>&1 &
	server=$!
	until sql -e 'select 1' >/dev/null 2>&1; do sleep .2; done
}
bench() { sysbench oltp_read_write --db-driver=mysql --mysql-socket="$data/s" --mysql-user=root --mysql-db=sbtest --tables=2 --table-size=5000 --threads=4 "$@"; }
waits="SELECT EVENT_NAME, COUNT_STAR, SUM_TIMER_WAIT FROM performance_schema.events_waits_summary_global_by_event_name WHERE COUNT_STAR > 0 ORDER BY EVENT_NAME"
snap() { # folder, before or after
	sql -B -e 'SHOW GLOBAL STATUS' >"$1/status.$2.txt"
	sql -e 'SHOW ENGINE INNODB STATUS\G' >"$1/innodb-status.$2.txt"
	sql -B -e 'SELECT * FROM information_schema.INNODB_METRICS' >"$1/innodb-metrics.$2.txt"
}
launch 1
sql -e 'CREATE DATABASE sbtest'
bench prepare >/dev/null
for flush in 1 2; do
	if [ $flush = 2 ]; then kill $server; wait $server || true; launch 2; fi
	mkdir -p "$out/runs/flush$flush"
	bench --time=2 run >/dev/null # the tables are open and their waits counted before the first snapshot
	sql -B -e 'SHOW GLOBAL VARIABLES' >"$out/runs/flush$flush/variables.txt"
	for run in 1 2; do
		dir="$out/runs/flush$flush/run$run"; mkdir -p "$dir"
		snap "$dir" before
		(while :; do date +'TS %s.%N %F %T'; sql -B -e "$waits"; sleep 1; done >"$dir/waits.txt") & loop=$!
		sleep .3
		{ date; bench --time=6 --report-interval=1 run; } >"$dir/sysbench.log" 2>&1
		kill $loop; wait $loop || true
		snap "$dir" after
	done
done
# The same in every form that the clients have.
mkdir -p "$out/forms"
some="WHERE Variable_name IN ('Bytes_received','Com_select','Com_commit','Innodb_rows_read','Innodb_buffer_pool_pages_dirty','Innodb_buffer_pool_load_status','Threads_running','Uptime','Rocksdb_x')"
cd "$out/forms"
adm() { mariadb-admin --no-defaults --user=root --socket="$data/s" "$@"; }
only='Variable_name|Bytes_received|Com_select|Com_commit|Innodb_rows_read|Innodb_buffer_pool_pages_dirty|Innodb_buffer_pool_load_status|Threads_running|Uptime|\+--|^$'
bench --time=14 run >/dev/null 2>&1 & load=$!
sleep 1
sql -B -e "SHOW GLOBAL STATUS $some; DO SLEEP(1); SHOW GLOBAL STATUS $some" >status-tab.txt
sql -BN -e "SHOW GLOBAL STATUS $some; DO SLEEP(1); SHOW GLOBAL STATUS $some" >status-tab-no-heading.txt
sql -t -e "SHOW GLOBAL STATUS $some; DO SLEEP(1); SHOW GLOBAL STATUS $some" >status-table.txt
sql -e "SHOW GLOBAL STATUS $some\G DO SLEEP(1); SHOW GLOBAL STATUS $some\G" >status-vertical.txt
adm extended-status -i1 -c3 | grep -E "$only" >mysqladmin.txt
adm extended-status -r -i1 -c3 | grep -E "$only" >mysqladmin-relative.txt
sql -t -e "$waits LIMIT 8; DO SLEEP(1); $waits LIMIT 8" >waits-table.txt
sql -e "$waits LIMIT 5\G DO SLEEP(1); $waits LIMIT 5\G" >waits-vertical.txt
sql -t -e "SELECT events, total, total_latency, avg_latency, max_latency FROM sys.waits_global_by_latency LIMIT 8; DO SLEEP(1); SELECT events, total, total_latency, avg_latency, max_latency FROM sys.waits_global_by_latency LIMIT 8" >sys-waits.txt || true
sql -B -e "SHOW ENGINE INNODB STATUS; DO SLEEP(1); SHOW ENGINE INNODB STATUS" >innodb-status-tab.txt
sql -t -e "SELECT name, count, enabled, type FROM information_schema.INNODB_METRICS WHERE name LIKE 'buffer_pool%'; DO SLEEP(1); SELECT name, count, enabled, type FROM information_schema.INNODB_METRICS WHERE name LIKE 'buffer_pool%'" >innodb-metrics-table.txt
wait $load || true
# pt-stalk and pt-mysql-summary.
cd "$data"
cd "$data"; printf '[client]\nuser=root\nsocket=%s\n' "$data/s" >client.cnf
mkdir -p "$out/pt-stalk" "$out/pt-mysql-summary"
bench --time=20 --report-interval=1 run >"$out/sysbench-stalk.log" 2>&1 & load=$!
sleep 1
pt-stalk --no-stalk --run-time 5 --sleep 1 --iterations 1 --dest "$out/pt-stalk" --log "$data/pt.log" --pid "$data/pt.pid" -- --defaults-file="$data/client.cnf" >"$data/pt.out" 2>&1 || true
sleep 2
pt-mysql-summary --save-samples "$out/pt-mysql-summary" --sleep 3 -- --defaults-file="$data/client.cnf" >"$out/pt-mysql-summary.txt" 2>&1 || true
wait $load || true
kill $server
# What names the machine and what no test reads.
cd "$out/pt-stalk" && ls | grep -vE -- '-(mysqladmin|innodbstatus[12]|variables|vmstat|trigger|opentables1|df)$' | xargs rm -f
cd "$out" && tar --sort=name --owner=0 --group=0 -cJf runs.tar.xz runs && tar --sort=name --owner=0 --group=0 -cJf pt-stalk.tar.xz pt-stalk sysbench-stalk.log && tar --sort=name --owner=0 --group=0 -cJf pt-mysql-summary.tar.xz pt-mysql-summary
