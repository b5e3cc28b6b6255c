/* lint_statements.c - statements, and a kernel from begin to end in one thread.
 *
 * Needs: the model. Gives: where control goes next. Raises: why it is not known. What
 * data decides is executed as what may happen: what it sets is not known behind. */
#include "lint_parts.h"

#include <string.h>

/* ---- what may not happen --------------------------------------------------------------- */

size_t pl_lint_begin_maybe(pl_lint_run *r) {
  r->maybe++;
  return r->nundo;
}

void pl_lint_roll_back(pl_lint_run *r, size_t mark) {
  for (size_t i = r->nundo; i > mark; i--)
    r->local[r->undo[i - 1].at] = r->undo[i - 1].old;
}

void pl_lint_end_maybe(pl_lint_run *r, size_t mark) {
  r->maybe--;
  for (size_t i = mark; i < r->nundo; i++)
    r->local[r->undo[i].at] = pl_lint_unknown(r->undo[i].old.from);
  if (!r->maybe)
    r->nundo = mark;
}

static void assume(pl_lint_run *r, const pl_node *at, const char *why) {
  if (!r->assumed) {
    r->assumed = at;
    r->assumed_why = why;
  }
}

static void exec_maybe(pl_lint_run *r, const pl_node *node, const pl_node *other) {
  size_t mark = pl_lint_begin_maybe(r);
  pl_lint_flow one = pl_lint_exec(r, node);
  pl_lint_roll_back(r, mark);
  pl_lint_flow two = other ? pl_lint_exec(r, other) : PL_LINT_NEXT;
  pl_lint_end_maybe(r, mark);
  if (one != PL_LINT_NEXT || two != PL_LINT_NEXT)
    assume(r, node, "a jump that data decides: looked at as if it were not taken");
}

/* ---- declarations ------------------------------------------------------------------------ */

static void declare(pl_lint_run *r, const pl_node *var) {
  const pl_decl *decl = var->decl;
  int64_t addr, top;
  if (!decl || decl->is_shared || decl->is_extern || decl->is_static)
    return;
  const pl_node *init = var->nkids ? var->kids[0] : decl->init;
  if (decl->type && decl->type->kind == PL_TYPE_REFERENCE) {
    if (init && pl_lint_place(r, init, &addr)) {
      pl_lint_bind(r, r->frame, decl, addr);
      return;
    }
  }
  int64_t size = pl_lint_size(decl->type);
  bool again = pl_lint_find(r, decl, &addr) && pl_lint_is_local(addr);
  if (!again) {
    addr = pl_lint_room(r, size > 0 ? size : 8, var);
    pl_lint_bind(r, r->frame, decl, addr);
  }
  top = r->top;
  if (init)
    pl_lint_init(r, addr, decl->type, init);
  else if (again)
    for (int64_t i = 0; i < size; i++)
      pl_lint_set_local(r, addr + i, pl_lint_unknown(0));
  if (!init && decl->type)
    pl_lint_begin_object(r, addr, decl->type);
  if (!pl_lint_is_object(decl->type))
    r->top = top;
}

/* ---- loops ---------------------------------------------------------------------------------- */

static pl_lint_loop *loop_of(pl_lint_run *r, const pl_node *node) {
  for (size_t i = 0; i < r->nloops; i++)
    if (r->loops[i].node == node)
      return &r->loops[i];
  if (!r->finds_loops)
    return NULL;
  if (!r->loops) /* so many, that they stay where they are */
    r->loops = PL_NEW_ARRAY(r->arena, pl_lint_loop, r->loops_cap = 512);
  if (r->nloops == r->loops_cap) {
    pl_lint_fail(r, node, "it has too many loops");
    return NULL;
  }
  r->loops[r->nloops] = (pl_lint_loop){.node = node};
  return &r->loops[r->nloops++];
}

typedef struct loop_state {
  pl_lint_loop *loop;
  bool is_tile_loop, pushed, fixes;
  const pl_node *outer_loop;
  int32_t outer_round;
  int64_t rounds, did; /* did: events but waits for phases, until it began */
} loop_state;

