#!/bin/sh
# Builds static/vendor/preact.js from the npm registry. Users never run this; the file is part of the package.
set -eu
cd "$(dirname "$0")"
static="$(cd ../src/gramy/web/static && pwd)"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
cp vendor.js "$work/"
cd "$work"
npm init --yes > /dev/null
npm install --no-audit --no-fund preact@11.2.0 @preact/signals@2.11.4 htm@3.1.1 esbuild@0.28.2 > /dev/null
node node_modules/esbuild/install.js
npx esbuild vendor.js --bundle --minify --format=esm --target=es2022 --legal-comments=none \
  --banner:js="/* preact 11.2.0, @preact/signals 2.11.4 (MIT), htm 3.1.1 (Apache-2.0): see LICENSES.txt */" \
  --outfile="$static/vendor/preact.js"
echo "Now run make lock: it writes the new hashes and versions, which tests/audit checks."
