#!/usr/bin/env bash
# dumps.sh BIN ROOT: where the script `run` puts machine code, with doubles of
# nvcc and cuobjdump; and that nothing is lost where there is no cuobjdump.
set -u
root=${2:?root}
temp=$(mktemp -d) || exit 2
trap 'rm -rf "$temp"' EXIT
failed=0
fail() { echo "FAILED: $*"; failed=1; }
mkdir -p "$temp/bin" "$temp/b/cases/k/src"
cp -R "$root/templates/harness" "$temp/b/harness"
cp "$root/templates/harness/run" "$temp/b/run"
: > "$temp/b/cases/k/flags"
: > "$temp/b/cases/k/pairs"
echo 1 > "$temp/b/cases/k/ldg.cu"
# Makes what -o names; that is a runner that does nothing, too.
cat > "$temp/bin/nvcc" <<'END'
#!/bin/sh
while [ "$1" != -o ]; do shift; done
printf '#!/bin/sh\n' > "$2" && chmod +x "$2"
END
cat > "$temp/bin/cuobjdump" <<'END'
#!/bin/sh
[ "$1" = -sass ] && [ -f "$2" ] || exit 1
echo "		Function : k"
echo "        /*0000*/      LDC R1, c[0x0][0x28] ;      /* 0x00000a00ff017b82 */"
echo "                                                  /* 0x000fe40000000f00 */"
END
chmod +x "$temp/bin/nvcc"
run() {
  PATH=$temp/bin:/usr/bin:/bin sh "$temp/b/run" --nvcc "$temp/bin/nvcc" \
    --arch sm_90 -o "$temp/out" build report > "$temp/log" 2>&1 ||
    fail "run: $(cat "$temp/log")"
}
dump=$temp/out/sass/k/ldg.sass

if [ ! -x /usr/local/cuda/bin/cuobjdump ]; then
  run
  [ -f "$temp/b/build/k/ldg.so" ] || fail "not built without cuobjdump"
  [ -e "$temp/out/sass" ] && fail "a dump from nowhere"
fi
chmod +x "$temp/bin/cuobjdump"
run
grep -q 'Function : k' "$dump" || fail "no dump of what was built before"
grep -q '/\*0000\*/ .*LDC R1, c\[0x0\]\[0x28\] ;$' "$dump" || fail "$(cat "$dump")"
[ "$(wc -l < "$dump")" = 2 ] || fail "instruction words: $(cat "$dump")"
# Another source, of which nothing can be dumped: the old dump must go.
echo 2 > "$temp/b/cases/k/ldg.cu"
printf '#!/bin/sh\necho half; exit 1\n' > "$temp/bin/cuobjdump"
run
[ -e "$dump" ] && fail "a dump of other code was left"
exit "$failed"
