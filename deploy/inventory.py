"""Write what Gramy is made of: the SBOM and the integrity hashes of the vendored client. `make lock` runs it.

    python deploy/inventory.py PYTHON_SBOM    # the output of `cyclonedx-py requirements --output-reproducible`

- deploy/sbom.json (CycloneDX): the packages of requirements.txt, and the libraries and fonts of the browser client
- src/gramy/web/static/vendor/integrity.json: the SHA-384 of each vendored file, which index.html also contains
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
STATIC = ROOT / "src" / "gramy" / "web" / "static"
VENDOR = STATIC / "vendor"
LIBRARY = re.compile(r"([@\w/]+) (\d+\.\d+\.\d+)")
LICENSES = {"preact": "MIT", "@preact/signals": "MIT", "htm": "Apache-2.0"}
FIGTREE_VERSION = "2.002"
"""As the fonts' own name table says."""


def vendored() -> list[Path]:
    """Return the files that others have made and we ship."""
    files = [path for path in VENDOR.iterdir() if path.name != "integrity.json"]
    return sorted([*files, *STATIC.glob("font/*")])


def integrity(path: Path) -> str:
    """Return the hash of a file as a browser compares it."""
    return "sha384-" + base64.b64encode(hashlib.sha384(path.read_bytes()).digest()).decode()


def libraries() -> list[dict[str, Any]]:
    """Return the browser's libraries and fonts as components of the SBOM."""
    banner = (VENDOR / "preact.js").read_text("utf-8").splitlines()[0]
    found = [
        _component(
            "library", name, version, f"pkg:npm/{name.replace('@', '%40')}@{version}", LICENSES[name], "preact.js"
        )
        for name, version in LIBRARY.findall(banner)
    ]
    fonts = [path for path in vendored() if path.suffix == ".woff2"]
    return found + [
        _component("file", f"Figtree ({path.stem})", FIGTREE_VERSION, None, "OFL-1.1", f"../font/{path.name}")
        for path in fonts
    ]


def _component(type: str, name: str, version: str, purl: str | None, license: str, file: str) -> dict[str, Any]:
    path = (VENDOR / file).resolve()
    return {
        "bom-ref": purl or f"{name}@{version}",
        "type": type,
        "name": name,
        "version": version,
        **({"purl": purl} if purl else {}),
        "licenses": [{"license": {"id": license}}],
        "hashes": [{"alg": "SHA-384", "content": hashlib.sha384(path.read_bytes()).hexdigest()}],
        "properties": [{"name": "gramy:file", "value": path.relative_to(ROOT).as_posix()}],
    }


def packages(sbom: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the Python packages of an SBOM. Their hashes are in requirements.txt, one for each system."""
    kept = ("type", "name", "version", "purl")
    found = [{"bom-ref": part["purl"], **{key: part[key] for key in kept}} for part in sbom["components"]]
    return sorted(found, key=lambda part: str(part["purl"]))


def whole(sbom: dict[str, Any]) -> dict[str, Any]:
    """Return the SBOM of Gramy, the same for the same lock file: without times, random names and addresses."""
    components = packages(sbom) + libraries()
    root = sbom["metadata"]["component"]
    names = [part["bom-ref"] for part in components]
    return {
        "$schema": sbom["$schema"],
        "bomFormat": "CycloneDX",
        "specVersion": sbom["specVersion"],
        "version": 1,
        "metadata": {"component": root},
        "components": components,
        "dependencies": [{"ref": root["bom-ref"], "dependsOn": names}, *({"ref": name} for name in names)],
    }


def main() -> None:
    """Write both files, and the hash of the library into the page."""
    hashes = {path.relative_to(STATIC).as_posix(): integrity(path) for path in vendored()}
    (VENDOR / "integrity.json").write_text(json.dumps(hashes, indent=2) + "\n")
    page = STATIC / "index.html"
    tag = re.compile(r'(href="/static/vendor/preact\.js"\s+integrity=")[^"]*')
    page.write_text(tag.sub(lambda found: found[1] + hashes["vendor/preact.js"], page.read_text("utf-8")), "utf-8")
    sbom = json.loads(Path(sys.argv[1]).read_text("utf-8"))
    (ROOT / "deploy" / "sbom.json").write_text(json.dumps(whole(sbom), indent=2, ensure_ascii=False) + "\n", "utf-8")


if __name__ == "__main__":
    main()
