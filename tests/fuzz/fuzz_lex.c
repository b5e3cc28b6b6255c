/* fuzz_lex.c - tokens: in order, apart, not empty, and nothing but blanks
 * between them. */
#include "fuzz.h"
#include "model.h"

#include <stdlib.h>
#include <string.h>

/* Blanks, line ends, NUL bytes, the backslash of a continued line, and the
 * byte order mark. */
static bool is_between(const uint8_t *data, uint32_t at) {
  if (at < 3 && data[at] == (uint8_t) "\xEF\xBB\xBF"[at])
    return true;
  return memchr(" \t\v\f\r\n\\", data[at], 7) != NULL || data[at] == 0;
}

static void check_gap(const uint8_t *data, uint32_t begin, uint32_t end) {
  for (uint32_t i = begin; i < end; i++)
    CHECK(is_between(data, i));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  pl_arena *arena = pl_arena_new(abort);
  uint32_t count = 0, at = 0;
  pl_token *tokens = pl_lex(arena, (pl_str){(const char *)data, size}, &count);
  for (uint32_t i = 0; i < count; i++) {
    CHECK(tokens[i].range.begin >= at);
    CHECK(tokens[i].range.end > tokens[i].range.begin);
    check_gap(data, at, tokens[i].range.begin);
    at = tokens[i].range.end;
  }
  CHECK(at <= size);
  check_gap(data, at, (uint32_t)size);
  pl_arena_free(arena);
  return 0;
}
