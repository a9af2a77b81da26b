#!/usr/bin/env bash
# From nothing to a tool of one's own that a host can call, in a fresh Debian 12: installed from the packages, and with the library
# compiled along. Prints every command and its seconds, of several rounds the median. The root itself stays as it is.
#
# usage: from_nothing.sh DEBS FRESH_ROOT [ROUNDS [installed]]     as root; FRESH_ROOT: debootstrap --variant=minbase bookworm FRESH_ROOT MIRROR;
#                                                                   with "installed" without the library compiled along, which takes minutes
set -euo pipefail
debs=$(realpath "$1") pristine=$(realpath "$2") rounds=${3:-1} ways=${4:-all}
repository=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
root=$work/root
# The bridge ends by itself a second after its last host; what is in the root until then cannot be taken away.
runs_in_root() { find /proc -maxdepth 2 -name root -lname "$root" 2>/dev/null | grep -q .; }
unmount() {
  for _ in $(seq 100); do if runs_in_root; then sleep 0.1; fi; done
  if mountpoint -q "$root/proc"; then umount "$root/proc"; fi
}
trap 'unmount; rm -rf "$work"' EXIT

# in_root COMMAND...: in the home directory of a fresh user, who is root.
in_root() { chroot "$root" env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive "$@"; }
# step COMMAND...: keeps its seconds, and what it says in $work/said.
step() {
  local began=$EPOCHREALTIME
  in_root env -C /root "$@" >"$work/said" 2>&1 || { echo "$*"; tail -n 40 "$work/said"; exit 1; }
  awk -v began="$began" -v ended="$EPOCHREALTIME" -v command="${*//$'\t'/ }" \
    'BEGIN { printf "%s\t%.2f\n", command, ended - began }' >>"$work/seconds"
}
said() { grep -qF -- "$1" "$work/said" || { echo "expected $1"; cat "$work/said"; exit 1; }; }

# ask LINE COMMAND...: what a server answers to LINE after its handshake is in $work/said.
ask() {
  local line=$1
  shift
  printf '%s\n' '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"host","version":"1"}}}' \
    '{"jsonrpc":"2.0","method":"notifications/initialized"}' "$line" | in_root "$@" >"$work/said"
}
# What the host's file starts is called as the host would.
call_as_host() {
  ask '{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"count","arguments":{"text":"one two three"}}}' \
    "$(sed -n 's/.*"command": "\(.*\)",/\1/p' "$root/root/.cursor/mcp.json")"
  said '"words":3'
}

for round in $(seq "$rounds"); do
  rm -rf "$root"
  cp -a "$pristine" "$root"
  mount -t proc proc "$root/proc"
  cp "$debs"/toolwire-tools_*.deb "$debs"/libtoolwire-dev_*.deb "$root/root/"
  mkdir "$root/root/toolwire"
  git -C "$repository" ls-files -z | tar -C "$repository" --null -T - -c | tar -x -C "$root/root/toolwire"

  step apt-get update -qq
  step sh -c 'apt-get install -y -qq --no-install-recommends ./toolwire-tools_*.deb ./libtoolwire-dev_*.deb g++ cmake make'
  step toolwire new mine
  step cmake -S mine -B mine/build -DCMAKE_BUILD_TYPE=Release
  step cmake --build mine/build --parallel 2
  step ctest --test-dir mine/build
  step mine/build/mine --call count '{"text": "one two three"}'
  said '"words":3'
  step toolwire install cursor -- mine/build/mine
  call_as_host
  step toolwire doctor cursor
  said '1 server, 0 problems'
  ask '{"jsonrpc":"2.0","id":2,"method":"tools/list"}' toolwire bridge attach --idle-seconds 1 -- workspace --root /etc
  said '"read_file"'
  step toolwire uninstall cursor --name mine
  [[ ! -e $root/root/.cursor/mcp.json ]] || { echo "expected no file"; exit 1; }

  [[ $ways == all ]] || { unmount; continue; }
  # The library is not installed, and its sources are in a folder.
  in_root apt-get purge -y -qq libtoolwire-dev >/dev/null 2>&1
  step apt-get install -y -qq --no-install-recommends libboost-json1.81-dev libcli11-dev libfmt-dev libre2-dev libsodium-dev
  step toolwire new fetched
  step cmake -S fetched -B fetched/build -DCMAKE_BUILD_TYPE=Release -DTOOLWIRE_REPOSITORY=/root/toolwire
  step cmake --build fetched/build --parallel 2
  step ctest --test-dir fetched/build
  step toolwire install cursor -- fetched/build/fetched
  call_as_host
  unmount
done

printf '| command | seconds, median of %s |\n|---|---|\n' "$rounds"
awk -F '\t' '!($1 in seen) { order[++commands] = $1 } { seen[$1] = seen[$1] " " $2 }
  END { for (i = 1; i <= commands; ++i) { count = split(seen[order[i]], all, " ")
    for (a = 1; a <= count; ++a) for (b = a + 1; b <= count; ++b) if (all[b] + 0 < all[a] + 0) { t = all[a]; all[a] = all[b]; all[b] = t }
    printf "| `%s` | %s |\n", order[i], all[int((count + 1) / 2)] } }' "$work/seconds"
echo "load of the machine now: $(cut -d ' ' -f 1-3 /proc/loadavg), $(nproc) processors"
