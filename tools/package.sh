#!/usr/bin/env bash
# package.sh BUILD_DIR DIST_DIR: makes from a finished build, and prints, one a line
#   DIST_DIR/gelenk-VERSION-linux-ARCH.tar.gz   to unpack anywhere
#   DIST_DIR/gelenk_VERSION_ARCH.deb            for the Debian that it was built on (tools/package_deb.sh)
# GELENK_PACKAGE_LEVEL: how hard both are compressed, 1 (quickest) to 9. Level 9 would make the archive half a percent
# smaller than 6, in nearly three times the time.
#
# The archive carries the shared libraries that the program needs, all but glibc, and the program finds them by its
# RPATH $ORIGIN/../lib. Static linking was the other choice: Debian has no static libfmt, libraries that come later
# (HDF5, OpenCASCADE) load parts of themselves at run time, and their licences ask for replaceable libraries.
set -euo pipefail
# shellcheck source=tools/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

build_dir=${1:?build folder}
dist_dir=${2:?folder for the packages}
level=${GELENK_PACKAGE_LEVEL:-6}
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

# Compiled in: headers, and what the page of the viewer is made of.
for package in libeigen3-dev libcli11-dev; do copy_license "$package"; done
for module in three uplot; do cp "$root/viewer/node_modules/$module/LICENSE" "$licenses/$module.txt"; done

# The same tree gives the same bytes: sorted names, one time, no owner, permissions that do not depend on the umask.
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git -C "$root" log -1 --format=%ct 2>/dev/null || echo 0)}
export SOURCE_DATE_EPOCH
cp -a "$tree" "$stage/debian"
"$root/tools/package_deb.sh" "$stage/debian" "$version" "$level" "$stage" &
debian=$!

# The C library and its loader belong to the system: they must fit its kernel and its name service.
is_glibc() { [[ $1 =~ ^(ld-linux.*|lib(c|m|dl|rt|pthread|resolv|util|nsl|anl|mvec))\.so(\.[0-9]+)*$ ]]; }

real_paths=()
while read -r soname path; do
  if is_glibc "$soname"; then continue; fi
  cp -L "$path" "$tree/lib/$soname"
  real_paths+=("$(realpath "$path")")
done < <(ldd "$tree/bin/gelenk" "$tree/libexec/gelenk-cad" | sed -n 's/^[[:space:]]*\([^ ]*\) => \(\/[^ ]*\) .*/\1 \2/p' | sort -u)

# dpkg knows some files still without the /usr before /lib. One question for all of them: each reads the whole database.
owners=$(dpkg-query -S "${real_paths[@]}" "${real_paths[@]#/usr}" 2>/dev/null) || true
for path in "${real_paths[@]}"; do
  package=$(awk -F ': ' -v path="$path" '$2 == path || "/usr" $2 == path { sub(":.*", "", $1); print $1; exit }' <<<"$owners")
  if [[ -z $package ]]; then die "no Debian package has $path, so its licence is not known"; fi
  copy_license "$package"
done

tar --create --sort=name --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 --numeric-owner --mode='u=rwX,go=rX' \
  --directory "$stage" "$name" | gzip --no-name "-$level" >"$dist_dir/$name.tar.gz"
printf '%s\n' "$dist_dir/$name.tar.gz"
wait "$debian" || die "the Debian package could not be made"
for package in "$stage"/*.deb; do
  mv "$package" "$dist_dir"
  printf '%s\n' "$dist_dir/$(basename "$package")"
done
