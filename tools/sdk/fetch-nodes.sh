#!/usr/bin/env bash
# Gets the Nodes that the packed SDK is tested with beside the pinned one: the oldest that it runs on, and the line between.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
platform=$(node -p 'process.platform + "-" + process.arch')
for version in 20.19.0 22.23.3; do
  [ -x ".local/nodes/$version/node_modules/node-$platform/bin/node" ] ||
    npm install --no-save --no-audit --no-fund --prefix ".local/nodes/$version" "node-$platform@$version"
done
