#!/usr/bin/env bash
# test_package.sh BUILD_DIR WORK_DIR: does the archive run on another machine of the same kind? It is unpacked into an
# empty root that holds the C library and nothing else (no shell, no compiler, no other library), under a path with a
# space, and started there without network. Exit code 77: this machine allows no chroot, so nothing was tested.
set -euo pipefail
# shellcheck source=tools/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

build_dir=${1:?build folder}
work_dir=${2:?folder to work in}
example=share/gelenk/examples/crank_slider/crank_slider.yaml

# The loader asks /proc where the program lies ($ORIGIN), so the other machine needs one; that takes a namespace of its
# own. Inside a container only the chroot may be allowed: then the loader is told, and the network stays reachable.
place="/opt/some place"
in_namespace() { unshare "${user[@]}" --mount --net --pid --fork --mount-proc="$1/proc" chroot "$@"; }
in_chroot() { LD_ORIGIN_PATH="$place/bin" chroot "$@"; }
user=()
isolate=in_namespace
if ! in_namespace / true 2>/dev/null; then
  user=(--user --map-root-user)
  if ! in_namespace / true 2>/dev/null; then
    isolate=in_chroot
    if ! in_chroot / true 2>/dev/null; then
      say "NOT RUN: the archive was not tested, for this user can neither chroot nor make a namespace (try as root)."
      exit 77
    fi
  fi
fi

rm -rf "$work_dir"
mkdir -p "$work_dir"
archive=$("$root/tools/package.sh" "$build_dir" "$work_dir")
machine=$work_dir/machine
mkdir -p "$machine$place" "$machine/proc"
tar --extract --gunzip --file "$archive" --strip-components=1 --directory "$machine$place"
tree=$machine$place

# The other machine's C library: every path that ldd names outside of the archive must be a part of glibc.
while read -r path; do
  case $path in
    "$machine"/*) ;;
    */ld-linux*.so.* | */libc.so.* | */libm.so.* | */libdl.so.* | */libpthread.so.* | */libresolv.so.* | */librt.so.*)
      mkdir -p "$machine$(dirname "$path")"
      cp -L "$path" "$machine$path"
      ;;
    *) die "the program of the archive loads $path of this machine" ;;
  esac
done < <(ldd "$tree/bin/gelenk" "$tree/libexec/gelenk-cad" | sed -n 's/^[^/]*\(\/.*\) (0x[0-9a-f]*)$/\1/p' | sort -u)

# expect PATTERN ARGUMENTS...: the program ends well and prints the pattern.
expect() {
  local pattern=$1 output
  shift
  output=$("$isolate" "$machine" "$place/bin/gelenk" "$@" 2>&1) || die "'gelenk $*' failed: $output"
  grep -q -e "$pattern" <<<"$output" || die "'gelenk $*' does not print '$pattern': $output"
  say "ok: gelenk $*"
}
version=$(sed -n 's/^CMAKE_PROJECT_VERSION:STATIC=//p' "$build_dir/CMakeCache.txt")
expect "${version//./\\.}" --version
expect 'crank' check "$place/$example"
expect '"\$schema"' schema
# The libraries of the results are there, the folder to write into is not the place of the program.
mkdir -p "$machine/tmp"
expect 'verdict: good' run "$place/$example" -o /tmp/run.h5
expect '201 rows' info /tmp/run.h5
expect 'stroke' plot /tmp/run.h5 stroke
# There is no gnuplot on the other machine: the program says what to install.
output=$("$isolate" "$machine" "$place/bin/gelenk" plot /tmp/run.h5 stroke --png /tmp/stroke.png 2>&1) &&
  die "'gelenk plot --png' went well without gnuplot"
grep -q 'install' <<<"$output" || die "'gelenk plot --png' does not say what to install: $output"
say "ok: gelenk plot --png without gnuplot"

# The importer of CAD files finds OpenCASCADE and all that it needs.
cp "$root/tests/data/cad/steam_engine.step" "$machine/tmp"
expect '1 free motion' import /tmp/steam_engine.step -o /tmp/engine

# The worker of sealed components finds its libraries, too. Called by hand it ends at once, with exit code 2.
worker_code=0
"$isolate" "$machine" "$place/libexec/gelenk-worker" >/dev/null 2>&1 || worker_code=$?
((worker_code == 2)) || die "gelenk-worker does not start: exit code $worker_code"
say "ok: gelenk-worker"

for file in LICENSE libexec/gelenk-runtime.so share/gelenk/docs share/gelenk/schema/gelenk-model.schema.json \
  share/gelenk/licenses/gelenk-runtime.txt share/doc/gelenk/licenses/libeigen3-dev.txt; do
  if [[ ! -e $tree/$file ]]; then die "the archive has no $file"; fi
done
say "ok: $(basename "$archive"), $(du -h "$archive" | cut -f 1), $(find "$tree/lib" -type f | wc -l) bundled libraries, ${isolate//_/ }"
