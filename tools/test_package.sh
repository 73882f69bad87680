#!/usr/bin/env bash
# test_package.sh BUILD_DIR WORK_DIR: do the packages run on another machine of the same kind?
# - The archive is unpacked into an empty root that holds the C library and nothing else (no shell, no compiler, no other
#   library), under a path with a space.
# - The Debian package is unpacked into an empty root that holds the libraries of the packages which it depends on, and
#   of those that they depend on; nothing of what it only recommends.
# There they are started without network. Packing twice gives the same bytes. Exit code 77: this machine allows no chroot,
# so nothing was tested.
set -euo pipefail
# shellcheck source=tools/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

build_dir=${1:?build folder}
work_dir=${2:?folder to work in}
version=$(sed -n 's/^CMAKE_PROJECT_VERSION:STATIC=//p' "$build_dir/CMakeCache.txt")

# The loader asks /proc where the program lies ($ORIGIN), so the other machine needs one; that takes a namespace of its
# own. Inside a container only the chroot may be allowed: then the loader gets the paths, and the network stays reachable.
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
      say "NOT RUN: the packages were not tested, for this user can neither chroot nor make a namespace (try as root)."
      exit 77
    fi
  fi
fi

# expect PATTERN ARGUMENTS...: the $program of the $machine ends well and prints the pattern.
expect() {
  local pattern=$1 output
  shift
  output=$("$isolate" "$machine" "$program" "$@" 2>&1) || die "'gelenk $*' failed: $output"
  grep -q -e "$pattern" <<<"$output" || die "'gelenk $*' does not print '$pattern': $output"
  say "ok: gelenk $*"
}

# use_all SHARE LIBEXEC: what every installation can do, whatever way it came here. Both are paths on the machine.
use_all() {
  local example=$1/examples/crank_slider/crank_slider.yaml output helper worker_code=0
  expect "${version//./\\.}" --version
  expect 'crank' check "$example"
  expect '"\$schema"' schema
  # The libraries of the results are there, the folder to write into is not the place of the program.
  mkdir -p "$machine/tmp"
  expect 'verdict: good' run "$example" -o /tmp/run.h5
  expect '201 rows' info /tmp/run.h5
  expect 'stroke' plot /tmp/run.h5 stroke
  # There is no gnuplot on the other machine: the program says what to install.
  output=$("$isolate" "$machine" "$program" plot /tmp/run.h5 stroke --png /tmp/stroke.png 2>&1) &&
    die "'gelenk plot --png' went well without gnuplot"
  grep -q 'install' <<<"$output" || die "'gelenk plot --png' does not say what to install: $output"
  say "ok: gelenk plot --png without gnuplot"

  # The importer of CAD files finds OpenCASCADE and all that it needs.
  cp "$root/tests/data/cad/steam_engine.step" "$machine/tmp"
  expect '1 free motion' import /tmp/steam_engine.step -o /tmp/engine

  # The worker of sealed components finds its libraries, too. Called by hand it ends at once, with exit code 2.
  "$isolate" "$machine" "$2/gelenk-worker" >/dev/null 2>&1 || worker_code=$?
  ((worker_code == 2)) || die "gelenk-worker does not start: exit code $worker_code"
  say "ok: gelenk-worker"
  output=$("$isolate" "$machine" "$program" doctor 2>&1)
  for helper in gelenk-cad gelenk-worker gelenk-runtime; do
    grep -q "^OK  *$helper  *$2/$helper" <<<"$output" || die "'gelenk doctor' does not find $helper: $output"
  done
  say "ok: gelenk doctor finds the helpers"
}

# has_files PACKAGE TREE FILE...
has_files() {
  local package=$1 tree=$2 file
  shift 2
  for file; do
    if [[ ! -e $tree/$file ]]; then die "$(basename "$package") has no $file"; fi
  done
}

test_archive() {
  local archive=$1 tree path
  machine=$work_dir/machine
  program=$place/bin/gelenk
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

  use_all "$place/share/gelenk" "$place/libexec"
  has_files "$archive" "$tree" LICENSE libexec/gelenk-runtime.so share/gelenk/docs \
    share/gelenk/schema/gelenk-model.schema.json share/gelenk/licenses/gelenk-runtime.txt \
    share/doc/gelenk/licenses/{libeigen3-dev,three,uplot}.txt share/man/man1/gelenk{,-run}.1 \
    share/bash-completion/completions/gelenk share/zsh/site-functions/_gelenk share/fish/vendor_completions.d/gelenk.fish
  say "ok: $(basename "$archive"), $(du -h "$archive" | cut -f 1), $(find "$tree/lib" -type f | wc -l) bundled libraries, ${isolate//_/ }"
  rm -rf "$machine"
}

