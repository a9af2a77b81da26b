#!/usr/bin/env bash
# Builds a libcurl.a for static programs: Debian's sources of the version whose headers are installed, with HTTP, OpenSSL and
# c-ares only. Debian's own archive wants libraries that have none, and finds hosts by the C library, which loads modules.
#
# usage: curl.sh FOLDER     fills it: libcurl.a, source (name and version of Debian's package), copyright
#
# Built once for each version, below ~/.cache/toolwire (or XDG_CACHE_HOME): half a minute, and sources of 4 MB.
set -euo pipefail

mkdir -p "$1"
out=$(cd "$1" && pwd)
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
version=$(dpkg-query -W -f '${Version}' libcurl4-openssl-dev)
libraries=$(dpkg-query -W -f '${Package} ${Version}\n' libc-ares-dev libssl-dev zlib1g-dev g++ libc6-dev)
key=$(printf '%s\n' "$version" "$libraries" "$(sha256sum <"$here/curl.sh")" | sha256sum | cut -c1-16)
kept=${XDG_CACHE_HOME:-$HOME/.cache}/toolwire/curl-$version-$key

# The sources of the machine's own lists of packages, in folders of their own: nothing of the machine is changed.
get_sources() {
  local work=$1 file
  mkdir -p "$work"/{lists,state/lists/partial,cache/archives/partial}
  for file in /etc/apt/sources.list.d/*.sources; do
    [[ -e $file ]] && sed 's/^Types:.*/Types: deb-src/' "$file" >"$work/lists/$(basename "$file")"
  done
  for file in /etc/apt/sources.list /etc/apt/sources.list.d/*.list; do
    [[ -e $file ]] && sed 's/^deb /deb-src /' "$file" >"$work/lists/$(basename "$file" .list).list"
  done
  local -a own=(-o Dir::State="$work/state" -o Dir::Cache="$work/cache" -o Dir::Etc::sourcelist=/dev/null
    -o Dir::Etc::sourceparts="$work/lists" -o APT::Sandbox::User="$(id -un)" -q)
  (cd "$work" && apt-get "${own[@]}" update && apt-get "${own[@]}" --only-source source "curl=$version") >"$work/apt.log" 2>&1 || {
    cat "$work/apt.log" >&2
    echo "curl.sh: no sources of curl $version; is libcurl4-openssl-dev the newest that there is?" >&2
    return 1
  }
}

build() {
  local work=$1 source
  source=$(echo "$work"/curl-*/)
  CFLAGS="$(dpkg-buildflags --get CFLAGS) $(dpkg-buildflags --get CPPFLAGS) -g0 -ffunction-sections -fdata-sections"
  CFLAGS+=" -ffile-prefix-map=$work=."
  export CFLAGS
  cmake -S "$source" -B "$work/build" -G Ninja -DCMAKE_BUILD_TYPE=None -DBUILD_SHARED_LIBS=OFF -DBUILD_CURL_EXE=OFF \
    -DBUILD_TESTING=OFF -DENABLE_MANUAL=OFF -DPICKY_COMPILER=OFF -DHTTP_ONLY=ON -DENABLE_ARES=ON -DCURL_USE_OPENSSL=ON \
    -DCURL_DISABLE_OPENSSL_AUTO_LOAD_CONFIG=ON -DCURL_CA_BUNDLE=none -DCURL_CA_PATH=none -DCURL_CA_FALLBACK=ON \
    -DUSE_LIBIDN2=OFF -DCURL_USE_LIBPSL=OFF -DCURL_USE_LIBSSH2=OFF
  cmake --build "$work/build" --target libcurl --parallel 2
}

if [[ ! -d $kept ]]; then
  mkdir -p "$(dirname "$kept")"
  work=$(mktemp -d "$(dirname "$kept")/building.XXXXXX")
  trap 'rm -rf "$work"' EXIT
  get_sources "$work"
  build "$work" >"$work/build.log" 2>&1 || { tail -n 40 "$work/build.log" >&2; exit 1; }
  mkdir "$work/kept"
  cp "$work/build/lib/libcurl.a" "$work/kept/"
  cp "$work"/curl-*/debian/copyright "$work/kept/copyright"
  echo "curl $version" >"$work/kept/source"
  mv -T "$work/kept" "$kept" 2>/dev/null || [[ -d $kept ]]  # another one may have been quicker
fi
cp "$kept"/* "$out/"
