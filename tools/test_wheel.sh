#!/usr/bin/env bash
# test_wheel.sh WHEEL FOLDER: installs the wheel into an empty environment and uses it as people would, from another folder
# and with nothing on the path but that environment.
set -euo pipefail
# shellcheck source=tools/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

wheel=${1:?wheel}
folder=${2:?folder to work in}
# A third of it are data of ICU, which Debian's libarchive brings along by libxml2.
most_bytes=$((36 * 1000 * 1000))

[[ -f $wheel ]] || die "there is no wheel '$wheel'"
size=$(stat --format=%s "$wheel")
((size <= most_bytes)) || die "the wheel has $size bytes, more than $most_bytes"
"$root/.venv/bin/python3" -m venv "$folder/environment"
"$folder/environment/bin/pip" install --quiet --disable-pip-version-check "$wheel" || die "the wheel cannot be installed"
cd "$folder"
used() { env --ignore-environment HOME="$folder" PATH="$folder/environment/bin" LC_ALL=C.UTF-8 "$@"; }

used python -B - <<'PYTHON' || die "the package does not work in an empty environment"
import pathlib
import subprocess

import gelenk as gk
from gelenk import program

run = gk.demo("crank_slider").run(duration="0.2 s", method="dopri5", tolerance=1e-8, output="run.h5")
assert run.certificate["verdict"] == "good", run.certificate
assert gk.verify("run.h5").passed
assert run._repr_html_().startswith("<iframe")
package = pathlib.Path(gk.__file__).parent
assert program.path() == str(package / "bin" / "gelenk"), program.path()
assert (package / "_core.pyi").is_file() and (package / "py.typed").is_file()
# What every system has that may install such a wheel (PEP 600).
foreign = ("libz.so", "libstdc++.so", "libgcc_s.so", "libc.so", "libm.so", "libdl.so", "libpthread.so", "librt.so", "libresolv.so", "ld-linux", "linux-vdso")
for file in [*package.glob("_core*.so"), package / "bin" / "gelenk"]:
    for line in subprocess.run(["/usr/bin/ldd", file], capture_output=True, text=True, check=True).stdout.splitlines():
        name, _, rest = line.strip().partition(" => ")
        own = "gelenk.libs" in rest
        assert own or pathlib.PurePath(name.split()[0]).name.startswith(foreign), f"{file.name} needs {line.strip()}"
PYTHON
used python -B -m gelenk demo >/dev/null || die "python -m gelenk does not start the program"
say "ok: $(basename "$wheel"), $((size / 1000)) kB, in an empty environment"
