#!/usr/bin/env bash
# Builds everything with the compiler and the libraries of another Debian than 12, and runs what run.sh runs of the suite
# release without hosts and packages. The sources are copied into ROOT, and built there; a second run builds what differs.
#
# usage: other_debian.sh ROOT [ARGUMENT of ctest...]    as root; ROOT: debootstrap --variant=minbase SUITE ROOT MIRROR
set -euo pipefail
root=$(realpath "$1")
shift
repository=$(cd "$(dirname "$0")/../.." && pwd)
within=/srv/toolwire
shared=$(realpath -q "$repository/../shared" || true)

mounted=()
unmount() { for folder in "${mounted[@]}"; do umount "$folder"; done; }
trap unmount EXIT
bind() {
  mkdir -p "$2"
  mount --bind "$1" "$2"
  mounted=("$2" "${mounted[@]}")
}
in_root() { chroot "$root" env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 "$@"; }

for folder in proc dev; do bind "/$folder" "$root/$folder"; done
[[ ! -d $shared ]] || bind "$shared" "$root/srv/shared"
printf '#!/bin/sh\nexit 101\n' >"$root/usr/sbin/policy-rc.d"  # nothing that is installed is started
chmod +x "$root/usr/sbin/policy-rc.d"

mkdir -p "$root$within"
git -C "$repository" ls-files -z --cached --others --exclude-standard |
  tar -C "$repository" --null --files-from - --create | tar --extract --keep-newer-files --warning=none -C "$root$within"
in_root bash "$within/tests/support/install.sh" build tests
in_root sh -c '. /etc/os-release; echo "== $PRETTY_NAME"; g++ --version | head -n 1; cmake --version | head -n 1'
in_root env -C "$within" cmake --preset release --log-level=WARNING
in_root env -C "$within" cmake --build build/release --parallel 2
in_root env -C "$within" ctest --test-dir build/release --parallel 6 --output-on-failure --no-label-summary \
  --label-exclude 'hosts|consumer|conversations' "$@"
