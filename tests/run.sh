#!/bin/sh
# run.sh [ctest options] - sets everything up and runs the tests. Labels: unit,
# cli, golden, emulated, nvcc, wall (`-L golden` runs one, `-LE nvcc` skips one).
. "$(dirname "$0")/setup.sh"

ctest --test-dir "build/$PRESET" -j "$(nproc)" --output-on-failure "$@"
