#!/usr/bin/env bash
# Gets what the packed SDK is tested with beside the pinned Node: the oldest that it runs on, the line between, Bun and Deno.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
platform=$(node -p 'process.platform + "-" + process.arch')
get() { npm install --no-save --no-audit --no-fund --prefix "$@"; }
for version in 20.19.0 22.23.3; do
  [ -x ".local/runtimes/$version/node_modules/node-$platform/bin/node" ] || get ".local/runtimes/$version" "node-$platform@$version"
done
[ -x .local/runtimes/others/node_modules/.bin/deno ] || get .local/runtimes/others bun@1.4.5 deno@2.9.6