static loop_state begin_loop(pl_lint_run *r, const pl_node *node) {
  loop_state s = {.loop = loop_of(r, node),
                  .outer_loop = r->tile_loop,
                  .outer_round = r->round,
                  .did = r->emitted - r->tries};
  s.is_tile_loop = s.loop && s.loop->is_tile_loop && !r->finds_loops;
  if (s.loop && ++s.loop->entries > s.loop->most_entries)
    s.loop->most_entries = s.loop->entries;
  if (r->finds_loops && s.loop && s.loop->entries == 1)
    s.loop->ahead |= r->filled;
  if (r->finds_loops && s.loop && r->naround < PL_LINT_MOST_DEPTH * 4) {
    r->around[r->naround++] = s.loop;
    s.pushed = true;
  }
  if (s.is_tile_loop) {
    r->tile_loop = node;
    r->round = -1;
  } else {
    s.fixes = true;
    r->fixed++;
  }
  return s;
}

static void begin_round(pl_lint_run *r, loop_state *s) {
  s->rounds++;
  if (s->loop)
    s->loop->round = s->rounds;
  if (!s->is_tile_loop)
    return;
  r->round++;
  r->round_count++;
}

static void end_loop(pl_lint_run *r, loop_state *s) {
  if (s->loop && s->rounds > s->loop->most)
    s->loop->most = s->rounds;
  if (s->pushed) {
    r->naround--;
    s->loop->works = s->loop->works || r->emitted - r->tries != s->did;
    if (s->loop->is_tile_loop && !s->loop->works) { /* the loop around is what waits */
      s->loop->is_tile_loop = false;
      pl_lint_note_sync(r);
    }
  }
  if (s->is_tile_loop) {
    r->tile_loop = s->outer_loop;
    r->round = s->outer_round;
    r->round_count++;
  }
  r->fixed -= s->fixes;
}

/* Whether events from one on store, and none of them waits. */
static bool only_fill(const pl_lint_run *r, size_t from) {
  bool stores = false;
  for (size_t i = from; i < r->nevents; i++) {
    if (r->events[i].kind >= PL_LINT_COMMIT)
      return false;
    stores |= r->events[i].kind != PL_LINT_READ;
  }
  return stores;
}

/* The body of a loop whose end data decides, once. */
static void exec_open_loop(pl_lint_run *r, const pl_node *body, const pl_node *step,
                           const pl_node *at) {
  int64_t before = r->in_maybe;
  size_t events = r->nevents;
  size_t mark = pl_lint_begin_maybe(r);
  pl_lint_exec(r, body);
  if (step)
    pl_lint_eval(r, step);
  pl_lint_end_maybe(r, mark);
  r->fills_partly |= only_fill(r, events);
  if (r->in_maybe != before)
    assume(r, at, "a loop whose end data decides: one round of it is looked at");
}

/* 1, 0, or -1: data decides. */
static int ask(pl_lint_run *r, const pl_node *condition) {
  if (!condition)
    return 1;
  int64_t top = r->top;
  pl_lint_value value = pl_lint_eval(r, condition);
  r->top = top;
  return value.c.known ? value.c.bits != 0 : -1;
}

static pl_lint_flow exec_loop(pl_lint_run *r, const pl_node *node, const pl_node *init,
                              const pl_node *condition, const pl_node *step,
                              const pl_node *body, bool late) {
  pl_lint_flow flow = PL_LINT_NEXT;
  if (init)
    pl_lint_exec(r, init);
  loop_state s = begin_loop(r, node);
  for (bool first = true; !pl_lint_failed(r); first = false) {
    int goes_on = late && first ? 1 : ask(r, condition);
    if (goes_on < 0) {
      exec_open_loop(r, body, step, node);
      break;
    }
    if (!goes_on || pl_lint_failed(r))
      break;
    begin_round(r, &s);
    flow = pl_lint_exec(r, body);
    if (flow == PL_LINT_BREAK || flow == PL_LINT_RETURN)
      break;
    int64_t top = r->top;
    if (step)
      pl_lint_eval(r, step);
    r->top = top;
    if (++r->steps > r->most_steps)
      pl_lint_fail(r, node, "it takes too many steps");
  }
  end_loop(r, &s);
  return flow == PL_LINT_RETURN ? flow : PL_LINT_NEXT;
}

