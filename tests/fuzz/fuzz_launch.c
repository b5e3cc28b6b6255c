/* fuzz_launch.c - launch descriptions: read, and each size set worked out. */
#include "fuzz.h"
#include "launch.h"

#include <stdlib.h>
#include <string.h>

#define MOST_CASES 64

/* Where an error is said to be lies in the text. */
static void check_error(const pl_launch_error *error, size_t size) {
  CHECK(error->line >= 1 && (size_t)error->line <= size + 1);
  CHECK(error->column >= 1 && (size_t)error->column <= size + 1);
  CHECK(memchr(error->text, '\0', sizeof error->text));
  CHECK(error->text[0]);
}

static void check_case(const pl_launch *launch, pl_arena *arena,
                       const pl_case *c) {
  CHECK(c->n_args == launch->n_args);
  for (int i = 0; i < 3; i++)
    CHECK(c->grid[i] > 0 && c->block[i] > 0);
  CHECK(c->smem >= 0);
  for (size_t i = 0; i < c->n_args; i++)
    CHECK(c->args[i].count >= 0);
  CHECK(c->n_dims == 0 || pl_case_sizes_text(arena, c).n > 0);
}

static void work_out(const pl_launch *launch, size_t size) {
  pl_arena *arena = pl_arena_new(abort);
  size_t n = pl_launch_case_count(launch);
  CHECK(n >= 1);
  for (size_t i = 0; i <= n && i <= MOST_CASES; i++) {
    pl_case c = {0};
    pl_launch_error error = {0};
    pl_case_answer answer = i == n || i == MOST_CASES
                                ? pl_launch_target(arena, launch, &c, &error)
                                : pl_launch_case(arena, launch, i, &c, &error);
    if (answer == PL_CASE_OK)
      check_case(launch, arena, &c);
    else if (answer == PL_CASE_ERROR)
      check_error(&error, size);
  }
  pl_arena_free(arena);
}

/* The first byte says which of the two readers gets the rest. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (!size)
    return 0;
  const char *text = (const char *)data + 1;
  pl_launch_error error = {0};
  pl_launch_list *list = data[0] & 1
                             ? pl_launches_from_source(text, size - 1, &error)
                             : pl_launches_from_text(text, size - 1, &error);
  if (!list)
    check_error(&error, size);
  for (size_t i = 0; list && i < list->n; i++)
    work_out(&list->launches[i], size);
  pl_launch_list_free(list);
  return 0;
}
