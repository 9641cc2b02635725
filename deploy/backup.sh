#!/usr/bin/env bash
# A copy of all tables while the server runs, complete and consistent:
#   backup.sh FILE                 from $GRAMY_STORE, or from the file in $GRAMY_DATA
# Every acknowledged move before its start is in it.
set -euo pipefail
to=${1:?where to}
if [ -n "${GRAMY_STORE:-}" ]; then
    pg_dump --no-owner --no-privileges --format=plain --dbname="$GRAMY_STORE" --file="$to.part"
else
    file="${GRAMY_DATA:-${XDG_DATA_HOME:-$HOME/.local/share}/gramy}/gramy.sqlite"
    [ -e "$file" ] || { echo "there is no $file" >&2; exit 1; }
    rm -f "$to.part"
    # SQLite's own backup: it sees the write-ahead log too, which a plain copy of the file does not
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
