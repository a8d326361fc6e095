#!/bin/bash
# Records what pidstat and top say about a MariaDB under sysbench, in the forms that
# they have, and what free, df and /proc/meminfo say. Nothing here is a measurement
# of anything: it is about the form of the files. Needs mariadb-server, sysbench,
# sysstat and procps.
set -eu
out=$1; data=$(mktemp -d)
trap 'kill $server 2>/dev/null; wait; rm -rf "$data"' EXIT
mkdir -p "$data/d" "$data/tmp" "$out"
mariadb-install-db --no-defaults --user=root --datadir="$data/d" --auth-root-authentication-method=normal >"$data/install.log" 2>&1
mariadbd --no-defaults --user=root --datadir="$data/d" --tmpdir="$data/tmp" --socket="$data/s" --pid-file="$data/p" --skip-networking --innodb-buffer-pool-size=64M >"$data/err" 2>&1 &
server=$!
until mariadb --no-defaults --user=root --socket="$data/s" -e 'CREATE DATABASE sbtest' 2>/dev/null; do sleep .2; done
bench() { exec sysbench oltp_read_write --db-driver=mysql --mysql-socket="$data/s" --mysql-user=root --mysql-password=hunter2 --mysql-db=sbtest --tables=2 --table-size=5000 --threads=4 "$@"; }
mariadb --no-defaults --user=root --socket="$data/s" -e "ALTER USER root@localhost IDENTIFIED BY 'hunter2'"
(bench prepare >/dev/null)
bench --time=60 run >/dev/null & load=$!
sleep 1
pids=$server,$load
cd "$out"
export LC_ALL=C
pidstat -u -r -d -w -p $pids 1 2 >pidstat.txt &
S_TIME_FORMAT=ISO pidstat -p $pids 1 3 >pidstat-u-iso.txt &
pidstat -h -u -r -d -w -p $pids 1 2 >pidstat-h.txt &
pidstat -H -h -u -r -p $pids 1 2 >pidstat-Hh.txt &
pidstat -C 'mariadbd|sysbench' -l 1 1 >pidstat-C-l.txt &
pidstat -t -p $server 1 1 >pidstat-t.txt &
pidstat -T ALL -p $pids 1 1 >pidstat-T-ALL.txt &
pidstat -v -s -R -p $pids 1 1 >pidstat-vsR.txt &
pidstat -C 'mariadbd|sysbench' >pidstat-once.txt &
top -b -d 1 -n 3 -p $pids >top.txt &
top -b -d 1.5 -n 3 -c -E g -e m -p $pids >top-c-E-g.txt &
top -b -H -d 1 -n 2 -p $server >top-H.txt &
top -b -1 -d 1 -n 2 -p $pids >top-1.txt &
free -s 1 -c 3 >free-s.txt &
free -h -s 1 -c 3 >free-h-s.txt &
free -w -m -t -s 1 -c 3 >free-w-m-t-s.txt &
(for i in 1 2 3; do date +'TS %s.%N %F %T'; df -k; sleep 1; done) >df.txt &
(for i in 1 2 3; do date +'TS %s.%N %F %T'; cat /proc/meminfo; sleep 1; done) >meminfo.txt &
(for i in 1 2 3; do date +'TS %s.%N %F %T'; vmstat 1 2; done) >vmstat-TS.txt &
sleep 8
kill $load
# What names the machine.
sed -i -E "s#$data#/srv/db#g; s#^(Linux [0-9.]+)\S*#\1#; /model_tools|cgroup/d" *.txt
