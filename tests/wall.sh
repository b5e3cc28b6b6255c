#!/usr/bin/env bash
# wall.sh ROOT [BUILD]: the walls between the parts of the house.
#   - the folders of rewriter/ stand one above the other, in the order of PL_ROOMS in
#     CMakeLists.txt: none includes or, by the objects in BUILD, calls what is above it;
#     likewise those of src/, in the order of PL_PROGRAM_ROOMS
#   - only rewriter/frontend/libclang.h includes clang-c, only clang_parts.h and
#     libclang.c include that, and only clang_*.c includes clang_parts.h
#   - rewriter/analysis/ refuses nothing
#   - only rewriter/analysis/integer_set.c includes isl
#   - of rewriter/, src/ includes pipelinify.h alone, and arena.h, the memory
#     that both allocate from
#   - rewriter/ neither prints nor exits nor aborts nor reads the environment,
#     and knows nothing of src/
#   - of src/, only main.c ends the program, but for memory.c where memory is
#     out: all allocations go through it; only environment.c reads the
#     environment
#   - the rules of legality refuse for the reasons that rules.def lists for them,
#     and for each of those
set -u
root=${1:?root}
build=${2:-}
[ -z "$build" ] || build=$(cd "$build" && pwd) || exit 2
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

# Files of a directory and its folders, less those named.
files() {
  local directory=$1 name
  shift
  while IFS= read -r name; do
    case " $* " in *" ${name##*/} "*) continue ;; esac
    printf '%s\n' "$name"
  done < <(find "$directory" -name '*.[ch]' -o -name '*.def' | sort)
}

quoted() { grep -hoE '#include "[^"]+"' "$@" | sed 's/.*"\(.*\)"/\1/' | sort -u; }

mapfile -t no_clang < <(files rewriter libclang.h; files src; files templates)
forbid 'only libclang.h includes clang-c' '#include *[<"]clang-c' "${no_clang[@]}"
mapfile -t no_functions < <(files rewriter clang_parts.h libclang.c; files src; files templates)
forbid 'only clang_parts.h and libclang.c include libclang.h' \
  '#include *"libclang\.h"' "${no_functions[@]}"
mapfile -t no_parts < <(printf '%s\n' "${no_clang[@]}" | grep -v '/clang_')
forbid 'only clang_*.c includes clang_parts.h' '#include *"clang_parts\.h"' "${no_parts[@]}"

mapfile -t no_isl < <(files rewriter integer_set.c; files src; files templates)
forbid 'only integer_set.c includes isl' '#include *[<"]isl' "${no_isl[@]}"

mapfile -t program < <(files src)
for header in $(quoted "${program[@]}"); do
  [ -n "$(find rewriter -name "$header")" ] && [ "$header" != pipelinify.h ] &&
    [ "$header" != arena.h ] || continue
  forbid 'of rewriter, src includes pipelinify.h alone' "#include \"$header\"" "${program[@]}"
done

mapfile -t library < <(files rewriter)
for header in $(quoted "${library[@]}"); do
  [ -n "$(find src -name "$header")" ] && [ -z "$(find rewriter -name "$header")" ] || continue
  forbid 'rewriter knows nothing of src' "#include \"$header\"" "${library[@]}"
done
forbid 'rewriter neither prints nor exits nor aborts nor reads the environment' \
  '\b(printf|puts|putchar|perror|assert|abort|exit|_exit|quick_exit|_Exit|raise|getenv|secure_getenv|system|popen)\(|\b(stdout|stderr)\b' \
  "${library[@]}"

mapfile -t analyses < <(find rewriter/analysis -name '*.c' ! -name loop.c)
forbid 'an analysis refuses nothing' '\b(pl_refuse|pl_loop_settle)\(|"PL[0-9]{4}"' "${analyses[@]}"

# Lines `FROM_FOLDER/FILE TO_FOLDER/FILE WHAT` in which the first is the lower one.
check_floors() {
  local from to what
  while read -r from to what; do
    [ -n "${rank[${from%%/*}]:-}" ] && [ -n "${rank[${to%%/*}]:-}" ] || continue
    [ "${rank[${from%%/*}]}" -ge "${rank[${to%%/*}]}" ] && continue
    printf '%s: %s stands below %s: %s\n' "$1" "$from" "$to" "$what"
    failed=1
  done
}

# Lines `FILE HEADER` of what the files of the folders of $1 include.
includes() {
  grep -HoE '#include "[^"]+"' $(find "$1" -mindepth 2 -name '*.[ch]') |
    sed "s/^$1\///; s/:#include \"/ /; s/\"\$//"
}

# Lines `FROM TO NAME` of the functions of $1 that its objects, in $2, call.
calls() {
  find "$1" -mindepth 2 -name '*.c' | while read -r name; do
    [ -e "$2/$name.o" ] && (cd "$2" && nm -A "$name.o")
  done | sed "s/^$1\///; s/\.o:/ /" |
    awk '$NF ~ /^pl_/ { if ($(NF-1) == "U") { n++; from[n] = $1; what[n] = $NF }
                        else if ($(NF-1) ~ /[TDBR]/) at[$NF] = $1 }
         END { for (i = 1; i <= n; i++) if (what[i] in at) print from[i], at[what[i]], what[i] }'
}

# The folders of ROOT stand in the order of a list in CMakeLists.txt. OBJECTS: where the
# objects of the build are.
check_rooms() {
  local root=$1 list=$2 objects=$3 room at=0
  declare -A rank=() header_at=()
  for room in $(sed -n "/^set($list /,/)/p" CMakeLists.txt | tr -d '()' | sed "s/^set$list//"); do
    rank[$room]=$((at += 1))
  done
  [ "$at" -gt 0 ] || { echo "no $list in CMakeLists.txt"; failed=1; }
  for room in $(cd "$root" && ls -d -- */); do
    [ -n "${rank[${room%/}]:-}" ] || { echo "$root/$room is not in $list"; failed=1; }
  done
  while IFS= read -r name; do header_at[${name##*/}]=${name#"$root"/}; done \
    < <(find "$root" -mindepth 2 -name '*.h')
  check_floors 'an include goes up' < <(includes "$root" | while read -r from header; do
    [ -n "${header_at[$header]:-}" ] && echo "$from ${header_at[$header]} $header"
  done)
  [ -z "$build" ] || [ -d "$objects/$root" ] || { echo "no objects in $objects"; failed=1; }
  [ -z "$build" ] || check_floors 'a call goes up' < <(calls "$root" "$objects")
}
check_rooms rewriter PL_ROOMS "$build/CMakeFiles/libpipelinify.dir"
check_rooms src PL_PROGRAM_ROOMS "$build/CMakeFiles/pl_program.dir"

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

listed=$(grep -oE '"PL[0-9 PL]+"' rewriter/legality/rules.def | grep -oE 'PL[0-9]{4}' | sort -u)
# (PL4004 is unseen.c's.)
written=$( (grep -ohE '"PL[0-9]{4}"' rewriter/legality/legality_*.c; echo '"PL4004"') |
  tr -d '"' | sort -u)
if [ "$listed" != "$written" ]; then
  printf 'reasons of rules.def, and of the rules:\n%s\n' \
    "$(diff <(printf '%s\n' "$listed") <(printf '%s\n' "$written"))"
  failed=1
fi
exit $failed
