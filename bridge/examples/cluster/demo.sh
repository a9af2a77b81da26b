#!/usr/bin/env bash
# bash demo.sh [nginx|haproxy]: Redis, NATS, two workers, three replicas and a balancer on loopback, and calls through
# all of them, while one worker and one replica are killed. Installs Debian packages that are missing and removes them
# again; leaves nothing behind. TOOLWIRE_CLUSTER names the program, if it is not in the PATH or in build/.
set -euo pipefail
balancer=${1:-nginx}
example=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
calls=100
PATH=$PATH:/usr/sbin:/sbin

say() { printf '%s\n' "$*"; }
fail() { printf 'demo.sh: %s\n' "$*" >&2; exit 1; }
[[ $balancer == nginx || $balancer == haproxy ]] || fail "expected nginx or haproxy, not \"$balancer\""

cluster=${TOOLWIRE_CLUSTER:-}
for one in "$(command -v toolwire-cluster || true)" "$example"/../../../build/{release,dev}/bin/toolwire-cluster; do
  [[ -z $cluster && -x $one ]] && cluster=$one
done
[[ -n $cluster ]] || fail 'there is no toolwire-cluster: build it with "cmake --preset release && cmake --build build/release --target toolwire-cluster"'

# Packages

installed=()
as_root() { if [[ $EUID == 0 ]]; then "$@"; else sudo "$@"; fi; }
need() {  # PROGRAM PACKAGE
  command -v "$1" >/dev/null || installed+=("$2")
}
need redis-server redis-server
need nats-server nats-server
need curl curl
if [[ $balancer == nginx ]]; then need nginx nginx-light; else need haproxy haproxy; fi

folder=$(mktemp -d)
processes=()
end() {
  status=$?
  trap - EXIT
  ((${#processes[@]} == 0)) || kill "${processes[@]}" 2>/dev/null || true
  wait || true
  [[ $status == 0 ]] || tail -n 20 "$folder"/*.log >&2 || true
  rm -rf "$folder"
  if ((${#installed[@]} > 0)); then
    say "removing ${installed[*]}"
    as_root apt-get purge -y -q "${installed[@]}" >/dev/null
  fi
  exit "$status"
}
trap end EXIT
trap 'exit 130' INT TERM
if ((${#installed[@]} > 0)); then
  say "installing ${installed[*]}, which will be removed in the end"
  as_root apt-get install -y -q --no-install-recommends "${installed[@]}" >/dev/null
fi

# Ports that nobody has

is_free() { ! (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null; }
base=
for _ in {1..50}; do
  base=$((20000 + RANDOM % 10000))
  for port in "$base" $((base + 1)) $((base + 2)) $((base + 3)) $((base + 4)) $((base + 5)); do
    is_free "$port" || continue 2
  done
  break
done
entry=$base; redis=$((base + 4)); nats=$((base + 5))

# What the README says, at these ports

cp -r "$example" "$folder/cluster"
cp "$example"/../words.* "$folder"
cd "$folder/cluster"
export TOOLWIRE_STATE_KEY; TOOLWIRE_STATE_KEY=$(head -c 32 /dev/urandom | base64)
sed -i "s/KEY_OF_REPLICAS/$("$cluster" nkey replica.nk)/; s/KEY_OF_WORKERS/$("$cluster" nkey worker.nk)/" nats-server.conf
sed -i "s/127.0.0.1:8080/127.0.0.1:$entry/; s/127.0.0.1:8081/127.0.0.1:$((base + 1))/; s/127.0.0.1:8082/127.0.0.1:$((base + 2))/
        s/127.0.0.1:8083/127.0.0.1:$((base + 3))/; s/127.0.0.1:6379/127.0.0.1:$redis/; s/127.0.0.1:4222/127.0.0.1:$nats/" \
  nats-server.conf replica.json worker.json nginx.conf haproxy.cfg

if [[ $balancer == nginx ]]; then  # which has its files elsewhere, and may not write there
  own='access_log off;'
  for kind in client_body proxy fastcgi uwsgi scgi; do own+=" ${kind}_temp_path $folder/nginx-$kind;"; done
  sed -i "s|^http {|http { $own|" nginx.conf
fi

begin() {  # NAME COMMAND…: its process becomes $!
  local name=$1
  shift
  XDG_STATE_HOME=$folder/state-$name "$@" >"$folder/$name.log" 2>&1 &
  processes+=($!)
}
begin redis redis-server --port "$redis" --bind 127.0.0.1 --dir "$folder" --appendonly yes --appendfsync always
begin nats nats-server -c nats-server.conf
begin worker-1 "$cluster" work worker.json
worker=$!
begin worker-2 "$cluster" work worker.json
for i in 1 2 3; do
  begin "replica-$i" "$cluster" serve replica.json --listen "http://127.0.0.1:$((base + i))/mcp" --host "127.0.0.1:$entry"
done
replica=$!
if [[ $balancer == nginx ]]; then
  begin nginx nginx -p "$folder" -e "$folder/nginx-errors.log" -c "$PWD/nginx.conf" \
    -g "daemon off; pid $folder/nginx.pid;"
else
  begin haproxy haproxy -db -f haproxy.cfg
fi

# The job

ask() {  # METHOD NAME PARAMS
  curl -sS -m 30 "http://127.0.0.1:$entry/mcp" -H 'Content-Type: application/json' -H 'MCP-Protocol-Version: 2026-07-28' \
    -H 'Accept: application/json, text/event-stream' -H "Mcp-Method: $1" ${2:+-H "Mcp-Name: $2"} \
    -d '{"jsonrpc":"2.0","id":1,"method":"'"$1"'","params":{'"$3"'"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}'
}
end_at_once() {
  kill -9 "$1"
  wait "$1" 2>/dev/null || true
}
eventually() {  # COMMAND…: within 60 s
  for _ in {1..300}; do
    "$@" && return
    sleep 0.2
  done
  fail "this did not come true in 60 s: $*"
}
is_up() { curl -s -o /dev/null -f "http://127.0.0.1:$1/health"; }
offers_tool() { ask tools/list '' '' 2>/dev/null | grep -q '"count_words"'; }
for i in 1 2 3; do eventually is_up $((base + i)); done
for _ in 1 2 3; do eventually offers_tool; done
say "Redis, NATS, two workers, three replicas and $balancer run; hosts would call http://127.0.0.1:$entry/mcp"

answered=0
for ((i = 1; i <= calls; ++i)); do
  if ((i == calls / 3)); then end_at_once "$worker"; say 'one worker was killed'; fi
  if ((i == 2 * calls / 3)); then end_at_once "$replica"; say 'one replica was killed'; fi
  answer=$(ask tools/call count_words '"name":"count_words","arguments":{"text":"one two three"},' || true)
  if grep -q '"text":"3' <<<"$answer"; then answered=$((answered + 1)); else say "call $i: $answer"; fi
done
say "$answered of $calls calls were answered"
((answered == calls)) || fail 'a call was not answered, though none was under way when something was killed'
