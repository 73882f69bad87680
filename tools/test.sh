#!/usr/bin/env bash
# ./dev test: see ./dev help. Ends with a table of times and the line 'N passed, N failed'.
set -uo pipefail
# shellcheck source=tools/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

presets=(release asan)
fuzz_seconds=0
ctest_arguments=()
while (($#)); do
  case $1 in
    --quick) presets=(release) ;;
    --preset)
      presets=("${2:?--preset needs a name}")
      shift
      ;;
    --fuzz)
      fuzz_seconds=${2:?--fuzz needs seconds}
      shift
      ;;
    *) ctest_arguments+=("$1") ;;
  esac
  shift
done

passed=0
failed=0
skipped=0

# count RESULTS.xml: adds the numbers that ctest has written. Skipped tests count as neither.
count() {
  local tests failures not_run
  tests=$(attribute tests "$1")
  failures=$(attribute failures "$1")
  not_run=$(($(attribute skipped "$1") + $(attribute disabled "$1")))
  passed=$((passed + tests - failures - not_run))
  skipped=$((skipped + not_run))
  failed=$((failed + failures))
}
attribute() {
  local value
  value=$(grep -m 1 -o "[[:space:]]$1=\"[0-9]*\"" "$2" | tr -dc 0-9)
  printf '%d' "${value:-0}"
}

run_ctest() {
  local preset=$1 results=$root/build/$1/test-results.xml status=0
  ctest --test-dir "$root/build/$preset" --output-on-failure --parallel "$jobs" --no-tests=ignore \
    --output-junit "$results" "${ctest_arguments[@]}" || status=$?
  if [[ -f $results ]]; then count "$results"; fi
  return "$status"
}

# The tests that took longest, over all presets: what they cost is looked at whenever the total grows.
print_slowest() {
  local preset
  for preset in "${presets[@]}"; do
    if [[ ! -f $root/build/$preset/test-results.xml ]]; then continue; fi
    printf '\n%9s  slowest tests, %s\n' "seconds" "$preset"
    sed -n 's/.*<testcase name="\([^"]*\)".* time="\([0-9.]*\)".*/\2 \1/p' "$root/build/$preset/test-results.xml" |
      sort -rn | head -n 10 | while read -r time name; do printf '%9.1f  %s\n' "$time" "$name"; done
  done
}

run_fuzzers() {
  local log=$root/build/fuzz/last-run.log numbers status=0
  mkdir -p "$(dirname "$log")"
  "$root/tools/fuzz.sh" "$fuzz_seconds" | tee "$log" || status=$?
  numbers=$(tail -n 1 "$log")
  if [[ $numbers =~ ^([0-9]+)\ passed,\ ([0-9]+)\ failed$ ]]; then
    passed=$((passed + BASH_REMATCH[1]))
    failed=$((failed + BASH_REMATCH[2]))
  else
    failed=$((failed + 1))
  fi
  return "$status"
}

# What failed, with the end of what it said. CI repeats this at its very end, for a log that was cut keeps its end.
print_failures() {
  local preset
  for preset in "${presets[@]}"; do
    if [[ -f $root/build/$preset/test-results.xml ]]; then
      "$root/.venv/bin/python3" -B "$root/tools/failed_tests.py" "$root/build/$preset/test-results.xml"
    fi
  done
}

status=0
failures=$root/build/failed-tests.txt
rm -f "$failures" "$root"/build/*/test-results.xml
for preset in "${presets[@]}"; do
  if step "$preset: configure" configure "$preset" && step "$preset: build" build "$preset"; then
    step "$preset: tests" run_ctest "$preset" || status=1
  else
    # A build that fails is a failure of its own, also in the closing line.
    failed=$((failed + 1))
    status=1
    break
  fi
done
if ((fuzz_seconds > 0 && status == 0)); then step "fuzzers, $fuzz_seconds s each" run_fuzzers || status=1; fi

print_slowest
mkdir -p "$root/build"
print_failures | tee "$failures"
print_times
if ((skipped)); then printf '%d not run: this machine lacks what they need, see "Skipped" above\n' "$skipped"; fi
printf '%d passed, %d failed\n' "$passed" "$failed"
exit "$status"
