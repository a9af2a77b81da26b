#!/usr/bin/env bash
# A systemd of this user's alone, as after a login, until the input ends: XDG_RUNTIME_DIR and XDG_CONFIG_HOME say where.
# Says "ready" when it is; ends at once with 77 where the machine lets nobody have one. It has an empty /run of its own,
# since it works nowhere but where the machine was started by a systemd.
set -euo pipefail

if [[ ${1-} != inside ]]; then
  for needed in unshare dbus-daemon busctl systemctl /lib/systemd/systemd; do
    command -v "$needed" >/dev/null || exit 77
  done
  unshare --mount true 2>/dev/null || exit 77
  exec unshare --mount "$0" inside
fi

mount -t tmpfs none /run
mkdir -p /run/systemd/system
end() {
  kill -TERM $(jobs -p) 2>/dev/null || true
  wait
  # Where there are groups of both versions, systemd has made the same below some of version 1, and moved this there.
  for top in /sys/fs/cgroup /sys/fs/cgroup/*/; do
    [[ -d $top/toolwire-test.$$ ]] || continue
    echo 0 > "$top/cgroup.procs"
    find "$top/toolwire-test.$$" -depth -type d -exec rmdir {} \; || true
  done
}
trap end EXIT
for groups in /sys/fs/cgroup /sys/fs/cgroup/unified; do
  [[ -w $groups/cgroup.procs ]] || continue
  group=$groups/toolwire-test.$$
  mkdir "$group"
  echo 0 > "$group/cgroup.procs"
  break
done
[[ -n ${group-} ]] || exit 77  # it would take all processes of the machine for its own
export DBUS_SESSION_BUS_ADDRESS=unix:path=$XDG_RUNTIME_DIR/bus
dbus-daemon --session --address="$DBUS_SESSION_BUS_ADDRESS" --nofork --nopidfile </dev/null >/dev/null 2>&1 &
/lib/systemd/systemd --user --unit=basic.target </dev/null >/dev/null 2>&1 &
systemd=$!
for _ in {1..200}; do
  if systemctl --user is-active --quiet basic.target 2>/dev/null; then
    echo ready
    cat >/dev/null
    exit 0
  fi
  kill -0 "$systemd" 2>/dev/null || exit 77
  sleep 0.05
done
exit 77
