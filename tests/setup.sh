# setup.sh - read by try.sh and run.sh: installs what is missing (Debian 12,
# root) and builds into build/$PRESET. PRESET is one of CMakePresets.json.
set -eu
PRESET=${PRESET:-release}
root=$(cd "$(dirname "$0")/.." && pwd)
cd "$root"

packages="bash binutils cmake g++ gcc git libclang-19-dev libcmocka-dev
  libinih-dev libisl-dev libjansson-dev libpcre2-dev make nettle-dev pkg-config python3
  python3-venv"

missing() {
  for package in $packages; do
    dpkg-query -W -f='${Status}' "$package" 2>/dev/null |
      grep -q 'install ok installed' || printf '%s ' "$package"
  done
}

# python3 and the like may come from elsewhere than from a package.
absent_commands() {
  for command in bash ld cmake g++ gcc git make pkg-config python3; do
    command -v "$command" >/dev/null || printf '%s ' "$command"
  done
}

absent_libraries() {
  command -v pkg-config >/dev/null &&
    pkg-config --exists cmocka inih isl jansson libpcre2-8 nettle || echo libraries
  ls /usr/lib/llvm-*/include/clang-c/Index.h >/dev/null 2>&1 || echo libclang
}

install() {
  [ -n "$(absent_commands)$(absent_libraries)" ] || return 0
  if ! command -v apt-get >/dev/null || [ "$(id -u)" != 0 ]; then
    echo "Please install: $(missing)" >&2
    exit 2
  fi
  export DEBIAN_FRONTEND=noninteractive
  apt-get -qq update
  # shellcheck disable=SC2046
  apt-get -qq -y --no-install-recommends install $(missing)
}

build() {
  cmake --preset "$PRESET" >/dev/null
  cmake --build --preset "$PRESET" -j "$(nproc)"
}

install
build
bin=$root/build/$PRESET/pipelinify
