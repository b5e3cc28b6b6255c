#!/bin/sh
# The emulator's headers are compiled once, and each kernel file takes them from
# there: in the run that makes them, in the next one, and in one with macros of names
# that the headers have for parameters. NDEBUG is for the C library, whose headers are
# compiled anew with it.
# Usage: headers.sh PIPELINIFY
set -u
here=$(cd "$(dirname "$0")" && pwd)
real=$(command -v g++) || { echo "skipped: no g++, and clang makes none"; exit 77; }
made=$(mktemp -d)
trap 'rm -rf "$made"' EXIT
mkdir "$made/bin"
# -H: each header that is read, `! NAME.gch` one that was compiled before. Each
# compiler has a log of its own: two at once would break each other's lines.
printf '#!/bin/sh\nexec "%s" -H "$@" 2>"%s/logs/$$"\n' "$real" "$made" >"$made/bin/g++"
chmod +x "$made/bin/g++"

# expect RUN FILES DIRECTORY [FLAGS...]: so many kernel files have taken what lies there,
# and both kernels are right.
expect() {
  run=$1 files=$2 directory=$3
  shift 3
  rm -rf "$made/logs"
  mkdir "$made/logs"
  PATH=$made/bin:$PATH PIPELINIFY_CACHE_DIR=$made/cache "$program" validate \
    --backend=cpu --cuda-path= --variant=ldg "$here/twice.cu" -- "$@" >"$made/said" 2>&1
  taken=$(cat "$made"/logs/* | grep -c "^! .*$directory/pl_entry\.h\.gch$")
  if [ "$taken" = "$files" ] && grep -q ': equal (' "$made/said"; then
    echo "ok       $run"
    return
  fi
  echo "FAILED   $run: $taken of $files files took the compiled headers of $directory"
  sed 's/^/         | /' "$made/said"
  cat "$made"/logs/* | grep -v '^[.x!]' | sed 's/^/         | /'
  failed=1
}

program=$1 failed=0
expect first 2 precompiled
expect next 2 'cache/emu-headers-[0-9a-f]*'
expect macros 2 'cache/emu-headers-[0-9a-f]*' -DN=7 -DT '-DP(x)=(x)' -DF=float
expect asserts 0 'cache/emu-headers-[0-9a-f]*' -DUNASSERTED -DNDEBUG
exit $failed
