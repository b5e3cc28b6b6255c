#!/usr/bin/env bash
# container.sh BUILD PYTHON: the Containerfile. Without an image: its one RUN is done
# here, with the paths in a scratch directory and an apt-get that only notes what it
# is asked for; what it copies is what the README's commands make. With podman or
# docker and the image of PL_CONTAINER_BASE at hand it is built and run.
set -u
build=${1:?build directory} python=${2:?python}
. "$(dirname "$0")/house.sh"
file=$root/packaging/container/Containerfile

# ---- the step, here -------------------------------------------------------------

mkdir -p "$box/root/usr/local/bin" "$box/root/opt/wheels" "$box/stub"
copied=$(sed -n 's/^COPY \(.*\) \/opt\/wheels\/$/\1/p' "$file")
# shellcheck disable=SC2086
(cd "$house" && cp $copied "$box/root/opt/wheels") || fail "COPY finds nothing"
printf '#!/bin/sh\necho "$@" >>"%s/asked"\n' "$box" >"$box/stub/apt-get"
printf '#!/bin/sh\nexec "%s" "$@"\n' "$python" >"$box/stub/python3"
chmod +x "$box"/stub/*
awk '/^RUN / { inside = 1; sub(/^RUN /, "") } inside { print; if (!/\\$/) exit }' "$file" |
  sed -E "s#/(opt|usr/local/bin|var/lib)#$box/root&#g" >"$box/step"
[ -s "$box/step" ] || fail "no RUN"
cd "$box" || exit 2
clean_path=$box/stub:$box/root/usr/local/bin:/usr/bin:/bin clean env PIP_NO_INDEX=1 \
  PIP_FIND_LINKS="$house" sh -e "$box/step" >"$box/log" 2>&1 ||
  { tail -5 "$box/log"; fail "the step"; }
grep -q '^libclang: clang version' "$box/log" || fail "pipelinify -V says nothing"
grep -q 'install.*python3-venv' "$box/asked" || fail "python3-venv is not asked for"
[ ! -e "$box/root/opt/wheels" ] || fail "the wheels stay in the image"
grep -q "^ARG BASE=docker.io/nvidia/cuda:.*-ubuntu24.04$" "$file" || fail "ARG BASE"
for base in $(grep -oE 'nvidia/cuda:[^ ]+ubuntu[0-9]+\.[0-9]+' "$file" | sort -u); do
  grep -qF "$base" "$root/README.md" || fail "the README does not name $base"
done
# The wheel's glibc is not newer than that of Ubuntu 22.04.
minor=$(ls "$house"/pipelinify-*.whl | sed 's/.*manylinux_2_\([0-9]*\)_.*/\1/')
[ "$minor" -le 35 ] || echo "not for Ubuntu 22.04: this machine's wheel needs glibc 2.$minor"

# ---- the image ------------------------------------------------------------------

engine=$(command -v podman || command -v docker)
base=${PL_CONTAINER_BASE:-docker.io/nvidia/cuda:12.6.3-devel-ubuntu24.04}
if [ -n "$engine" ] && timeout 20 "$engine" image inspect "$base" >/dev/null 2>&1; then
  "$engine" build -q -f "$file" -t pipelinify-test --build-arg "BASE=$base" "$house" \
    >"$box/log" 2>&1 || { tail -5 "$box/log"; fail "the image"; }
  "$engine" run --rm pipelinify-test -V | grep -q '^pipelinify' || fail "the container"
else
  echo "no image was built: no podman or docker here that has $base"
fi
[ $failed = 0 ] && echo fine
exit $failed
