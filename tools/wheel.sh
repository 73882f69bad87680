#!/usr/bin/env bash
# wheel.sh BUILD_DIR DIST_DIR: makes of a finished build the Python package, as a wheel for the Python of the tests, and tries
# it. Prints its path.
# The wheel holds the module, the program with its helpers, examples, and all shared libraries that they need but those
# that every system has (put in by auditwheel). It is then installed in an empty environment and used without a compiler on the path.
set -euo pipefail
# shellcheck source=tools/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

build_dir=${1:?build folder}
dist_dir=${2:?folder for the wheel}
python=$root/.venv/bin/python3
stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT

"$python" -m pip wheel --quiet --disable-pip-version-check --no-build-isolation --no-deps \
  --config-settings "cmake.define.GELENK_BUILD=$build_dir" --wheel-dir "$stage/raw" "$root/python" >&2 || die "the wheel could not be built"
PATH=$root/.venv/bin:$PATH "$python" -m auditwheel repair --strip --wheel-dir "$stage/repaired" "$stage"/raw/*.whl >&2 ||
  die "auditwheel could not put the libraries into the wheel"
wheel=$(echo "$stage"/repaired/*.whl)
mkdir -p "$dist_dir"
"$root/tools/test_wheel.sh" "$wheel" "$stage/try" >&2
mv "$wheel" "$dist_dir"
printf '%s\n' "$dist_dir/$(basename "$wheel")"
