#!/usr/bin/env bash
# ./dev lint [--all | --since COMMIT]: every check is one line of the table. clang-tidy and the compiler take minutes on the whole tree, so
# they look at files that changed since the main line or COMMIT, and at headers that include them, unless --all is given.
# Ends with 'N passed, N failed'.
set -uo pipefail
# shellcheck source=tools/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
cd "$root" || exit 1

all=0
since=
case ${1:-} in
  --all) all=1 ;;
  --since) since=$(git rev-parse --verify --quiet "${2:?--since needs a commit}^{commit}") || die "there is no commit '$2'" ;;
  '') ;;
  *) die "lint knows the options --all and --since COMMIT, not '$1'" ;;
esac

check_format() {
  local output files
  output=$(source_files '*.cc' '*.h' | xargs --no-run-if-empty clang-format-14 --dry-run -Werror 2>&1) && return
  # One line a file is enough, for the cure is always the same.
  files=$(sed -n 's/^\([^:]*\):[0-9]*:[0-9]*: error: code should be clang-formatted.*/\1/p' <<<"$output" | sort -u)
  printf '%s\nnot formatted; run: ./dev format\n' "${files:-$output}"
  return 1
}

check_scripts() {
  { printf 'dev\n'; source_files '.ci/run' 'tools/*.sh'; } | grep -v -e 'tools/common.sh' -e 'tools/setup.sh' |
    xargs shellcheck --external-sources --severity=warning
}

# Changed headers, and those that include them directly: what else a header needs is what tools/check_includes.py reads.
headers_to_check() {
  local changed patterns
  changed=$(changed_files | grep '^gelenk/.*\.h$') || return 0
  patterns=$(sed 's|.*|#include "&"|' <<<"$changed")
  { printf '%s\n' "$changed"; source_files 'gelenk/*.h' | xargs grep -l -F -e "$patterns"; } | sort -u
}

check_headers() {
  local targets
  configure lint >/dev/null || return
  if ((all)); then
    build lint --quiet all_verify_interface_header_sets
    return
  fi
  mapfile -t targets < <(headers_to_check |
    sed -E 's|^gelenk/([^/]+)/.*|gelenk/\1/CMakeFiles/gelenk_\1_verify_interface_header_sets.dir/gelenk_\1_verify_interface_header_sets/&.cxx.o|')
  printf '%d headers\n' "${#targets[@]}"
  if ((${#targets[@]})); then build lint --quiet "${targets[@]}"; fi
}

check_files() { source_files '*' | .venv/bin/python3 -B tools/check_files.py "$root"; }

# The commit to compare with: where this branch left the main line; on the main line itself, the commit before.
base_commit() {
  local main base
  if [[ $since ]]; then
    printf '%s' "$since"
    return
  fi
  for main in origin/main main; do
    base=$(git merge-base HEAD "$main" 2>/dev/null) || continue
    if [[ $base == "$(git rev-parse HEAD)" ]]; then break; fi
    printf '%s' "$base"
    return
  done
  git rev-parse --verify --quiet HEAD~1
}

changed_files() {
  local base
  if ! base=$(base_commit); then
    source_files '*.cc' '*.h'
    return
  fi
  { git diff --name-only --diff-filter=d "$base" -- '*.cc' '*.h'; git ls-files --others --exclude-standard -- '*.cc' '*.h'; } |
    sort -u
}

run_tidy() {
  configure lint >/dev/null || return
  if ((all)); then source_files '*.cc'; else changed_files; fi | .venv/bin/python3 -B tools/tidy.py build/lint
}

passed=0
failed=0
check() {
  if step "$@"; then passed=$((passed + 1)); else failed=$((failed + 1)); fi
}
check "format" check_format
check "layers" .venv/bin/python3 -B tools/check_layers.py
check "includes" .venv/bin/python3 -B tools/check_includes.py
check "equations" .venv/bin/python3 -B tools/check_equations.py
check "class sizes" .venv/bin/python3 -B tools/check_classes.py
check "file sizes and texts" check_files
check "shell scripts" check_scripts
check "viewer: types and format" npm --prefix viewer run --silent check
check "headers compile alone" check_headers
check "clang-tidy" run_tidy
print_times
printf '%d passed, %d failed\n' "$passed" "$failed"
((failed == 0))