static pl_lint_flow exec_range_for(pl_lint_run *r, const pl_node *node) {
  const pl_node *var = node->nkids == 3 ? node->kids[0] : NULL;
  const pl_type *type = var ? pl_no_reference(node->kids[1]->type) : NULL;
  int64_t base, size = type && type->element ? pl_lint_size(type->element) : -1;
  if (!var || !var->decl || size <= 0 || type->kind != PL_TYPE_ARRAY ||
      !pl_lint_place(r, node->kids[1], &base)) {
    pl_lint_fail(r, node, "over what this loop goes is not seen");
    return PL_LINT_NEXT;
  }
  loop_state s = begin_loop(r, node);
  pl_lint_flow flow = PL_LINT_NEXT;
  for (int64_t i = 0; i < type->count && !pl_lint_failed(r); i++) {
    int64_t addr = base + i * size;
    if (var->decl->type->kind != PL_TYPE_REFERENCE) {
      addr = pl_lint_room(r, size, node);
      pl_lint_copy(r, addr, base + i * size, size, node);
    }
    pl_lint_bind(r, r->frame, var->decl, addr);
    begin_round(r, &s);
    flow = pl_lint_exec(r, node->kids[2]);
    if (flow == PL_LINT_BREAK || flow == PL_LINT_RETURN)
      break;
  }
  end_loop(r, &s);
  return flow == PL_LINT_RETURN ? flow : PL_LINT_NEXT;
}

/* ---- switch --------------------------------------------------------------------------------- */

static pl_lint_flow exec_list(pl_lint_run *r, const pl_node *node, uint32_t first) {
  for (uint32_t i = first; i < node->nkids && !pl_lint_failed(r); i++) {
    pl_lint_flow flow = pl_lint_exec(r, node->kids[i]);
    if (flow != PL_LINT_NEXT)
      return flow;
  }
  return PL_LINT_NEXT;
}

static bool is_case(pl_lint_run *r, const pl_node *label, int64_t value, bool *known) {
  for (; label && label->kind == PL_NODE_CASE;
       label = label->nkids > 1 ? label->kids[1] : NULL) {
    if (!label->kids[0])
      continue;
    pl_lint_value at = pl_lint_eval(r, label->kids[0]);
    *known = *known && at.c.known;
    if (at.c.known && at.c.bits == value)
      return true;
  }
  return false;
}

static bool has_default(const pl_node *label) {
  for (; label && label->kind == PL_NODE_CASE;
       label = label->nkids > 1 ? label->kids[1] : NULL)
    if (!label->kids[0])
      return true;
  return false;
}

static pl_lint_flow exec_switch(pl_lint_run *r, const pl_node *node) {
  const pl_node *body = node->nkids == 2 ? node->kids[1] : NULL;
  pl_lint_value value = pl_lint_eval(r, node->kids[0]);
  bool known = value.c.known && body && body->kind == PL_NODE_COMPOUND;
  uint32_t first = body ? body->nkids : 0;
  for (uint32_t i = 0; known && i < body->nkids && first == body->nkids; i++)
    if (is_case(r, body->kids[i], value.c.bits, &known))
      first = i;
  for (uint32_t i = 0; known && i < body->nkids && first == body->nkids; i++)
    if (has_default(body->kids[i]))
      first = i;
  if (!known) {
    pl_lint_fail(r, node, "data decides which case is taken");
    return PL_LINT_NEXT;
  }
  pl_lint_flow flow = exec_list(r, body, first);
  return flow == PL_LINT_BREAK ? PL_LINT_NEXT : flow;
}

/* ---- statements -------------------------------------------------------------------------------- */

