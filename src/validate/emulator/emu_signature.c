/* emu_signature.c - in what the parameters of two kernels differ, by the types that
 * the compiler of the emulator gives them. See emu.h.
 *
 * Beside: emu_findings.c. */
#include "emu.h"

#include <string.h>

/* The list in "... [with P = {float*, int}]", or in clang's "[P = <float *, int>]". */
static pl_str list_in(const char *names) {
  const char *from = strstr(names, "P = ");
  if (!from)
    return (pl_str){names, strlen(names)};
  const char *open = from + strlen("P = "), *end = strrchr(open, ']');
  size_t n = end ? (size_t)(end - open) : strlen(open);
  return n > 2 ? (pl_str){open + 1, n - 2} : (pl_str){open, 0};
}

/* Takes the first type off the list; commas within brackets are its own. */
static pl_str take_type(pl_str *list) {
  size_t depth = 0, n = 0;
  for (; n < list->n; n++) {
    char c = list->p[n];
    depth += c == '<' || c == '(' || c == '[' || c == '{';
    depth -= depth && (c == '>' || c == ')' || c == ']' || c == '}');
    if (c == ',' && !depth)
      break;
  }
  pl_str type = {list->p, n};
  size_t used = n < list->n ? n + 1 : n;
  *list = (pl_str){list->p + used, list->n - used};
  while (list->n && *list->p == ' ')
    *list = (pl_str){list->p + 1, list->n - 1};
  return type;
}

static size_t count_types(pl_str list) {
  size_t n = 0;
  while (list.n) {
    take_type(&list);
    n++;
  }
  return n;
}

pl_str pl_emu_signature_text(pl_emu *p, const pl_emu_object *a,
                             const char *types_of_a, const pl_emu_object *b,
                             const char *types_of_b) {
  pl_str one = list_in(types_of_a), two = list_in(types_of_b);
  size_t n_one = count_types(one), n_two = count_types(two);
  if (n_one != n_two)
    return pl_arena_printf(p->arena, "%zu parameters in %s, %zu in %s", n_one,
                           a->path, n_two, b->path);
  for (size_t i = 1; i <= n_one; i++) {
    pl_str first = take_type(&one), second = take_type(&two);
    if (!pl_str_eq(first, second))
      return pl_arena_printf(p->arena, "parameter %zu: '%.*s' in %s, '%.*s' in %s",
                             i, PL_FMT(first), a->path, PL_FMT(second), b->path);
  }
  return PL_STR("the rewritten kernel has other parameters");
}
