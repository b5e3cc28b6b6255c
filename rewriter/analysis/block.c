/* block.c - how many threads does a block have?
 *
 * Needs: the frontend's launches, launch bounds and comments. Gives: the block
 * size as far as the file or the options tell it, and a guess for the rest.
 * Nothing may rest on it but costs and how many registers stage a copy: what
 * is emitted is right for every block size. */
#include "call_summary.h"
#include "loop.h"

#include <string.h>

#define GUESSED_THREADS 256
#define MOST_THREADS 1024

static void keep_larger(pl_block *most, const pl_block *other) {
  if (other->threads > most->threads)
    *most = *other;
}

/* ---- launch descriptions ------------------------------------------------- */

/* The plain numbers behind "block" in a launch description; others: nothing. */
static pl_block described_block(pl_str line) {
  pl_block none = {0}, found = {.threads = 1, .dims = {1, 1, 1}};
  int64_t number = -1;
  int axis = 0;
  for (size_t i = 0; i <= line.n; i++) {
    char c = i < line.n ? line.p[i] : ',';
    if (c >= '0' && c <= '9') {
      number = (number < 0 ? 0 : number) * 10 + (c - '0');
      if (number > MOST_THREADS)
        return none;
    } else if (c == ',') {
      if (number < 1 || axis > 2)
        return none;
      found.dims[axis++] = number;
      found.threads *= number;
      number = -1;
    } else if (c != ' ' && c != '\t' && c != '\r' && c != '\n') {
      return none;
    }
  }
  return found.threads <= MOST_THREADS ? found : none;
}

static pl_str comment_words(const pl_unit *unit, const pl_token *token) {
  pl_str text = pl_unit_slice(unit, token->range);
  while (text.n && strchr("/ \t", text.p[0])) {
    text.p++;
    text.n--;
  }
  return text;
}

/* The kernel that a description's first line names, without arguments. */
static pl_str described_kernel(pl_str line) {
  size_t end = 0;
  while (end < line.n && !strchr("<( \t\r\n", line.p[end]))
    end++;
  return (pl_str){line.p, end};
}

/* The block size that the launch descriptions of this kernel give. */
static pl_block described(const pl_unit *unit, const pl_func *func,
                          void (*take)(pl_block *, const pl_block *)) {
  static const char start[] = "pipelinify: launch ";
  bool ours = false;
  pl_block most = {0};
  for (size_t i = 0; i < unit->ncomments; i++) {
    pl_str text = comment_words(unit, &unit->tokens[unit->comments[i]]);
    if (pl_str_starts(text, start)) {
      pl_str name = described_kernel(
          (pl_str){text.p + sizeof start - 1, text.n - (sizeof start - 1)});
      ours = pl_str_eq(name, func->name) || pl_str_eq(name, func->qualified);
    } else if (ours && pl_str_starts(text, "block")) {
      pl_block one = described_block((pl_str){text.p + 5, text.n - 5});
      take(&most, &one);
    }
  }
  return most;
}

/* ---- kernels ------------------------------------------------------------- */

static pl_block launched(const pl_func *func) {
  pl_block most = {0};
  for (uint32_t i = 0; i < func->nlaunches; i++) {
    const pl_launch_site *site = &func->launches[i];
    pl_block one = {.threads = site->threads};
    memcpy(one.dims, site->block_dims, sizeof one.dims);
    keep_larger(&most, &one);
  }
  return most;
}

/* `__launch_bounds__`, the largest over the instantiations. */
static pl_block bounded(const pl_func *func) {
  pl_block most = {.threads = func->launch_bounds > 0 ? func->launch_bounds : 0};
  for (uint32_t i = 0; func->launch_bounds < 0 && i < func->ninstances; i++) {
    pl_block one = {0};
    if (func->launch_bounds_node &&
        pl_node_eval(func->launch_bounds_node, func, &func->instances[i],
                     &one.threads))
      keep_larger(&most, &one);
  }
  return most;
}

