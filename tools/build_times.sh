#!/usr/bin/env bash
# ./dev build --times [ARGS]: the release build once more from nothing in build/times, without compiler cache, with the
# processor time of every compilation and link; ARGS go to tools/build_times.py.
set -euo pipefail
# shellcheck source=tools/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

folder=$root/build/times
log=$folder/cpu.log
arguments=()
for argument; do
  if [[ $argument == --headers ]]; then arguments+=(--headers "$folder"); else arguments+=("$argument"); fi
done
rm -rf "$folder"
mkdir -p "$folder"
(cd "$root" && cmake --preset release -B "$folder" -D "CMAKE_CXX_COMPILER_LAUNCHER=$root/tools/cpu_time.sh;$log" \
  -D "CMAKE_C_COMPILER_LAUNCHER=$root/tools/cpu_time.sh;$log" -D "CMAKE_CXX_LINKER_LAUNCHER=$root/tools/cpu_time.sh;$log") >&2
step "the programs" ninja -C "$folder" --quiet programs
step "the tests" ninja -C "$folder" --quiet all
"$root/.venv/bin/python3" -B "$root/tools/build_times.py" "$log" "${arguments[@]}"
print_times
