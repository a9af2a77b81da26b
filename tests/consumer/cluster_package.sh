#!/usr/bin/env bash
# The Debian package of toolwire-cluster: made twice with the same bytes, judged by lintian, unpacked somewhere and used
# there.
#
# usage: cluster_package.sh BUILD WORK
set -euo pipefail
build=$1 work=$2

rm -rf "$work"
mkdir -p "$work"
export SOURCE_DATE_EPOCH=1700000000
for run in 1 2; do
  cpack --config "$build/CPackConfig.cmake" -D CPACK_COMPONENTS_ALL=cluster -B "$work/$run" >"$work/cpack.$run" 2>&1 ||
    { cat "$work/cpack.$run"; exit 1; }
done
package=$(echo "$work"/1/toolwire-cluster_*.deb)
cmp "$package" "$work/2/$(basename "$package")"
echo "$(basename "$package"): $(stat -c %s "$package") bytes"
/usr/bin/python3 -B "$(dirname "$0")/packed/published.py" cluster "$work/1"

if command -v lintian >/dev/null; then
  lintian --fail-on error,warning,info "$package"
else
  echo "NOT JUDGED: lintian is missing"
fi

# What it is linked to is of packages that it depends on; what Debian has no archive of stays a library of its own.
depends=$(dpkg-deb -f "$package" Depends)
for name in libc6 libnats libcurl4 libssl3; do
  [[ $depends == *"$name"* ]] || { echo "expected $name among: $depends"; exit 1; }
done

dpkg-deb -x "$package" "$work/unpacked"
usr=$work/unpacked/usr
for file in share/doc/toolwire-cluster/{copyright,changelog.gz,toolwire.cdx.json,third-party-licences.txt} \
  share/man/man1/toolwire-cluster{,-serve,-work,-nkey,-check}.1.gz share/bash-completion/completions/toolwire-cluster \
  share/zsh/vendor-completions/_toolwire-cluster share/fish/vendor_completions.d/toolwire-cluster.fish \
  lib/systemd/system/toolwire-{replica@.service,replica@.socket,worker@.service} \
  lib/sysusers.d/toolwire-cluster.conf; do
  [[ -s $usr/$file ]] || { echo "expected $file in the package"; exit 1; }
done
for library in hiredis nats.c openssl; do
  grep -qF "$library" "$usr/share/doc/toolwire-cluster/third-party-licences.txt" ||
    { echo "expected the licence of $library"; exit 1; }
done
if command -v systemd-analyze >/dev/null; then
  sed -i "s|^ExecStart=toolwire-cluster|ExecStart=$usr/bin/toolwire-cluster|; /^User=/d" "$usr"/lib/systemd/system/*.service
  systemd-analyze verify --man=no "$usr"/lib/systemd/system/toolwire-{replica@8081.socket,worker@words.service} 2>"$work/units" ||
    { cat "$work/units"; exit 1; }
fi

program=$usr/bin/toolwire-cluster
[[ $("$program" --version) =~ ^toolwire-cluster\ [0-9.]+$ ]] || { echo "expected its version"; exit 1; }
cat >"$work/replica.json" <<'JSON'
{"mcpServers": {}, "toolwire": {
  "redis": {"address": "127.0.0.1:6379"}, "nats": {"address": "127.0.0.1:4222", "workers": ["words"]}
}}
JSON
"$program" check "$work/replica.json" >"$work/said" 2>&1 || { cat "$work/said"; exit 1; }
sed 's/"address"/"addres"/' "$work/replica.json" >"$work/misspelt.json"
if "$program" check "$work/misspelt.json" >"$work/said" 2>&1 || ! grep -qF '"address"' "$work/said"; then
  echo "expected that a misspelt member is told"
  cat "$work/said"
  exit 1
fi
seed=$work/replica.nk
[[ $("$program" nkey "$seed") == U* && $(stat -c %a "$seed") == 600 ]] || { echo "expected a key"; exit 1; }
if TOOLWIRE_STATE_KEY= "$program" serve "$work/replica.json" --listen http://127.0.0.1:0/mcp >"$work/said" 2>&1 ||
  ! grep -qF TOOLWIRE_STATE_KEY "$work/said"; then
  echo "expected that nothing is served without a key"
  cat "$work/said"
  exit 1
fi
if grep -qaF "$(cd "$(dirname "$0")/../.." && pwd)/" "$program"; then
  echo "expected no path of where it was built"
  exit 1
fi
