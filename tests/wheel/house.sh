# house.sh - read by the tests that install the wheel, which have set `build` (the
# build directory) and `python`. Makes the wheel and fetches PyPI's libclang into
# $house, once for all tests that run at a time; says why and ends with 77 where
# that cannot be. Gives $house, $root, $box (scratch, removed at the end), fail, and:
#   clean COMMAND...       runs it with nothing of this environment but what a new
#                          machine has
#   new_venv DIR           makes a virtual environment
#   install DIR WHAT...    installs from $house alone
#   copy_source DIR        what `pip install` needs of this repository
#   block N                the Nth CUDA text of the README
root=$(cd "$(dirname "${BASH_SOURCE[0]:-$0}")/../.." && pwd)
build=$(cd "$build" && pwd)
house=$build/wheel/house
box=$(mktemp -d)
trap 'rm -rf "$box"' EXIT
failed=0

fail() { echo "FAILED: $*"; failed=1; }
skip() { [ $failed = 0 ] || exit 1; echo "skipped: $*"; exit 77; }

clean() {
  env -i HOME="$box" LANG=C.UTF-8 PATH="${clean_path:-/usr/local/bin:/usr/bin:/bin}" \
    TMPDIR="${TMPDIR:-/tmp}" PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_CACHE_DIR=1 \
    PIPELINIFY_CACHE_DIR="$box/cache" "$@"
}
new_venv() { "$python" -m venv "$1" >"$box/venv.log" 2>&1; }
install() {
  local venv=$1
  shift
  clean "$venv/bin/pip" -q install --no-index --find-links "$house" "$@"
}
copy_source() {
  mkdir -p "$1"
  (cd "$root" && tar cf - --exclude __pycache__ .pre-commit-hooks.yaml CMakeLists.txt \
    LICENSE README.md docs packaging pyproject.toml rewriter src templates tools) |
    tar xf - -C "$1"
}
block() {
  awk -v want="$1" '/^```cuda$/ { n++; inside = n == want; next }
    /^```$/ { inside = 0 } inside' "$root/README.md"
}

# The registry is asked once for a build directory, with the settings of this machine.
fetch_libclang() {
  ls "$house"/libclang-*.whl >/dev/null 2>&1 && return
  new_venv "$box/fetch" || skip "no virtual environment: $(tail -1 "$box/venv.log")"
  timeout 300 "$box/fetch/bin/pip" -q --disable-pip-version-check download --no-deps \
    --only-binary=:all: -d "$box/fetched" 'libclang>=17' >"$box/log" 2>&1 ||
    skip "no libclang from the registry: $(tail -1 "$box/log")"
  mv "$box"/fetched/libclang-*.whl "$house"
}

make_wheel() {
  cmake --build "$build" --target wheel >"$box/log" 2>&1 || {
    grep -q 'no wheel: ' "$box/log" && skip "$(grep 'no wheel: ' "$box/log")"
    tail -20 "$box/log"
    exit 1
  }
  local wheel
  for wheel in "$house"/pipelinify-*.whl; do # with another tag
    [ -e "$build/wheel/dist/${wheel##*/}" ] || rm -f "$wheel"
  done
  for wheel in "$build"/wheel/dist/*.whl; do
    cmp -s "$wheel" "$house/${wheel##*/}" && continue
    cp "$wheel" "$house/.new"
    mv "$house/.new" "$house/${wheel##*/}"
  done
}

mkdir -p "$house"
exec 9>"$house.lock"
flock 9
make_wheel
fetch_libclang
exec 9>&-
