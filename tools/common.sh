# Shared by ./dev and the scripts of tools/; sourced, never run.
# shellcheck shell=bash

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
jobs=$(nproc)
export root jobs

say() { printf '%s\n' "$*" >&2; }
die() {
  say "dev: $*"
  exit 1
}

# Microseconds since the epoch; some locales print a comma.
now() { printf '%s' "${EPOCHREALTIME/[,.]/}"; }

# step NAME COMMAND...: runs the command under a heading and remembers its time for print_times.
step_names=()
step_times=()
step_results=()
step() {
  local name=$1 begin status=0
  shift
  printf '\n== %s\n' "$name"
  begin=$(now)
  "$@" || status=$?
  step_names+=("$name")
  step_times+=($(($(now) - begin)))
  step_results+=("$([[ $status == 0 ]] && echo ok || echo "FAILED")")
  return "$status"
}

print_times() {
  local i total=0
  printf '\n%-32s %9s  %s\n' "step" "seconds" "result"
  for i in "${!step_names[@]}"; do
    printf '%-32s %9s  %s\n' "${step_names[i]}" "$(seconds "${step_times[i]}")" "${step_results[i]}"
    total=$((total + step_times[i]))
  done
  printf '%-32s %9s\n\n' "total" "$(seconds "$total")"
}
seconds() { printf '%d.%d' $(($1 / 1000000)) $(($1 / 100000 % 10)); }

# Files of the checkout that match the patterns, relative to the root: tracked ones and new ones that are not ignored.
# An unpacked source archive has no git: there, everything outside of the output folders counts.
source_files() {
  if git -C "$root" rev-parse --git-dir >/dev/null 2>&1; then
    # A deleted file is still in the index.
    (cd "$root" && git ls-files --cached --others --exclude-standard -- "$@" | sort -u | while IFS= read -r file; do
      if [[ -f $file ]]; then printf '%s\n' "$file"; fi
    done)
  else
    local pattern tests=()
    for pattern in "$@"; do tests+=(-o -path "./$pattern"); done
    (cd "$root" && find . \( -name build -o -name dist -o -name .venv -o -name node_modules -o -name __pycache__ \) -prune -o \
      -type f \( -false "${tests[@]}" \) -print | sed 's|^\./||' | sort)
  fi
}

# configure PRESET: only when something asks for it; ninja itself notices changed CMake files.
configure() {
  local preset=$1 dir=$root/build/$1
  if [[ -f $dir/CMakeCache.txt ]] && ! grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$root" "$dir/CMakeCache.txt"; then
    say "build/$preset belongs to a checkout in another place; starting afresh"
    rm -rf "$dir"
  fi
  if [[ -f $dir/.configured && $dir/.configured -nt $root/CMakePresets.json ]]; then return 0; fi
  (cd "$root" && cmake --preset "$preset") && touch "$dir/.configured"
}

# announce_build PRESET [TARGET...]: what takes long is said before it begins. A small piece of C++ shows how fast this
# machine compiles; a step of our build takes steps_of_sample as long. What a compiler cache knows goes faster.
readonly steps_of_sample=7
announce_build() {
  local preset=$1 steps begin sample minutes
  steps=$(ninja -C "$root/build/$preset" -n "${@:2}" 2>/dev/null | grep -c '^\[') || true
  if ((steps < 20)); then return; fi
  begin=$(now)
  printf '#include <%s>\n' algorithm functional map string vector | "${CXX:-c++}" -std=c++20 -x c++ -fsyntax-only - || return 0
  sample=$(($(now) - begin))
  minutes=$(((steps * sample * steps_of_sample / jobs + 30000000) / 60000000))
  say "Building: $steps steps, about $((minutes > 0 ? minutes : 1)) min on this machine ($jobs at a time)."
}

# build PRESET [TARGET...]
build() {
  local preset=$1
  shift
  configure "$preset" || return
  announce_build "$preset" "$@"
  # Silent when there is nothing to do; grep ends with 1 then.
  ninja -C "$root/build/$preset" "$@" |
    { grep --line-buffered -v -e '^ninja: Entering' -e '^ninja: no work' -e 'Re-checking globbed' || true; }
}
