#!/usr/bin/env bash
# Install the built wheels with each Python that is here, from 3.11 on, and play with them. `make wheels` runs it.
set -euo pipefail
cd "$(dirname "$0")/.."
unset PYTHONPATH PYTHONHOME # the wheels are tested, not the sources
install="-m pip install --quiet --disable-pip-version-check --find-links dist"
versions=0 folder="" server=""

clean() {
    if [ -n "$server" ]; then kill "$server" 2> /dev/null || true; fi
    rm -rf "$folder"
}
trap clean EXIT

for python in python3.11 python3.12 python3.13 python3.14; do
    if ! "$python" -c 'import sys' 2> /dev/null; then
        echo "$python is not installed: NOT tested"
        continue
    fi
    folder=$(mktemp -d)
    "$python" -m venv "$folder/core"
    "$folder/core/bin/python" $install dist/gramy_core-*.whl
    "$folder/core/bin/python" -m gramy simulate gra --games 200 --plain > "$folder/log"
    "$folder/core/bin/python" -c 'import importlib.util as u; assert u.find_spec("aiohttp") is None'
    "$python" -m venv "$folder/table"
    "$folder/table/bin/python" $install dist/gramy-*.whl
    "$folder/table/bin/gramy" simulate face-to-face --games 20000 --json > "$folder/log"
    grep -q '"compiled": true' "$folder/log"
    "$folder/table/bin/gramy" arena quick-easy easy medium --deals 2 --json > "$folder/log"
    "$folder/table/bin/gramy" rules gra --language pl > "$folder/log"
    grep -q 'Cel gry' "$folder/log"
    "$folder/table/bin/gramy" completion bash > "$folder/log"
    bash -n "$folder/log"
    "$folder/table/bin/gramy" serve --port 0 --data "$folder/data" > "$folder/serving" &
    server=$!
    for _ in $(seq 300); do grep -q http "$folder/serving" && break; sleep 0.1; done
    address=$(grep -o 'http://[^ ]*' "$folder/serving" | head -1)
    "$python" -c 'import sys, urllib.request as r; assert b"Gramy" in r.urlopen(sys.argv[1]).read()' "$address"
    kill "$server" && wait "$server"
    server=""
    rm -rf "$folder"
    echo "$python: the library alone and the whole table install, play and serve"
    versions=$((versions + 1))
done
test "$versions" -gt 0