static pl_lint_flow exec_return(pl_lint_run *r, const pl_node *node) {
  const pl_node *value = node->nkids ? node->kids[0] : NULL;
  int64_t addr;
  r->result = pl_lint_unknown(0);
  if (!value)
    return PL_LINT_RETURN;
  if (r->frame->by_name) {
    if (pl_lint_place(r, value, &addr))
      r->result = pl_lint_address(addr);
  } else if (r->frame->result_at) {
    pl_lint_init(r, r->frame->result_at, value->type, value);
  } else {
    r->result = pl_lint_eval(r, value);
  }
  return PL_LINT_RETURN;
}

static pl_lint_flow exec_if(pl_lint_run *r, const pl_node *node) {
  const pl_node *other = node->nkids > 2 ? node->kids[2] : NULL;
  int taken = ask(r, node->kids[0]);
  if (taken < 0) {
    exec_maybe(r, node->kids[1], other);
    return PL_LINT_NEXT;
  }
  return taken ? pl_lint_exec(r, node->kids[1]) : pl_lint_exec(r, other);
}

/* Where in the text events are: the statement of the kernel that is executed, or the
 * loop within it that holds no barrier. */
static void note_place(pl_lint_run *r, const pl_node *node) {
  if (r->fixed || node->kind == PL_NODE_COMPOUND)
    return;
  if (r->depth == 0)
    r->base = node;
  else
    r->inner = node;
}

static pl_lint_flow exec_one(pl_lint_run *r, const pl_node *node) {
  switch (node->kind) {
  case PL_NODE_COMPOUND:
    return exec_list(r, node, 0);
  case PL_NODE_DECL_STMT:
    for (uint32_t i = 0; i < node->nkids; i++)
      if (node->kids[i] && node->kids[i]->kind == PL_NODE_VAR)
        declare(r, node->kids[i]);
    return PL_LINT_NEXT;
  case PL_NODE_VAR:
    declare(r, node);
    return PL_LINT_NEXT;
  case PL_NODE_OTHER_DECL:
  case PL_NODE_EMPTY:
    return PL_LINT_NEXT;
  case PL_NODE_IF:
    return exec_if(r, node);
  case PL_NODE_FOR:
    return exec_loop(r, node, node->kids[0], node->kids[1], node->kids[2], node->kids[3],
                     false);
  case PL_NODE_WHILE:
    return exec_loop(r, node, NULL, node->kids[0], NULL, node->kids[1], false);
  case PL_NODE_DO:
    return exec_loop(r, node, NULL, node->kids[1], NULL, node->kids[0], true);
  case PL_NODE_RANGE_FOR:
    return exec_range_for(r, node);
  case PL_NODE_SWITCH:
    return exec_switch(r, node);
  case PL_NODE_CASE:
    return node->nkids > 1 ? pl_lint_exec(r, node->kids[1]) : PL_LINT_NEXT;
  case PL_NODE_LABEL:
    return node->nkids ? pl_lint_exec(r, node->kids[0]) : PL_LINT_NEXT;
  case PL_NODE_RETURN:
    return exec_return(r, node);
  case PL_NODE_BREAK:
    return PL_LINT_BREAK;
  case PL_NODE_CONTINUE:
    return PL_LINT_CONTINUE;
  case PL_NODE_GOTO:
    pl_lint_fail(r, node, "a goto is not followed");
    return PL_LINT_NEXT;
  case PL_NODE_ASM:
    pl_lint_asm(r, node);
    return PL_LINT_NEXT;
  default: {
    int64_t top = r->top;
    pl_lint_eval(r, node);
    r->top = top;
    return PL_LINT_NEXT;
  }
  }
}

pl_lint_flow pl_lint_exec(pl_lint_run *r, const pl_node *node) {
  if (!node || pl_lint_failed(r))
    return PL_LINT_NEXT;
  if (++r->steps > r->most_steps)
    pl_lint_fail(r, node, "it takes too many steps");
  if (pl_lint_is_quiet(r, node))
    return PL_LINT_NEXT;
  note_place(r, node);
  return exec_one(r, node);
}

