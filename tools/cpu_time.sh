#!/usr/bin/env bash
# cpu_time.sh LOG COMMAND...: runs a command of the compiler and appends 'SECONDS OUTPUT' to the log: seconds of
# processor time of the command with its children, and the file that it makes. ./dev build --times puts it before every
# compilation and link; a clock on the wall would measure what else the machine does.
log=$1
shift
output='' previous=''
for argument; do
  if [[ $previous == -o ]]; then output=$argument; fi
  previous=$argument
done
TIMEFORMAT='%U %S'
exec 3>&1 4>&2
used=$({ time "$@" >&3 2>&4; } 2>&1)
status=$?
awk -v output="$output" '{ printf "%.3f %s\n", $1 + $2, output }' <<<"$used" >>"$log"
exit "$status"
