#!/usr/bin/env bash
# wall.sh ROOT: the walls between the parts of the house.
#   - only rewriter/libclang.h includes clang-c, only clang_parts.h and libclang.c
#     include that, and only clang_*.c includes clang_parts.h
#   - of rewriter/, src/ includes pipelinify.h alone, and arena.h, the memory
#     that both allocate from
#   - rewriter/ neither prints nor exits nor aborts nor reads the environment,
#     and knows nothing of src/
#   - of src/, only main.c ends the program, but for memory.c where memory is
#     out: all allocations go through it; only environment.c reads the
#     environment
set -u
root=${1:?root}
cd "$root" || exit 2
failed=0

# Lines that break a wall, of the files given; none: fine.
forbid() {
  local what=$1 pattern=$2
  shift 2
  [ $# -gt 0 ] || return 0
  local found
  found=$(grep -nE "$pattern" "$@" /dev/null)
  [ -z "$found" ] && return 0
  printf '%s:\n%s\n' "$what" "$found"
  failed=1
}

# Files of a directory, less those named.
files() {
  local directory=$1 name
  shift
  for name in "$directory"/*.[ch] "$directory"/*.def; do
    [ -e "$name" ] || continue
    case " $* " in *" ${name##*/} "*) continue ;; esac
    printf '%s\n' "$name"
  done
}

quoted() { grep -hoE '#include "[^"]+"' "$@" | sed 's/.*"\(.*\)"/\1/' | sort -u; }

mapfile -t no_clang < <(files rewriter libclang.h; files src; files templates)
forbid 'only libclang.h includes clang-c' '#include *[<"]clang-c' "${no_clang[@]}"
mapfile -t no_functions < <(files rewriter clang_parts.h libclang.c; files src; files templates)
forbid 'only clang_parts.h and libclang.c include libclang.h' \
  '#include *"libclang\.h"' "${no_functions[@]}"
mapfile -t no_parts < <(printf '%s\n' "${no_clang[@]}" | grep -v '^rewriter/clang_')
forbid 'only clang_*.c includes clang_parts.h' '#include *"clang_parts\.h"' "${no_parts[@]}"

mapfile -t program < <(files src)
for header in $(quoted "${program[@]}"); do
  [ -e "rewriter/$header" ] && [ "$header" != pipelinify.h ] &&
    [ "$header" != arena.h ] || continue
  forbid 'of rewriter, src includes pipelinify.h alone' "#include \"$header\"" "${program[@]}"
done

mapfile -t library < <(files rewriter)
for header in $(quoted "${library[@]}"); do
  [ -e "src/$header" ] && [ ! -e "rewriter/$header" ] || continue
  forbid 'rewriter knows nothing of src' "#include \"$header\"" "${library[@]}"
done
forbid 'rewriter neither prints nor exits nor aborts nor reads the environment' \
  '\b(printf|puts|putchar|perror|assert|abort|exit|_exit|quick_exit|_Exit|raise|getenv|secure_getenv|system|popen)\(|\b(stdout|stderr)\b' \
  "${library[@]}"

mapfile -t no_exit < <(files src main.c)
forbid 'only main ends the program' '(^|[^_a-z])exit\(' "${no_exit[@]}"
forbid 'memory that is out is pl_out_of_memory' '\b(abort|quick_exit|_Exit)\b' \
  "${no_exit[@]}"
mapfile -t no_memory < <(files src memory.c)
forbid 'only memory.c allocates' \
  '\b(malloc|calloc|realloc|reallocarray|strdup|strndup|open_memstream|pl_arena_new)\(' \
  "${no_memory[@]}"
mapfile -t no_env < <(files src environment.c)
forbid 'only environment.c reads the environment' '\b(secure_)?getenv\(' "${no_env[@]}"
exit $failed
