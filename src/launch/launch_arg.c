/* launch_arg.c - the line of one kernel argument: `A: in [M * K] range(0, 1)`.
 * See launch_line.h. */
#include "launch_line.h"

#include <string.h>

static bool read_fill_range(pl_launch_reader *r, pl_piece inside, pl_arg *arg) {
  const char *at = inside.p;
  arg->fill = PL_FILL_RANGE;
  if (!pl_piece_real(r, pl_piece_item(&inside), &arg->low) ||
      !pl_piece_real(r, pl_piece_item(&inside), &arg->high))
    return false;
  return arg->low < arg->high ||
         pl_piece_fail(r, &inside, at, "an empty range");
}

static bool read_fill(pl_launch_reader *r, pl_piece pc, pl_arg *arg) {
  pl_piece inside;
  pl_piece_trim(&pc);
  if (pc.p == pc.end)
    return true;
  const char *at = pc.p;
  pl_str what = pl_piece_name(&pc);
  if (pl_str_is(what, "random")) {
    pl_piece_trim(&pc);
    return pc.p == pc.end || pl_piece_fail(r, &pc, pc.p, "unexpected text");
  }
  bool known = pl_str_is(what, "range") || pl_str_is(what, "below") ||
               pl_str_is(what, "const");
  if (!known)
    return pl_piece_fail(r, &pc, at, "expected random, range, below or const");
  if (!pl_piece_bracketed(r, &pc, '(', &inside))
    return false;
  pl_piece_trim(&pc);
  if (pc.p != pc.end)
    return pl_piece_fail(r, &pc, pc.p, "unexpected text");
  if (pl_str_is(what, "range"))
    return read_fill_range(r, inside, arg);
  arg->fill = pl_str_is(what, "below") ? PL_FILL_BELOW : PL_FILL_CONST;
  if (arg->fill == PL_FILL_CONST)
    return pl_piece_real(r, inside, &arg->low);
  return (arg->below = pl_piece_expr(r, inside)) != NULL;
}

static bool read_buffer(pl_launch_reader *r, pl_piece pc, pl_arg *arg,
                        const char *word) {
  pl_piece inside;
  arg->kind = PL_ARG_BUFFER;
  arg->direction = strcmp(word, "in") == 0    ? PL_ARG_IN
                   : strcmp(word, "out") == 0 ? PL_ARG_OUT
                                              : PL_ARG_INOUT;
  if (!pl_piece_bracketed(r, &pc, '[', &inside))
    return false;
  pl_piece_trim(&inside);
  bool as_reached = inside.end - inside.p == 1 && *inside.p == '*';
  if (!as_reached && !(arg->count = pl_piece_expr(r, inside)))
    return false;
  return read_fill(r, pc, arg);
}

/* A literal with a point or an exponent, and nothing but a sign before it. */
static bool looks_real(pl_piece pc) {
  if (pc.p < pc.end && strchr("+-", *pc.p))
    pc.p++;
  pl_piece_trim(&pc);
  if (pc.p == pc.end || !strchr(".0123456789", *pc.p))
    return false;
  while (pc.p < pc.end && *pc.p >= '0' && *pc.p <= '9')
    pc.p++;
  return pc.p < pc.end && strchr(".eEfF", *pc.p);
}

bool pl_launch_read_argument(pl_launch_reader *r, pl_piece pc, pl_str name) {
  pl_launch *l = r->now;
  pl_arg arg = {.name = pl_arena_cstr(r->arena, name), .line = pc.line};
  pl_piece_trim(&pc);
  pl_piece rest = pc;
  const char *word = pl_arena_cstr(r->arena, pl_piece_name(&rest));
  pl_piece_trim(&rest);
  bool bracket = rest.p < rest.end && *rest.p == '[';
  bool ok = true;
  if (bracket && (!strcmp(word, "in") || !strcmp(word, "out") ||
                  !strcmp(word, "inout"))) {
    ok = read_buffer(r, rest, &arg, word);
  } else if (!strcmp(word, "null") && rest.p == rest.end) {
    arg.kind = PL_ARG_NULL;
  } else if (looks_real(pc)) {
    arg.kind = PL_ARG_REAL;
    ok = pl_piece_real(r, pc, &arg.real);
  } else {
    arg.kind = PL_ARG_INT;
    ok = (arg.value = pl_piece_expr(r, pc)) != NULL;
  }
  size_t cap = l->n_args;
  PL_PUSH(r->arena, l->args, l->n_args, cap, arg);
  return ok;
}
