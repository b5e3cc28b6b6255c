#!/usr/bin/env bash
# resources.sh BIN ROOT: registers and spills out of what several versions of
# ptxas, nvcc and cuobjdump print of resources/kernels.cu (recordings).
. "$(dirname "$0")/head.sh"

cat > "$temp/main.cpp" <<'EOF'
#include "pl_resources.h"
#include <fstream>
#include <sstream>
int main(int argc, char **w) {
  std::ostringstream whole;
  whole << std::ifstream(w[1]).rdbuf();
  std::string text = whole.str();
  std::vector<Resources> all =
      strstr(w[1], "cuobjdump") ? read_res_usage(text) : read_ptxas(text);
  Resources r = resources_of(all, argc > 3 ? w[3] : "", w[2]);
  printf("%s %g %g\n", r.function.c_str(), r.registers, r.spills);
}
EOF
"$cxx" -std=c++17 -Wall -Wextra -Werror -I"$root/templates/harness" \
  -o "$temp/said" "$temp/main.cpp" || exit 1

# is FILE KERNEL FUNCTION "REGISTERS SPILLS"
is() {
  for how in "" "$3"; do
    # shellcheck disable=SC2086 # no word where the function is not known
    got=$("$temp/said" "$root/tests/gpu/resources/$1" "$2" $how)
    [ "$got" = "$3 $4" ] || { echo "FAILED: $1 $2: $got, not $3 $4"; failed=1; }
  done
}
many=_Z4manyILi48EEvPKfPf
for version in 11.8.89 12.1.105 12.4.131 12.9.86 13.5.37; do
  is ptxas-$version tile_sum tile_sum "24 0"
  is ptxas-$version 'many<48>' $many "32 14340"
done
is nvcc-13.0 'ns::tile_sum' tile_sum "22 0"
is nvcc-13.0 'many<48>' $many "32 14308"
for version in 13.2.51 13.5.37; do
  is cuobjdump-$version-sm_80 tile_sum tile_sum "24 0"
  is cuobjdump-$version-sm_80 'many<48>' $many "32 -1"
  is cuobjdump-$version-sm_90 tile_sum tile_sum "22 0"
done
is cuobjdump-13.5.37-so tile_sum tile_sum "22 0"

# no FILE KERNEL FUNCTION: nothing may be said
no() {
  got=$("$temp/said" "$root/tests/gpu/resources/$1" "$2" "$3")
  [ "$got" = " -1 -1" ] || { echo "FAILED: $1 $2: $got"; failed=1; }
}
for file in nvcc-13.0 cuobjdump-13.5.37-so; do
  no $file man ""
  no $file sum ""
  no $file tile_sum _Z8tile_sumv
done
# Of two that may be the kernel, neither is believed.
sed 's/tile_sum/_Z4manyILi24EEvPKfPf/' "$root/tests/gpu/resources/nvcc-13.0" \
  > "$temp/two"
got=$("$temp/said" "$temp/two" 'many<48>')
[ "$got" = " -1 -1" ] || { echo "FAILED: two: $got"; failed=1; }
exit "$failed"
