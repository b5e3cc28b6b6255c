/* plan_roles.c - can a second layer of threads load for the block?
 *
 * Needs: legality (legality_roles.c), the launches (plan_launches.c). Gives: the roles of
 * a loop for the form that has threads load alone. Raises (by plan_obstacles.c): PL5006,
 * PL2003, PL2006. */
#include "barrier_order.h"
#include "call_summary.h"
#include "forms.h"
#include "legality_roles.h"
#include "plan.h"

uint32_t pl_header_token(const pl_unit *unit, const pl_func *func, const char *word) {
  uint32_t end = func->body ? func->body->range.begin : func->range.end;
  for (uint32_t i = pl_token_from(unit, func->range.begin);
       i < unit->ntokens && unit->tokens[i].range.begin < end; i++)
    if (pl_token_is(unit, i, word))
      return i;
  return unit->ntokens;
}

static bool is_plain_word(const pl_unit *unit, uint32_t token) {
  static const char *const words[] = {"__global__", "void", "static", "inline", "extern",
                                      "template", "__launch_bounds__"};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (pl_token_is(unit, token, words[i]))
      return true;
  return unit->tokens[token].kind != PL_TOK_IDENT;
}

/* Whether all that stands ahead of the kernel's name is known, so that its launch bounds
 * can be edited or given: no macro may hold some, nor a number of registers. */
static bool has_plain_header(const pl_loop *loop, pl_roles *roles) {
  const pl_unit *unit = loop->unit;
  const pl_func *func = pl_written_func(loop->func);
  int depth = 0;
  bool plain = true;
  for (uint32_t i = pl_token_from(unit, func->range.begin);
       i < unit->ntokens && unit->tokens[i].range.begin < func->name_range.begin; i++) {
    depth += pl_token_is(unit, i, "(") + pl_token_is(unit, i, "<") -
             pl_token_is(unit, i, ")") - pl_token_is(unit, i, ">");
    plain = plain && (depth > 0 || is_plain_word(unit, i));
  }
  if (!plain)
    roles->why = PL_STR("what the kernel's header says of its threads or registers may "
                        "stand in a macro");
  return plain;
}

/* Whether threads of a second layer can run the load side; asked once. */
static const pl_roles *roles_of(const pl_loop *of) {
  pl_loop *loop = (pl_loop *)of;
  if (!loop->roles)
    loop->roles = PL_NEW(loop->arena, pl_roles);
  pl_roles *roles = loop->roles;
  if (roles->known)
    return roles;
  roles->known = true;
  bool can = pl_find_roles(loop, roles) && has_plain_header(loop, roles) &&
             pl_find_launch_blocks(loop, roles);
  roles->id = can ? NULL : "PL5006";
  roles->ordered = pl_computes_conflict(loop);
  return roles;
}

const char *pl_others_can_load(const pl_loop *loop, pl_str *why) {
  const char *id = pl_all_take_part(loop, why);
  if (id)
    return id;
  const pl_roles *roles = roles_of(loop);
  *why = roles->why;
  return roles->id;
}

/* Whether a loop waits by what counts all threads of the block. */
static bool counts_block(const pl_loop *loop) {
  const pl_form *form = loop->settled ? NULL : pl_form_of(loop);
  return form && form->words && form->words->state;
}

void pl_check_roles(pl_loops *loops) {
  for (size_t i = 0; i < loops->n; i++) {
    pl_loop *loop = loops->items[i];
    for (size_t k = 0; k < loops->n && pl_has_roles(loop); k++)
      if (k != i && counts_block(loops->items[k]) &&
          pl_may_call(loop->unit, loop->func, loops->items[k]->func))
        pl_refuse(loop, true, "PL5006", NULL,
                  "%s does not apply: another loop of the kernel waits for all threads "
                  "of the block", pl_variant_name(loop->variant));
  }
}
