#!/usr/bin/env bash
# build.sh PIPELINIFY: a tree driven by ninja with --emit-ninja.
command -v ninja >/dev/null || { echo 'skipped: no ninja'; exit 77; }
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/tree.sh"

# The products that ninja made, one a line.
build() {
  ninja -f build.ninja "$@" >log 2>&1
  echo "exit $?"
  sed -n 's/^\[[0-9/]*\] pipelinify //p; s/^ninja: \(no work.*\)$/\1/p' log |
    sed "s/'\\\\''/'/g; s/^'//; s/'\$//" | LC_ALL=C sort
}
emit() { "$program" --cuda-path= -q --emit-ninja build.ninja "$@"; }

emit --out-dir=out src -- -DUNUSED='a b$c' || failed=1
all="exit 0
out/src/a b.cu
out/src/its #2 [(3)].cu
out/src/one.cu
out/src/plain.cu
out/src/two:\$x.cu"
says 'first build' "$all" "$(build)"
for file in src/*.cu; do
  "$program" --cuda-path= -q "$file" >expected 2>/dev/null
  sed '$ { /^.. pipelinify: written from /d; }' "out/$file" | cmp expected - || failed=1
done
grep -q pl_stage out/src/one.cu || grep -qi pipelin out/src/one.cu || { echo 'nothing was pipelined'; failed=1; }
says 'second time' "$(printf 'exit 0\nninja: no work to do.' | sed 's/ninja: //')" "$(build)"

touch src/inc/one.h
says 'a header of two' 'exit 0
out/src/a b.cu
out/src/one.cu' "$(build)"
says 'after it' "$(printf 'exit 0\nno work to do.')" "$(build)"
sed -i s/16/8/ src/inc/inner.h; touch src/inc/inner.h
says 'a header of a header' "exit 0
out/src/its #2 [(3)].cu
out/src/two:\$x.cu" "$(build)"
touch src/plain.cu
says 'a source' 'exit 0
out/src/plain.cu' "$(build)"

# What is made of a product is made anew only if the product is another one.
cat >after.ninja <<'END'
include build.ninja
rule count
  command = echo $in >>counted && cp $in $out
build one.o: count out/src/one.cu
END
after() { ninja -f after.ninja one.o >log 2>&1 || cat log; wc -l <counted; }
says 'made once' 1 "$(after)"
touch src/inc/one.h
says 'the product is as before' 1 "$(after)"
grep -q one.cu log || { echo 'the edge was not run'; failed=1; }
says 'no work' 'ninja: no work to do.' "$(ninja -f after.ninja one.o)"
sed -i s/32/8/ src/inc/one.h; touch src/inc/one.h
echo '// more' >>src/one.cu; touch src/one.cu
says 'the product is another' 2 "$(after)"

# Configuration is an input too, and the program.
emit --out-dir=out src
build >/dev/null
echo 'variant = ldg' >src/.pipelinify; touch src/.pipelinify
touch src/one.cu
build >/dev/null
touch src/.pipelinify
says 'the configuration' 'exit 0
out/src/one.cu' "$(build)"
cp "$program" ./other
other() { ./other --cuda-path= -q --out-dir=out src --emit-ninja build.ninja; }
other
build >/dev/null
touch other
says 'another program' "$all" "$(build)"

# A file that fails stops only its own edge.
printf '[pipelinify]\nvariant = nonsense\n' >src/.pipelinify
mkdir src/bad src/good
mv src/.pipelinify src/bad/; cp src/plain.cu src/bad/k.cu; cp src/one.cu src/good/k.cu
cp -R src/inc src/good/inc
emit --out-dir=out src
says 'one that fails' 'exit 1
out/src/bad/k.cu
out/src/good/k.cu' "$(build -k 0 -j1 | grep -e exit -e /k.cu)"
[ ! -e out/src/bad/k.cu ] && [ -e out/src/good/k.cu ] || { echo 'the wrong one failed'; failed=1; }
rm -r src/bad

# Beside the sources, and what ninja cannot hold.
emit --suffix=_new src --exclude='*#2*'
ninja -f build.ninja >log 2>&1 || cat log
[ -e 'src/a b_new.cu' ] && [ -e src/plain_new.cu ] || { echo 'no products beside'; failed=1; }
says 'beside' 'ninja: no work to do.' "$(ninja -f build.ninja)"
touch 'src/a|b.cu' "src/it's.cu"
says 'a bar, a quote' "exit 2
2" "$(emit --out-dir=out src 2>err; echo "exit $?"; grep -c 'ninja cannot hold' err)"
says 'the mode' "pipelinify: error: '--emit-ninja' needs '--out-dir' or '--suffix'" \
  "$("$program" -i src --emit-ninja build.ninja 2>&1)"
exit $failed
