/* emit_roles.c - what a kernel needs around a loop for which a second layer of threads
 * loads.
 *
 * Needs: the roles (plan_roles.c). Gives: the edits of the launches' blocks, of launch
 * bounds, and of the statements that those threads pass over. Raises nothing. */
#include "emit.h"

#define MOST_THREADS 1024 /* of a block */

static bool is_first_of_kernel(const pl_loops *loops, size_t index) {
  for (size_t i = 0; i < index; i++)
    if (pl_has_roles(loops->items[i]) && pl_written_func(loops->items[i]->func) ==
                                             pl_written_func(loops->items[index]->func))
      return false;
  return true;
}

/* ---- launches --------------------------------------------------------------------- */

/* How many commas stand between the parentheses or braces that a text ends with. */
static int commas_in(pl_str text) {
  int depth = 0, commas = 0;
  for (size_t i = 0; i < text.n; i++) {
    char c = text.p[i];
    depth += (c == '(' || c == '{' || c == '<') - (c == ')' || c == '}' || c == '>');
    commas += c == ',' && depth == 1;
  }
  return commas;
}

/* `256` becomes `dim3(256, 1, 2)`, `dim3(16, 16)` gets another number, and of a variable
 * x and y are taken. */
static void add_layer(pl_emitter *e, const pl_launch_block *block) {
  pl_str text = pl_unit_slice(e->unit, block->expr);
  uint32_t begin = block->expr.begin, length = block->expr.end - begin;
  if (block->number) {
    pl_emit_add_edit(e, begin, 0, PL_STR("dim3("));
    pl_emit_add_edit(e, block->expr.end, 0, PL_STR(", 1, 2)"));
  } else if (!pl_str_starts(text, "dim3")) {
    pl_emit_add_edit(e, begin, length,
                     pl_arena_printf(e->arena, "dim3(%.*s.x, %.*s.y, 2)", PL_FMT(text),
                                     PL_FMT(text)));
  } else if (commas_in(text) < 2) {
    pl_emit_add_edit(e, block->expr.end - 1, 0,
                     commas_in(text) ? PL_STR(", 2") : PL_STR(", 1, 2"));
  } else {
    uint32_t at = block->expr.end - 1;
    while (e->unit->text.p[at] != ',')
      at--;
    pl_emit_add_edit(e, at, block->expr.end - 1 - at, PL_STR(", 2"));
  }
}

/* ---- launch bounds ------------------------------------------------------------------ */

/* Puts a text around an expression that is more than a name or a number. */
static void wrap(pl_emitter *e, pl_range expr, const char *before, const char *behind) {
  pl_run run = pl_tokens_in(e->unit, expr);
  bool bare = run.end == run.first + 1;
  pl_emit_add_edit(e, expr.begin, 0,
                   pl_arena_printf(e->arena, "%s%s", before, bare ? "" : "("));
  pl_emit_add_edit(e, expr.end, 0,
                   pl_arena_printf(e->arena, "%s%s", bare ? "" : ")", behind));
}

/* A decimal number that is all of an expression; 0: it is something else. */
static long number_of(const pl_unit *unit, pl_range expr) {
  pl_str text = pl_unit_slice(unit, expr);
  long number = 0;
  for (size_t i = 0; i < text.n; i++) {
    if (text.p[i] < '0' || text.p[i] > '9' || text.n > 4 || text.p[0] == '0')
      return 0;
    number = 10 * number + text.p[i] - '0';
  }
  return number;
}

static void replace_number(pl_emitter *e, pl_range expr, long number) {
  pl_emit_add_edit(e, expr.begin, expr.end - expr.begin,
                   pl_arena_printf(e->arena, "%ld", number));
}

/* Both layers have to find registers: where nothing is said of the block, the most that
 * is launched is. Twice the threads leave as many registers to each where there are half
 * as many blocks, and no block has more than 1024 (CUDA C++ Programming Guide, Launch
 * Bounds; Technical Specifications per Compute Capability). */
static void add_bounds(pl_emitter *e, const pl_loop *loop) {
  const pl_func *func = pl_written_func(loop->func);
  const pl_unit *unit = e->unit;
  uint32_t word = pl_header_token(unit, func, "__launch_bounds__");
  uint32_t global = pl_header_token(unit, func, "__global__");
  if (word != unit->ntokens) {
    pl_range threads = pl_launch_bound(unit, word + 1, 0);
    pl_range blocks = pl_launch_bound(unit, word + 1, 1);
    if (func->launch_bounds > MOST_THREADS / 2)
      replace_number(e, threads, MOST_THREADS);
    else if (number_of(unit, threads))
      replace_number(e, threads, 2 * number_of(unit, threads));
    else
      wrap(e, threads, "2 * ", "");
    if (number_of(unit, blocks))
      replace_number(e, blocks, (number_of(unit, blocks) + 1) / 2);
    else if (blocks.end)
      wrap(e, blocks, "(", " + 1) / 2");
  } else if (global != unit->ntokens) {
    pl_emit_add_edit(e, unit->tokens[global].range.end, 0,
                     pl_arena_printf(e->arena, " __launch_bounds__(%lld)",
                                     2 * (long long)loop->roles->threads));
  }
}

/* ---- ahead of the loop --------------------------------------------------------------- */

/* The statement one level deeper: each of its lines, but one that begins in a string. One
 * that stands behind another on its line gets lines of its own. */
static void pass_over(pl_emitter *e, const pl_node *stmt) {
  pl_str indent = pl_emit_indent_of(e->unit, stmt->range.begin);
  const char *text = e->unit->text.p;
  bool raw = pl_str_has(pl_unit_slice(e->unit, stmt->range), "R\"");
  uint32_t begin = stmt->range.begin;
  while (begin && (text[begin - 1] == ' ' || text[begin - 1] == '\t'))
    begin--;
  bool first = begin == 0 || text[begin - 1] == '\n';
  if (first)
    begin = stmt->range.begin;
  pl_emit_add_edit(e, begin, stmt->range.begin - begin,
                   pl_arena_printf(e->arena, "%s%.*sif (threadIdx.z == 0)\n%.*s%.*s",
                                   first ? "" : "\n", first ? 0 : (int)indent.n, indent.p,
                                   PL_FMT(indent), PL_FMT(e->step)));
  for (uint32_t at = stmt->range.begin; at + 1 < stmt->range.end && !raw; at++)
    if (text[at] == '\n' && text[at + 1] != '\n' && text[at + 1] != '\r')
      pl_emit_add_edit(e, at + 1, 0, e->step);
}

void pl_edit_roles(pl_emitter *e, const pl_loops *loops) {
  for (size_t i = 0; i < loops->n; i++) {
    const pl_loop *loop = loops->items[i];
    if (!pl_has_roles(loop) || !is_first_of_kernel(loops, i))
      continue;
    for (size_t k = 0; k < loop->roles->n; k++)
      add_layer(e, &loop->roles->launches[k]);
    add_bounds(e, loop);
    for (size_t k = 0; k < loop->roles->npassed; k++)
      pass_over(e, loop->roles->passed[k]);
  }
}
