#!/usr/bin/env bash
# Installs what is missing on Debian 12 and newer, and says so before it does. Looks for commands, headers and library
# files, not for packages, so that anything installed in another way counts.
#
# usage: install.sh PART...     build: compiler and libraries   tests: Boost.Test, and what tests start   hosts: Node's npm
#                            sanitizers: clang 14, its fuzzer and clang-tidy, which Debian 12 has and later ones have not
#                            packages: what makes and judges Debian packages   browsers: the one that pages are tried in
set -euo pipefail

header() { local dir; for dir in /usr/local/include /usr/include "/usr/include/$(uname -m)-linux-gnu"; do
  [[ -e $dir/$1 ]] && return 0; done; return 1; }
library() { local dir; for dir in /usr/local/lib "/usr/lib/$(uname -m)-linux-gnu" /usr/lib64 /usr/lib; do
  [[ -e $dir/$1 ]] && return 0; done; return 1; }
command_found() { command -v "$1" >/dev/null 2>&1; }
file() { compgen -G "$1" >/dev/null; }
recent_cmake() { command_found cmake && printf '3.25\n%s\n' "$(cmake --version | sed -n '1s/[^0-9]*//p')" | sort -VC; }
# As Boost writes it: 108100 is 1.81.0.
boost_version() { sed -n 's/^#define BOOST_VERSION \([0-9]*\).*/\1/p' /usr/local/include/boost/version.hpp \
  /usr/include/boost/version.hpp 2>/dev/null | head -n 1; }
# The Boost that Debian 12 has beside its usual one, which is too old; elsewhere the usual one.
boost_packages() { if grep -qs '^VERSION_CODENAME=bookworm$' /etc/os-release; then cat; else sed 's/1\.81-dev/-dev/'; fi; }
recent_boost() { local version; version=$(boost_version); [[ ${version:-0} -ge 108100 ]]; }
boost_json() { recent_boost && library libboost_json.so && library libboost_json.a; }
boost_test() { recent_boost && library libboost_unit_test_framework.so && library libboost_unit_test_framework.a; }
static_and_header() { header "$2" && library "lib$1.so" && library "lib$1.a"; }
header_and_library() { header "$2" && library "lib$1.so"; }
httplib() { header_and_library cpp-httplib httplib.h && command_found pkg-config && pkg-config --exists cpp-httplib; }
system_python() { /usr/bin/python3 -c "import $1" 2>/dev/null; }
clang_runtime() { file "/usr/lib/llvm-14/lib/clang/*/lib/linux/libclang_rt.$1-$(uname -m).a"; }

