#!/usr/bin/env bash
# package_deb.sh TREE VERSION LEVEL DIST_DIR: makes DIST_DIR/gelenk_VERSION_ARCH.deb of an installed tree, which is used
# up. The package brings no libraries: it depends on the packages that have those which the programs are linked with.
# Called by tools/package.sh, which sets SOURCE_DATE_EPOCH; no debhelper, for dpkg-dev has all that is needed.
set -euo pipefail
# shellcheck source=tools/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

tree=${1:?installed tree}
version=${2:?version}
level=${3:?level of compression}
dist_dir=${4:?folder for the package}
: "${SOURCE_DATE_EPOCH:?}"
architecture=$(dpkg --print-architecture)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
package=$work/package
share=$package/usr/share
mkdir -p "$package/usr" "$package/DEBIAN" "$work/debian"
mv "$tree/bin" "$tree/libexec" "$tree/share" "$package/usr"

# Its libraries are where the loader looks anyway.
programs=("$package/usr/bin/gelenk" "$package/usr/libexec/gelenk-cad" "$package/usr/libexec/gelenk-worker")
printf 'file(RPATH_REMOVE FILE "%s")\n' "${programs[@]}" >"$work/rpath.cmake"
cmake -P "$work/rpath.cmake" >/dev/null

# Where Debian wants things
mkdir -p "$share/zsh/vendor-completions"
mv "$share/zsh/site-functions/_gelenk" "$share/zsh/vendor-completions"
rmdir "$share/zsh/site-functions"
gzip --no-name --best "$share"/man/man1/*.1
install -m 644 "$root/tools/debian/copyright" "$share/doc/gelenk/copyright"
maintainer=$(sed -n 's/^Maintainer: //p' "$root/tools/debian/control")
printf 'gelenk (%s) unstable; urgency=low\n\n  * See CHANGELOG.md.\n\n -- %s  %s\n' "$version" "$maintainer" \
  "$(LC_ALL=C date --utc --rfc-email --date="@$SOURCE_DATE_EPOCH")" | gzip --no-name --best >"$share/doc/gelenk/changelog.gz"
for part in README.md CHANGELOG.md docs examples; do ln -s "../../gelenk/$part" "$share/doc/gelenk/$part"; done

# dpkg-shlibdeps wants a source package around it.
printf 'Source: gelenk\n\nPackage: gelenk\nArchitecture: any\n' >"$work/debian/control"
depends=$(cd "$work" && dpkg-shlibdeps -O "${programs[@]}" | sed -n 's/^shlibs:Depends=//p')
if [[ -z $depends ]]; then die "dpkg-shlibdeps found no libraries"; fi

# Permissions and times do not depend on who packs, and when.
find "$package" -type d -exec chmod 755 {} +
find "$package" -type f -exec chmod u=rwX,go=rX {} +
chmod 644 "$package"/usr/libexec/*.so
(cd "$package" && find usr -type f -print0 | LC_ALL=C sort -z | xargs -0 md5sum >DEBIAN/md5sums)
# Kibibytes of every file, rounded up, and one for every folder: as Debian counts, whatever the disk here.
size=$(find "$package/usr" -printf '%y %s\n' | awk '{ sum += $1 == "f" ? int(($2 + 1023) / 1024) : 1 } END { print sum }')
sed -e "s/@VERSION@/$version/" -e "s/@ARCHITECTURE@/$architecture/" -e "s/@SIZE@/$size/" -e "s/@DEPENDS@/$depends/" \
  "$root/tools/debian/control" >"$package/DEBIAN/control"
chmod 644 "$package"/DEBIAN/*
find "$package" -exec touch --no-dereference --date="@$SOURCE_DATE_EPOCH" {} +

dpkg-deb --root-owner-group -Zxz "-z$level" --build "$package" "$dist_dir/gelenk_${version}_$architecture.deb" >/dev/null
