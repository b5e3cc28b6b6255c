/* grids.c - see grids.h. */
#include "grids.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "launch.h"
#include "launch_infer.h"
#include "memory.h"
#include "text.h"

/* A launch of which the number of blocks is known; 0: it is not. */
typedef struct grid {
  char *kernel; /* bare */
  int64_t blocks;
} grid;

struct pl_grids {
  const char *text;
  size_t length;
  const char *const *arguments;
  size_t narguments;
  bool looked_at;
  grid *items;
  size_t n, cap;
};

pl_grids *pl_grids_new(const char *text, size_t length,
                       const char *const *arguments, size_t narguments) {
  pl_grids *grids = pl_alloc(1, sizeof *grids);
  *grids = (pl_grids){.text = text,
                      .length = length,
                      .arguments = arguments,
                      .narguments = narguments};
  return grids;
}

void pl_grids_free(pl_grids *grids) {
  for (size_t i = 0; grids && i < grids->n; i++)
    free(grids->items[i].kernel);
  if (grids)
    free(grids->items);
  free(grids);
}

static int64_t blocks_of(const pl_case *at) {
  return at->grid[0] * at->grid[1] * at->grid[2];
}

static void add(pl_grids *grids, const char *kernel, int64_t blocks) {
  if (grids->n == grids->cap) {
    grid *items = pl_alloc(2 * grids->cap + 8, sizeof *items);
    if (grids->n)
      memcpy(items, grids->items, grids->n * sizeof *items);
    free(grids->items);
    grids->items = items;
    grids->cap = 2 * grids->cap + 8;
  }
  grids->items[grids->n++] = (grid){pl_format("%s", kernel), blocks};
}

/* The sizes that times are taken at; those that a proof takes say nothing. */
static void add_described(pl_grids *grids, const pl_launch_list *list) {
  for (size_t i = 0; i < list->n; i++) {
    pl_arena *arena = pl_new_arena();
    pl_launch_error error;
    pl_case at;
    bool known =
        pl_launch_target(arena, &list->launches[i], &at, &error) == PL_CASE_OK;
    add(grids, list->launches[i].name, known ? blocks_of(&at) : 0);
    pl_arena_free(arena);
  }
}

/* A launch of the program's own, with its own sizes. */
static int64_t blocks_of_own(const char *description) {
  pl_launch_error error;
  pl_launch_list *list =
      pl_launches_from_text(description, strlen(description), &error);
  pl_arena *arena = pl_new_arena();
  pl_case at;
  int64_t blocks = 0;
  if (list && list->n == 1 &&
      pl_launch_case(arena, &list->launches[0], 0, &at, &error) == PL_CASE_OK)
    blocks = blocks_of(&at);
  pl_arena_free(arena);
  if (list)
    pl_launch_list_free(list);
  return blocks;
}

static void add_launched(pl_grids *grids) {
  const char **defines = pl_alloc(grids->narguments + 1, sizeof *defines);
  size_t ndefines = 0;
  for (size_t i = 0; i < grids->narguments; i++)
    if (pl_starts_with(grids->arguments[i], "-D"))
      defines[ndefines++] = grids->arguments[i] + 2;
  pl_inferred_list *all =
      pl_infer_launches(grids->text, grids->length, defines, ndefines);
  free(defines);
  for (size_t i = 0; i < all->n; i++) {
    const pl_inferred *one = &all->items[i];
    bool whole = one->line && !one->obstacle && one->own && !one->own_gaps;
    add(grids, one->name, whole ? blocks_of_own(one->own) : 0);
  }
  pl_inferred_free(all);
}

static void look_at(pl_grids *grids) {
  pl_launch_error error;
  pl_launch_list *list =
      pl_launches_from_source(grids->text, grids->length, &error);
  grids->looked_at = true;
  if (list && list->n)
    add_described(grids, list);
  else
    add_launched(grids);
  if (list)
    pl_launch_list_free(list);
}

/* The most of all launches of the kernel, 0 where one is not known. */
int64_t pl_grid_blocks(const char *kernel, void *context) {
  pl_grids *grids = context;
  int64_t most = 0;
  if (!grids->looked_at)
    look_at(grids);
  for (size_t i = 0; i < grids->n; i++) {
    if (strcmp(grids->items[i].kernel, kernel) != 0)
      continue;
    if (!grids->items[i].blocks)
      return 0;
    if (grids->items[i].blocks > most)
      most = grids->items[i].blocks;
  }
  return most;
}