/* ---- a thread ------------------------------------------------------------------------------------ */

/* Finds `threadIdx` and its like, by their names. */
static bool find_built_in(pl_node *node, void *context) {
  static const char *const names[] = {"threadIdx", "blockIdx", "blockDim", "gridDim"};
  pl_lint_run *r = context;
  const pl_decl *decl = node->kind == PL_NODE_REF ? node->decl : NULL;
  if (!decl || decl->is_user || decl->kind != PL_DECL_VAR)
    return true;
  for (size_t i = 0; i < r->nbuilt_ins; i++)
    if (r->built_ins[i] == decl)
      return true;
  for (int i = 0; i < 4; i++)
    if (pl_str_is(decl->name, names[i])) {
      size_t n = r->nbuilt_ins;
      PL_PUSH(r->arena, r->which, n, r->which_cap, i);
      PL_PUSH(r->arena, r->built_ins, r->nbuilt_ins, r->built_ins_cap, decl);
    }
  return true;
}

static void bind_built_ins(pl_lint_run *r) {
  static const int64_t origin[3];
  const int64_t *numbers[] = {r->index, origin, r->at->block, r->at->grid};
  if (!r->built_in) {
    r->built_in = pl_lint_new_frame(r);
    for (uint32_t i = 0; i < r->unit->nfuncs; i++)
      if (r->unit->funcs[i]->body)
        pl_node_walk(r->unit->funcs[i]->body, find_built_in, r);
  }
  for (size_t i = 0; i < r->nbuilt_ins; i++) {
    int64_t addr = pl_lint_room(r, 12, NULL);
    pl_lint_bind(r, r->built_in, r->built_ins[i], addr);
    for (int k = 0; k < 3; k++)
      pl_lint_set_local(
          r, addr + 4 * k,
          (pl_lint_value){.c = pl_const_make(4, true, numbers[r->which[i]][k])});
  }
}

static void bind_arguments(pl_lint_run *r) {
  for (uint32_t i = 0; i < r->kernel->nparams; i++) {
    const pl_decl *param = r->kernel->params[i];
    const pl_type *type = pl_no_reference(param->type);
    int64_t size = pl_lint_size(type), addr = pl_lint_room(r, size > 0 ? size : 8, NULL);
    const pl_lint_arg *arg = i < r->at->nargs ? &r->at->args[i] : NULL;
    pl_lint_bind(r, r->frame, param, addr);
    if (pl_is_integer_type(type) && arg && arg->kind == PL_LINT_ARG_INT)
      pl_lint_set_local(
          r, addr,
          (pl_lint_value){.c = pl_const_convert(pl_const_make(8, false, arg->value), type)});
    else if (type && type->kind == PL_TYPE_POINTER && arg &&
             arg->kind == PL_LINT_ARG_NULL)
      pl_lint_set_local(r, addr, pl_lint_address(0));
  }
  r->given = r->top;
}

void pl_lint_run_thread(pl_lint_run *r, int thread) {
  const int64_t *block = r->at->block;
  r->thread = thread;
  r->index[0] = thread % block[0];
  r->index[1] = thread / block[0] % block[1];
  r->index[2] = thread / block[0] / block[1];
  r->top = r->given = 0;
  r->depth = 0;
  r->round = -1;
  r->round_count = 0;
  r->groups = r->arrivals = r->tried = 0;
  for (size_t i = 0; i < r->nloops; i++)
    r->loops[i].entries = 0;
  r->npipes = 0;
  r->naround = r->fixed = 0;
  r->filled = 0;
  r->maybe = 0;
  r->nundo = 0;
  r->tile_loop = r->base = r->inner = NULL;
  r->frame = pl_lint_new_frame(r);
  r->frame->func = r->kernel;
  bind_arguments(r);
  bind_built_ins(r);
  pl_lint_exec(r, r->kernel->body);
  pl_lint_emit(r, PL_LINT_END, r->kernel->body);
  pl_lint_drop_frame(r, r->frame);
}
