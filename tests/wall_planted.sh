#!/usr/bin/env bash
# wall_planted.sh ROOT: wall.sh has to see what is planted against each of its walls.
set -u
root=${1:?root}
box=$(mktemp -d)
trap 'rm -rf "$box"' EXIT
failed=0

# expect NAME FILE TEXT: wall.sh fails on a copy of the tree with TEXT behind FILE.
expect() {
  rm -rf "$box/tree"
  mkdir "$box/tree"
  cp -r "$root/rewriter" "$root/src" "$root/templates" "$root/CMakeLists.txt" "$box/tree"
  printf '%s\n' "$3" >>"$box/tree/$2"
  if bash "$root/tests/wall.sh" "$box/tree" >"$box/out"; then
    echo "FAILED: $1 is not seen"
    failed=1
  fi
}

expect 'an include that makes a circle of folders' rewriter/analysis/uniform.c \
  '#include "plan.h"'
expect 'a refusal in an analysis' rewriter/analysis/uniform.c \
  'void f(pl_loop *loop) { pl_refuse(loop, false, "PL2002", NULL, "no"); }'
expect 'a reason that no rule has' rewriter/legality/legality_text.c \
  'bool f(pl_loop *loop) { return pl_refuse(loop, false, "PL2101", NULL, "no"); }'
expect 'isl outside of integer_set.c' rewriter/tiling/coverage.c '#include <isl/set.h>'
expect 'clang outside of the frontend' rewriter/plan/plan.c '#include <clang-c/Index.h>'
expect 'a second file that prints' rewriter/plan/plan.c 'void f(void) { puts("no"); }'
expect 'the program in the library' src/inputs/walk.c '#include "plan.h"'
expect 'an include that goes up in the program' src/base/text.c '#include "run.h"'
exit $failed
