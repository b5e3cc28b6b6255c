#!/bin/sh
# Builds build-emu/emuprove: the emulator's driver without the rest of the tool.
set -e
cd "$(dirname "$0")/../.."
mkdir -p build-emu
files=$(ls templates/common/* templates/emu/* | sed 's,^templates/,,' | paste -sd';')
cmake "-DTEMPLATES=$PWD/templates" "-DTEMPLATE_FILES=$files" \
  -DOUT=build-emu/embedded_files.c -P templates/embed.cmake
v=src/validate/emulator
${CC:-cc} -std=gnu11 -O1 -g -Wall -Wextra -Irewriter -Irewriter/support -Isrc/base \
  -Isrc/launch -I$v -Itemplates -o build-emu/emuprove build-emu/embedded_files.c \
  tests/emulated/emuprove.c src/launch/launch.c src/launch/launch_[acflp]*.c \
  src/launch/expr.c $v/*.c src/base/environment.c src/base/interrupt.c src/base/text.c \
  src/base/memory.c src/base/digest.c src/base/token.c rewriter/support/arena.c \
  templates/embedded.c -lnettle
