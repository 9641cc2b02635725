#!/usr/bin/env bash
# Back up all tables into one consistent file; the server may run meanwhile:
#   backup.sh FILE                 from $GRAMY_STORE, or from the database file in $GRAMY_DATA
# The backup holds every move that was acknowledged before it began. Only the user who made it can read it.
set -euo pipefail
umask 077
to=${1:?usage: backup.sh FILE}
mkdir -p "$(dirname "$to")"
rm -f "$to.part"
trap 'rm -f "$to.part"' EXIT
if [ -n "${GRAMY_STORE:-}" ]; then
    pg_dump --no-owner --no-privileges --format=plain --dbname="$GRAMY_STORE" --file="$to.part"
else
    file="${GRAMY_DATA:-${XDG_DATA_HOME:-$HOME/.local/share}/gramy}/gramy.sqlite"
    [ -e "$file" ] || { echo "$file does not exist" >&2; exit 1; }
    # SQLite's backup function includes the write-ahead log; a plain copy of the file does not
    python3 - "$file" "$to.part" <<'PYTHON'
import sqlite3, sys
source, copy = sqlite3.connect(sys.argv[1]), sqlite3.connect(sys.argv[2])
source.backup(copy)
copy.execute("PRAGMA journal_mode=DELETE")
(found,) = copy.execute("PRAGMA integrity_check").fetchone()
sys.exit(0 if found == "ok" else found)
PYTHON
fi
mv "$to.part" "$to"
