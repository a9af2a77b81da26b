#!/usr/bin/env bash
# What a cluster bears, and what it costs: builds the release preset and prints tables (bench.py says which). Needs
# redis-server, nats-server, nginx and HAProxy; as root it also fills a disk and gives members a part of a CPU.
#
# usage: run.sh [--quick] [--only faults|restart|rate|growth|hops]... [--fault TEXT] [--json FILE]
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../../.." && pwd)
(cd "$root" && cmake --preset release --log-level=WARNING >&2)
cmake --build "$root/build/release" --target toolwire-cluster toolwire-bench-effect toolwire-bench-load toolwire-bench-hops shifted_clock >&2
exec python3 -B "$here/bench.py" "$root/build/release/bin" "$@"
