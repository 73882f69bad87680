#!/usr/bin/env bash
# package.sh BUILD_DIR DIST_DIR: makes DIST_DIR/gelenk-VERSION-linux-ARCH.tar.gz from a finished build.
#
# The archive carries the shared libraries that the program needs, all but glibc, and the program finds them by its
# RPATH $ORIGIN/../lib. Static linking was the other choice: Debian has no static libfmt, libraries that come later
# (HDF5, OpenCASCADE) load parts of themselves at run time, and their licences ask for replaceable libraries.
set -euo pipefail
# shellcheck source=tools/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

build_dir=${1:?build folder}
dist_dir=${2:?folder for the archive}
version=$(sed -n 's/^CMAKE_PROJECT_VERSION:STATIC=//p' "$build_dir/CMakeCache.txt")
name=gelenk-$version-linux-$(uname -m)
mkdir -p "$dist_dir"
stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT
tree=$stage/$name

cmake --install "$build_dir" --prefix "$tree" --component runtime --strip >/dev/null
mv "$tree/share/gelenk/LICENSE" "$tree/LICENSE"
licenses=$tree/share/doc/gelenk/licenses
mkdir -p "$tree/lib" "$licenses"

# copy_license PACKAGE: what Debian ships as its copyright file
copy_license() { cp -L "/usr/share/doc/$1/copyright" "$licenses/$1.txt"; }

# The C library and its loader belong to the system: they must fit its kernel and its name service.
is_glibc() { [[ $1 =~ ^(ld-linux.*|lib(c|m|dl|rt|pthread|resolv|util|nsl|anl|mvec))\.so(\.[0-9]+)*$ ]]; }

while read -r soname path; do
  if is_glibc "$soname"; then continue; fi
  cp -L "$path" "$tree/lib/$soname"
  # dpkg knows files by their real path, some of them still without the /usr before /lib.
  package=$(dpkg-query -S "$(realpath "$path")" 2>/dev/null || dpkg-query -S "${path#/usr}")
  copy_license "${package%%:*}"
done < <(ldd "$tree/bin/gelenk" "$tree/libexec/gelenk-cad" | sed -n 's/^[[:space:]]*\([^ ]*\) => \(\/[^ ]*\) .*/\1 \2/p' | sort -u)
# Compiled in from headers
for package in libeigen3-dev libcli11-dev; do copy_license "$package"; done

# The same tree gives the same bytes: sorted names, one time, no owner.
time=${SOURCE_DATE_EPOCH:-$(git -C "$root" log -1 --format=%ct 2>/dev/null || echo 0)}
tar --create --sort=name --mtime="@$time" --owner=0 --group=0 --numeric-owner --directory "$stage" "$name" |
  gzip --no-name --best >"$dist_dir/$name.tar.gz"
printf '%s\n' "$dist_dir/$name.tar.gz"
