#!/usr/bin/env bash
# make.sh PIPELINIFY: -MD and -MF in a makefile.
command -v make >/dev/null || { echo 'skipped: no make'; exit 77; }
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/tree.sh"
cat >Makefile <<END
all: one.out a\\ b.out
%.out: src/%.cu
	@echo made '\$@'
	@$program -q --cuda-path= -MD -MF '\$@.d' -o '\$@' '\$<'
-include one.out.d a\\ b.out.d
END
says 'first' 'made one.out
made a b.out' "$(make)"
says 'second' "make: Nothing to be done for 'all'." "$(make)"
touch src/inc/one.h
says 'a header' 'made one.out
made a b.out' "$(make)"
"$program" -q --cuda-path= -MD --out-dir=out src
says 'its own depfile' 'out/src/a\ b.cu: \
  src/a\ b.cu \
  src/inc/one.h' "$(cat 'out/src/a b.cu.d')"
says 'colons and dollars' 'out/src/two\:$$x.cu: \
  src/two\:$$x.cu \
  src/inc/two.h \
  src/inc/inner.h' "$(cat 'out/src/two:$x.cu.d')"
try() { "$program" "$@" 2>&1; echo "exit $?"; }
says '-MF alone' "pipelinify: error: '-MF' needs '-MD'
exit 2" "$(try -MF d -o x src/one.cu)"
says 'no product' "pipelinify: error: '-MD' needs '-o FILE', '--out-dir' or '--suffix'
exit 2" "$(try -MD src/one.cu)"
says 'several' "pipelinify: error: '-MF' takes one input; without it each product gets its own depfile, PRODUCT.d
exit 2" "$(try -MD -MF d --out-dir=x src)"
printf 'int x;\n' >src/bad.cu; chmod 0 src/bad.cu
rm -f bad.d; "$program" -q -MD -MF bad.d -o gone/bad src/one.cu 2>/dev/null
[ ! -e bad.d ] || { echo 'a depfile of what could not be written'; failed=1; }
exit $failed
