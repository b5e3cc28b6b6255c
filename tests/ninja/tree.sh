# tree.sh - read by the tests here: a scratch tree of kernels that share headers.
set -u
program=$(realpath "${1:?pipelinify}")
root=$(cd "$(dirname "$0")/../.." && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 2
failed=0

# says WHAT WANTED GOT
says() {
  [ "$2" = "$3" ] && return
  printf '%s: wanted\n%s\ngot\n%s\n' "$1" "$2" "$3"
  failed=1
}

kernel() {
  echo "#include \"$1\""
  sed -n '/^```cuda$/,/^```$/p' "$root/README.md" | sed '1d; /^```$/q' |
    sed '/^```$/d; s/#define TILE 32/#define TILE SIZE/'
}

mkdir -p src/inc
echo '#define SIZE 32' >src/inc/one.h
echo '#include "inner.h"' >src/inc/two.h
echo '#define SIZE 16' >src/inc/inner.h
kernel inc/one.h >src/one.cu
kernel inc/one.h >'src/a b.cu'
kernel inc/two.h >'src/two:$x.cu'
kernel inc/two.h >'src/its #2 [(3)].cu'
echo 'int plain;' >src/plain.cu
