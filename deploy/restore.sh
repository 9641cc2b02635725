#!/usr/bin/env bash
# Restore a backup made by backup.sh into an empty store. No server may run meanwhile:
#   restore.sh FILE                into $GRAMY_STORE (an empty database), or into $GRAMY_DATA
set -euo pipefail
umask 077
from=${1:?usage: restore.sh FILE}
if [ -n "${GRAMY_STORE:-}" ]; then
    psql --quiet --no-psqlrc --set=ON_ERROR_STOP=1 --single-transaction --dbname="$GRAMY_STORE" --file="$from" >/dev/null
else
    folder="${GRAMY_DATA:-${XDG_DATA_HOME:-$HOME/.local/share}/gramy}"
    if [ -e "$folder/gramy.sqlite" ]; then
        echo "$folder/gramy.sqlite already exists: move it away first, with its -wal and -shm files" >&2
        exit 1
    fi
    mkdir -p "$folder"
    install -m 600 "$from" "$folder/gramy.sqlite"
fi
