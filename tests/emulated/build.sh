#!/bin/sh
# Builds build-emu/emuprove: the emulator's driver without the rest of the tool.
set -e
cd "$(dirname "$0")/../.."
mkdir -p build-emu
files=$(ls templates/common/* templates/emu/* | sed 's,^templates/,,' | paste -sd';')
cmake "-DTEMPLATES=$PWD/templates" "-DTEMPLATE_FILES=$files" \
  -DOUT=build-emu/embedded_files.c -P templates/embed.cmake
${CC:-cc} -std=gnu11 -O1 -g -Wall -Wextra -Irewriter -Irewriter/support -Isrc -Itemplates \
  -o build-emu/emuprove build-emu/embedded_files.c \
  tests/emulated/emuprove.c src/launch.c src/launch_[aclp]*.c src/expr.c \
  src/emu*.c src/validate.c src/environment.c src/interrupt.c src/text.c src/memory.c \
  src/digest.c rewriter/support/arena.c templates/embedded.c -lnettle