static pl_block block_of_kernel(const pl_loop *loop, const pl_func *kernel) {
  pl_block found = launched(kernel);
  if (!found.threads)
    found = bounded(kernel);
  if (!found.threads && loop->options->block_threads > 0)
    found.threads = loop->options->block_threads;
  pl_block said = described(loop->unit, kernel, keep_larger);
  if (!found.threads || (!found.dims[0] && said.threads == found.threads))
    found = said;
  return found;
}

/* ---- from a device function to its kernels -------------------------------- */

static pl_block find_block(const pl_loop *loop) {
  const pl_func *func = loop->caller ? loop->caller->func : loop->func;
  pl_block most = {0};
  if (func->is_global)
    return block_of_kernel(loop, func);
  for (uint32_t i = 0; i < loop->unit->nfuncs; i++) {
    const pl_func *kernel = loop->unit->funcs[i];
    if (!kernel->is_global || !pl_may_call(loop->unit, kernel, func))
      continue;
    pl_block one = block_of_kernel(loop, kernel);
    keep_larger(&most, &one);
  }
  if (!most.threads && loop->options->block_threads > 0)
    most.threads = loop->options->block_threads;
  return most;
}

/* `threads`: how many launches are told of; -1: one does not tell. */
static void keep_extents(pl_block *most, const pl_block *other) {
  most->threads = most->threads < 0 || !other->dims[0] ? -1 : most->threads + 1;
  for (int axis = 0; axis < 3; axis++)
    if (other->dims[axis] > most->dims[axis])
      most->dims[axis] = other->dims[axis];
}

/* The same of the least. */
static void keep_least(pl_block *least, const pl_block *other) {
  bool first = !least->threads;
  least->threads = least->threads < 0 || !other->dims[0] ? -1 : least->threads + 1;
  for (int axis = 0; axis < 3; axis++)
    if (first || other->dims[axis] < least->dims[axis])
      least->dims[axis] = other->dims[axis];
}

static bool find_extents(const pl_loop *loop, void (*keep)(pl_block *, const pl_block *),
                         int64_t extents[3]) {
  if (!loop->func->is_global)
    return false;
  pl_block all = described(loop->unit, loop->func, keep);
  for (uint32_t i = 0; i < loop->func->nlaunches; i++) {
    pl_block one = {0};
    memcpy(one.dims, loop->func->launches[i].block_dims, sizeof one.dims);
    keep(&all, &one);
  }
  if (all.threads > 0)
    memcpy(extents, all.dims, sizeof all.dims);
  return all.threads > 0;
}

bool pl_block_most(const pl_loop *loop, int64_t extents[3]) {
  return find_extents(loop, keep_extents, extents);
}

bool pl_block_least(const pl_loop *loop, int64_t extents[3]) {
  return find_extents(loop, keep_least, extents);
}

/* Asked for each value of a copy loop, so that it is looked for once. */
static pl_block block_of_loop(const pl_loop *loop) {
  if (!loop->block)
    return find_block(loop);
  if (!loop->block->known) {
    *loop->block = find_block(loop);
    loop->block->known = true;
  }
  return *loop->block;
}

int64_t pl_block_threads(const pl_loop *loop) {
  pl_block found = block_of_loop(loop);
  return found.threads > 0 ? found.threads : -1;
}

/* x of a block of which the number of threads alone is known: square where
 * that comes out even, else a warp wide. */
static int64_t guessed_width(int64_t threads) {
  int64_t side = 1;
  while (side * side < threads)
    side *= 2;
  return side * side == threads ? side : threads < 32 ? threads : 32;
}

int64_t pl_block_extent(const pl_loop *loop, char axis, bool two_dimensions) {
  pl_block found = block_of_loop(loop);
  if (found.dims[0] && axis >= 'x' && axis <= 'z')
    return found.dims[axis - 'x'];
  int64_t threads = found.threads > 0 ? found.threads : GUESSED_THREADS;
  int64_t width = two_dimensions ? guessed_width(threads) : threads;
  if (axis == 'x')
    return width;
  return axis == 'y' && width < threads ? threads / width : 1;
}
