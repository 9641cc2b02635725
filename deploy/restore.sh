#!/usr/bin/env bash
# Tables from a copy that backup.sh made, into an empty place, while no server runs:
#   restore.sh FILE                into $GRAMY_STORE (an empty database), or into $GRAMY_DATA
set -euo pipefail
from=${1:?where from}
if [ -n "${GRAMY_STORE:-}" ]; then
    psql --quiet --no-psqlrc --set=ON_ERROR_STOP=1 --single-transaction --dbname="$GRAMY_STORE" --file="$from" >/dev/null
else
    folder="${GRAMY_DATA:-${XDG_DATA_HOME:-$HOME/.local/share}/gramy}"
    if [ -e "$folder/gramy.sqlite" ]; then
        echo "$folder/gramy.sqlite is there already: move it away first, with its -wal and -shm" >&2
        exit 1
    fi
    mkdir -p "$folder"
    cp "$from" "$folder/gramy.sqlite"
fi
