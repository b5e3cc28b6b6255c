/* fuzz.h - what the fuzz targets share. */
#ifndef PL_FUZZ_H
#define PL_FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* One run of a target; libFuzzer and replay.c call it. Returns 0. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Ends the run as a finding where a property does not hold. */
#define CHECK(holds)                                                           \
  do {                                                                         \
    if (!(holds)) {                                                            \
      fprintf(stderr, "%s:%d: does not hold: %s\n", __FILE__, __LINE__,        \
              #holds);                                                         \
      abort();                                                                 \
    }                                                                          \
  } while (0)

#endif
