/* fuzz_expr.c - expressions of launch descriptions: parsed and evaluated. */
#include "expr.h"
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

/* Values that the names stand for: small ones and the ends of the range. */
static const int64_t name_values[][3] = {
    {0, 1, 2}, {33, 48, 4096}, {-7, INT64_MIN, INT64_MAX}};

/* The same expression under the same values has the same answer twice. */
static void evaluate(pl_arena *arena, const pl_expr *expr,
                     const int64_t *values) {
  static const char *const names[] = {"M", "N", "K"};
  pl_names known = {names, values, 3};
  int64_t first = 0, second = 0;
  const char *error = NULL;
  bool ok = pl_expr_eval(arena, expr, &known, &first, &error);
  CHECK(ok || (error && strlen(error) < 4096));
  CHECK(pl_expr_eval(arena, expr, &known, &second, &error) == ok);
  CHECK(!ok || first == second);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  pl_arena *arena = pl_arena_new(abort);
  pl_str text = {(const char *)data, size};
  const char *error = NULL;
  size_t error_at = 0;
  const pl_expr *expr = pl_expr_parse(arena, text, &error, &error_at);
  if (!expr) {
    CHECK(error && error_at <= size);
  } else {
    for (size_t i = 0; i < sizeof name_values / sizeof *name_values; i++)
      evaluate(arena, expr, name_values[i]);
  }
  pl_arena_free(arena);
  return 0;
}
