"""Build the documentation site: `python docs/site [folder]`, by default into build/docs. A warning is an error."""

from __future__ import annotations

import sys
from pathlib import Path

import pages
from sphinx.cmd.build import main

SITE = Path(__file__).parent


def build(folder: Path) -> int:
    """Collect the pages beside a folder, build the site in it, and return Sphinx's exit code."""
    source = folder.with_name(f"{folder.name}-source")
    pages.write(source)
    options = ["--fail-on-warning", "--keep-going", "--nitpicky", "--fresh-env", "--quiet", "--builder", "html"]
    kept = folder.with_name(f"{folder.name}-doctrees")
    return main([*options, "--conf-dir", str(SITE), "--doctree-dir", str(kept), str(source), str(folder)])


if __name__ == "__main__":
    sys.exit(build(Path(sys.argv[1]) if len(sys.argv) > 1 else SITE.parent.parent / "build" / "docs"))
