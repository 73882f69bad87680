#!/usr/bin/env bash
# fuzz.sh SECONDS [NAME...]: builds every *_fuzz.cc of gelenk/ and runs each for so many seconds, starting from the seeds
# in tests/fuzz/NAME. What it finds new stays in build/fuzz/corpus for the next time; an input that fails stays in
# build/fuzz/failures and belongs, after the repair, into the seeds. Ends with 'N passed, N failed'.
set -uo pipefail
# shellcheck source=tools/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

duration=${1:?how many seconds?}
shift
if (($#)); then
  names=("$@")
else
  mapfile -t names < <(source_files 'gelenk/*_fuzz.cc' | sed 's|.*/||; s|_fuzz\.cc$||')
fi
folder=$root/build/fuzz
if ((${#names[@]})); then build fuzz "${names[@]/%/_fuzz}" || die "the fuzzers do not build"; fi
mkdir -p "$folder/failures" "$folder/logs"

# One input may take 10 s and 2 GiB with sanitizers: more is a hang or an unbounded allocation, and a failure.
fuzz_one() {
  local name=$1 corpus=$folder/corpus/$1 options=()
  mkdir -p "$corpus"
  if [[ -f $root/tests/fuzz/$name.dict ]]; then options+=("-dict=$root/tests/fuzz/$name.dict"); fi
  local folders=("$corpus")
  if [[ -d $root/tests/fuzz/$name ]]; then folders+=("$root/tests/fuzz/$name"); fi
  "$folder/fuzz/${name}_fuzz" -max_total_time="$duration" -timeout=10 -rss_limit_mb=2048 -print_final_stats=1 \
    -artifact_prefix="$folder/failures/$name-" "${options[@]}" "${folders[@]}" >"$folder/logs/$name.log" 2>&1
}

passed=0
failed=0
report() {
  local name=$1 status=$2 log=$folder/logs/$1.log runs
  runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
  if [[ $status == 0 ]]; then
    passed=$((passed + 1))
    printf '%-12s %9s inputs in %s s, none failed\n' "$name" "${runs:-?}" "$duration"
  else
    failed=$((failed + 1))
    printf '%-12s FAILED after %s inputs:\n' "$name" "${runs:-?}"
    tail -n 60 "$log"
  fi
}

# As many at a time as there are processors.
for ((first = 0; first < ${#names[@]}; first += jobs)); do
  group=("${names[@]:first:jobs}")
  pids=()
  for name in "${group[@]}"; do
    fuzz_one "$name" &
    pids+=($!)
  done
  for i in "${!group[@]}"; do
    status=0
    wait "${pids[i]}" || status=$?
    report "${group[i]}" "$status"
  done
done
printf '%d passed, %d failed\n' "$passed" "$failed"
((failed == 0))