# copy_libraries DEPENDS: of all packages that the field brings along, into the machine.
copy_libraries() {
  local packages
  mapfile -t packages < <(python3 -B "$root/tools/debian_closure.py" "$1")
  ((${#packages[@]} > 1)) || die "the packages of '$1' are not known"
  say "libraries of ${#packages[@]} packages"
  # Debian 12 has all in /usr; dpkg knows some files still without it.
  mkdir -p "$machine"/usr/lib{,64}
  ln -s usr/lib usr/lib64 "$machine"
  dpkg-query -L "${packages[@]}" | sed -n -e 's|^/lib|usr/lib|' -e 's|^/usr/lib|usr/lib|' -e '/^usr\/lib/p' | LC_ALL=C sort -u |
    tar --create --no-recursion --directory / --files-from - | tar --extract --directory "$machine"
}

test_debian_package() {
  local package=$1 depends foreign page file
  machine=$work_dir/debian
  program=/usr/bin/gelenk
  for file in "Version $version" 'Section science' "Architecture $(dpkg --print-architecture)"; do
    [[ $(dpkg-deb --field "$package" "${file% *}") == "${file#* }" ]] || die "$(basename "$package") is not of ${file,}"
  done
  depends=$(dpkg-deb --field "$package" Depends)
  for file in libc6 libhdf5 libocct-foundation; do
    [[ $depends == *"$file"* ]] || die "$(basename "$package") does not depend on $file: $depends"
  done
  foreign=$(dpkg-deb --contents "$package" | awk '$2 != "root/root" || ($1 !~ /^l/ && $1 ~ /^(.{5}|.{8})w/)')
  [[ -z $foreign ]] || die "files of $(basename "$package") belong to somebody, or others may change them: $foreign"

  mkdir -p "$machine/proc"
  copy_libraries "$depends"
  dpkg-deb --extract "$package" "$machine"
  use_all /usr/share/gelenk /usr/libexec
  has_files "$package" "$machine" usr/share/doc/gelenk/{copyright,changelog.gz,docs,examples/crank_slider} \
    usr/share/bash-completion/completions/gelenk usr/share/zsh/vendor-completions/_gelenk \
    usr/share/fish/vendor_completions.d/gelenk.fish
  while read -r page; do
    has_files "$package" "$machine" "usr/share/man/man1/$page.1.gz"
    zcat "$machine/usr/share/man/man1/$page.1.gz" | grep -q '^\.SH NAME' || die "$page.1.gz is not a manual page"
  done < <("$isolate" "$machine" "$program" help --json | python3 -B -c '
import json, sys
print("gelenk", *("gelenk-" + verb["name"] for verb in json.load(sys.stdin)["verbs"]), sep="\n")')
  say "ok: $(basename "$package"), $(du -h "$package" | cut -f 1), depends on $(grep -o , <<<"$depends," | wc -l) packages"
  rm -rf "$machine"
}

rm -rf "$work_dir"
mkdir -p "$work_dir"
# Compressed in a hurry, twice and by two people: one of them lets nobody read his files, and lives far away.
export GELENK_PACKAGE_LEVEL=1
(umask 077 && TZ=Pacific/Auckland LC_ALL=C "$root/tools/package.sh" "$build_dir" "$work_dir/again" >/dev/null) &
again=$!
made=$("$root/tools/package.sh" "$build_dir" "$work_dir")
wait "$again" || die "packing a second time failed"
while read -r package; do
  cmp "$package" "$work_dir/again/$(basename "$package")" || die "$(basename "$package") is not the same when it is made twice"
done <<<"$made"
rm -rf "$work_dir/again"
say "ok: the same bytes twice"

test_archive "$work_dir/gelenk-$version-linux-$(uname -m).tar.gz"
test_debian_package "$work_dir/gelenk_${version}_$(dpkg --print-architecture).deb"
