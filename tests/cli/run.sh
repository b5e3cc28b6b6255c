#!/usr/bin/env bash
# run.sh --bin PIPELINIFY --stub PIPELINIFY-STUB [--update] [NAME...]
#
# A test is a directory: `cmd` is a script for sh, which runs in a copy of the
# directory, with `pipelinify`, `pipelinify-nvcc` and `pipelinify-stub` (the
# program over a double of the library, see unit/stub_library.c) on the PATH and the
# root of the sources in PL_ROOT. It has to print
# expected.stdout and expected.stderr and end with the code in expected.exit; a
# file that is not there stands for nothing, or 0. --update writes them. One that
# ends with 77 is skipped, and its output says why.
set -u
here=$(cd "$(dirname "$0")" && pwd)
bin='' stub='' update=0
while [ $# -gt 0 ]; do
  case $1 in
    --bin) bin=$(realpath "$2"); shift 2 ;;
    --stub) stub=$(realpath "$2"); shift 2 ;;
    --update) update=1; shift ;;
    *) break ;;
  esac
done
[ -n "$bin$stub" ] || { sed -n '2,11s/^# \{0,1\}//p' "$0"; exit 2; }
[ $# -gt 0 ] || set -- $(cd "$here" && ls -d */ | tr -d /)

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir "$scratch/bin"
[ -z "$bin" ] || ln -s "$bin" "$scratch/bin/pipelinify"
launcher=${bin:+$(dirname "$bin")/pipelinify-nvcc}
[ -z "$launcher" ] || [ ! -e "$launcher" ] || ln -s "$launcher" "$scratch/bin/"
[ -z "$stub" ] || ln -s "$stub" "$scratch/bin/pipelinify-stub"

# The environment that a test sees does not depend on who runs it. What earlier
# runs have kept is none of its business either.
run_cmd() {
  (cd "$scratch/work" && env -u CUDA_PATH -u CUDA_HOME -u NO_COLOR \
    -u PIPELINIFY_CACHE_DIR -u PIPELINIFY_NVCC_FLAGS PIPELINIFY_NO_CACHE=1 LC_ALL=C PL_ROOT="$here/../.." PATH="$scratch/bin:$PATH" sh ./cmd \
    >"$scratch/got.stdout" 2>"$scratch/got.stderr" </dev/null)
  echo $? >"$scratch/got.exit"
}

keep() {
  local got=$1 expected=$2 nothing=$3
  if [ "$(cat "$got")" = "$nothing" ]; then rm -f "$expected"; else cp "$got" "$expected"; fi
}

compare() {
  local got=$1 expected=$2 nothing=$3
  if [ -e "$expected" ]; then
    diff -u "$expected" "$got"
  elif [ "$(cat "$got")" != "$nothing" ]; then
    echo "$expected is not there, and this came:"
    cat "$got"
    return 1
  fi
}

passed=0 failed=0 skipped=0
for name in "$@"; do
  rm -rf "$scratch/work"
  cp -R "$here/$name" "$scratch/work"
  rm -f "$scratch/work"/expected.*
  run_cmd
  if [ "$(cat "$scratch/got.exit")" = 77 ]; then
    skipped=$((skipped + 1)); echo "skipped: cli/$name: $(tail -1 "$scratch/got.stdout")"
    continue
  fi
  good=1
  for part in stdout stderr exit; do
    nothing=''
    [ $part = exit ] && nothing=0
    if [ $update = 1 ]; then
      keep "$scratch/got.$part" "$here/$name/expected.$part" "$nothing"
    else
      compare "$scratch/got.$part" "$here/$name/expected.$part" "$nothing" || good=0
    fi
  done
  if [ $good = 1 ]; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "FAILED: cli/$name"; fi
done
echo "$passed passed, $failed failed, $skipped skipped"
[ $passed = 0 ] && [ $failed = 0 ] && exit 77
[ $failed = 0 ]