# Prints the packages whose check fails.
missing() {
  local needed=("$@") line
  while IFS=: read -r part package check; do
    [[ -n $part && " ${needed[*]} " == *" $part "* ]] || continue
    read -ra line <<<"$check"
    "${line[@]}" || printf '%s\n' "$package"
  done <<'LIST' | sort -u
build:g++:command_found g++
build:cmake:recent_cmake
build:ninja-build:command_found ninja
build:ccache:command_found ccache
build:libboost-json1.81-dev:boost_json
build:libfmt-dev:header fmt/format.h
build:zlib1g-dev:static_and_header z zlib.h
build:libre2-dev:static_and_header re2 re2/re2.h
build:libsodium-dev:static_and_header sodium sodium.h
build:libcli11-dev:header CLI/CLI.hpp
build:libsqlite3-dev:static_and_header sqlite3 sqlite3.h
build:libseccomp-dev:static_and_header seccomp seccomp.h
build:libcurl4-openssl-dev:header_and_library curl curl/curl.h
build:libhiredis-dev:static_and_header hiredis hiredis/hiredis.h
build:libnats-dev:file /usr/include/nats/nats.h
build:libssl-dev:header_and_library crypto openssl/core_names.h
tests:libboost-test1.81-dev:boost_test
tests:pkg-config:command_found pkg-config
tests:libcpp-httplib-dev:httplib
tests:libglib2.0-dev:header glib-2.0/glib.h
tests:qt6-base-dev:header qt6/QtCore/QCoreApplication
tests:qt6-httpserver-dev:header qt6/QtHttpServer/QAbstractHttpServer
tests:qt6-websockets-dev:header qt6/QtWebSockets/QWebSocket
tests:libcivetweb-dev:header civetweb.h
tests:libbenchmark-dev:header benchmark/benchmark.h
tests:curl:command_found curl
tests:git:command_found git
tests:universal-ctags:command_found ctags
tests:redis-server:command_found redis-server
tests:nats-server:file /usr/sbin/nats-server
tests:nginx-light:command_found nginx
tests:haproxy:command_found haproxy
tests:lld:command_found ld.lld
tests:spin:command_found spin
tests:valgrind:command_found valgrind
tests:python3:system_python sys
tests:openssl:command_found openssl
tests:dbus:command_found dbus-daemon
tests:systemd:command_found busctl
tests:ripgrep:command_found rg
tests:unicode-data:file /usr/share/unicode/PropList.txt
tests:python3-venv:system_python ensurepip
tests:python3-setuptools:system_python setuptools
tests:python3-wheel:system_python wheel
tests:python3-jsonschema:system_python jsonschema
tests:python3-yaml:system_python yaml
tests:python3-pydantic:system_python pydantic
tests:python3-markdown-it:system_python markdown_it
tests:python3-pygments:system_python pygments
sanitizers:clang-14:command_found clang++-14
sanitizers:clang-tidy-14:command_found clang-tidy-14
sanitizers:libclang-rt-14-dev:clang_runtime asan
sanitizers:libclang-rt-14-dev:clang_runtime tsan
sanitizers:libclang-rt-14-dev:clang_runtime fuzzer
sanitizers:llvm-14:command_found llvm-symbolizer-14
hosts:nodejs:command_found node
hosts:npm:command_found npm
hosts:ca-certificates:file /etc/ssl/certs/ca-certificates.crt
browsers:chromium:command_found chromium
packages:ca-certificates:file /etc/ssl/certs/ca-certificates.crt
packages:libcurl4:file /usr/lib/*/libcurl.so.4
packages:dpkg-dev:command_found dpkg-shlibdeps
packages:libc-ares-dev:file /usr/lib/*/libcares.a
packages:help2man:command_found help2man
packages:lintian:command_found lintian
packages:debootstrap:command_found debootstrap
packages:podman:command_found podman
packages:zsh:command_found zsh
packages:fish:command_found fish
LIST
}
missing_packages() { missing "$@" | boost_packages; }

for part in "$@"; do
  [[ " build tests sanitizers hosts packages browsers " == *" $part "* ]] && continue
  echo "install.sh: unknown part \"$part\", expected build, tests, sanitizers, hosts, packages or browsers" >&2
  exit 2
done
mapfile -t packages < <(missing_packages "$@")
[[ ${#packages[@]} -gt 0 ]] || exit 0
command_found apt-get || {
  echo "install.sh: this machine has no apt-get. What is missing has these names on Debian; install it in your system's way: ${packages[*]}" >&2
  exit 1
}

echo "Missing on this machine; going to install these Debian packages and what they depend on: ${packages[*]}"
if [[ " ${packages[*]} " == *"1.81-dev "* && -n $(boost_version) ]] && ! recent_boost; then
  echo "This removes the packages of the older Boost on this machine (libboost1.74-dev and its like): 1.81 replaces them."
fi
as_root=()
if [[ $EUID -ne 0 ]]; then
  as_root=(sudo)
  command_found sudo || { echo "install.sh: needs root or sudo for: apt-get install ${packages[*]}" >&2; exit 1; }
fi
"${as_root[@]}" apt-get update -qq
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${packages[@]}"

mapfile -t packages < <(missing_packages "$@")
[[ ${#packages[@]} -eq 0 ]] || { echo "install.sh: still missing after installing: ${packages[*]}" >&2; exit 1; }
