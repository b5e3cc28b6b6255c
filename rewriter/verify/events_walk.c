/* events_walk.c - executes the emitted text for any number of tiles.
 *
 * Needs: the region of the emitted text, and the source loop. Gives: every access,
 * wait and barrier that it makes, as forms over T and k; or what of it cannot be
 * read. Raises: nothing.
 *
 * What is not known ends the walk: an access that is not noted would prove too
 * much. */
#include "cfg.h"
#include "events_state.h"
#include "handed_tiles.h"
#include "reaching_definitions.h"

void pl_emitted_fail(pl_emitted *out, char claim, const pl_node *at,
                     const char *fmt, ...) {
  va_list args;
  if (out->claim)
    return;
  out->claim = claim;
  out->why_at = at;
  va_start(args, fmt);
  out->why = pl_arena_vprintf(out->source->arena, fmt, args);
  va_end(args);
}

/* ---- waits and groups ----------------------------------------------------------- */

static pl_str call_name(const pl_node *node) {
  return node->kind == PL_NODE_CALL ? pl_last_name(pl_callee_name(node)) : (pl_str){0};
}

void pl_note_wait(pl_walker *w, const pl_iform *until) {
  pl_emitted *out = w->out;
  pl_wait_site made = {
      .when = w->where, .until = pl_iform_within(until, w->where),
      .barriers = pl_iform_within(pl_counter_of(w, PL_BARRIERS)->value.n, w->where),
      .moment = w->moment};
  if (!w->is_dry)
    PL_PUSH(w->arena, out->waits, out->nwaits, out->waits_cap, made);
  w->moment.at++;
}

/* All but the last n groups. A negative n is a very large number of them. */
static bool wait_prior(pl_walker *w, const pl_node *node) {
  const pl_iform *n = node->has_template_value ? pl_number_in(w, node->template_value)
                      : node->nkids > 1         ? pl_eval_form(w, node->kids[1]) : NULL;
  if (!n || !pl_holds(w, n, PL_OP_GE, pl_number_in(w, 0)))
    return false;
  pl_note_wait(w, pl_iform_sub(pl_counter_of(w, PL_GROUPS)->value.n, n));
  return true;
}

static void wait_oldest(pl_walker *w, const pl_node *node) {
  if (w->out->pipeline && !pl_holds(w, pl_counter_of(w, PL_WAITED)->value.n, PL_OP_EQ,
                                    pl_counter_of(w, PL_RELEASED)->value.n))
    pl_emitted_fail(w->out, 'a', node, "the stage before was not released");
  pl_count_up(w, PL_WAITED);
  if (w->out->has_roles && w->role != PL_COMPUTES)
    pl_emitted_fail(w->out, 'd', node, "it is another role's");
  if (!w->out->has_roles && !pl_holds(w, pl_counter_of(w, PL_WAITED)->value.n, PL_OP_LE,
                                      pl_counter_of(w, PL_GROUPS)->value.n))
    pl_emitted_fail(w->out, 'c', node, "no group is left to wait for");
  pl_note_wait(w, pl_counter_of(w, PL_WAITED)->value.n);
}

void pl_do_barrier(pl_walker *w) {
  pl_count_up(w, PL_BARRIERS);
  w->run++;
  w->moment.at++;
}

static bool try_group_call(pl_walker *w, const pl_node *node) {
  pl_str name = call_name(node);
  if (pl_try_block_call(w, node, name))
    return true;
  if (pl_str_is(name, "__pipeline_commit") || pl_str_is(name, "producer_commit")) {
    pl_count_up(w, PL_GROUPS);
    w->run++;
    w->moment.at++;
  } else if (pl_str_is(name, "__pipeline_wait_prior") ||
             pl_str_is(name, "pipeline_consumer_wait_prior")) {
    return wait_prior(w, node);
  } else if (pl_str_is(name, "consumer_wait")) {
    wait_oldest(w, node);
  } else {
    return pl_str_is(name, "producer_acquire") ||
           pl_str_is(name, "consumer_release");
  }
  return true;
}

typedef struct name_walk {
  const pl_unit *unit;
  bool commits, waits;
} name_walk;

static bool find_group_call(pl_node *node, void *context) {
  name_walk *n = context;
  pl_str name = call_name(node);
  pl_node *lambda = pl_local_function(n->unit, node);
  if (lambda)
    pl_node_walk(lambda->kids[lambda->nkids - 1], find_group_call, n);
  n->commits |= pl_str_has(name, "_commit") || pl_str_is(name, "__pipeline_arrive_on");
  n->waits |= pl_str_has(name, "_wait");
  return true;
}

static bool has_barrier(pl_walker *w, pl_node *node) {
  pl_effects effects = {0};
  pl_effects_of(w->out->effects, w->out->func, node, &effects);
  return pl_effects_find(&effects, PL_EFFECT_BARRIER) || pl_has_vote(node);
}

/* ---- declarations ----------------------------------------------------------------- */

/* Whether a slot is as large as an object of the source, or a record that holds one.
 * Of dynamic shared memory the launch says how large both are. */
static bool is_large_enough(const pl_stages *stages, const pl_node *slot,
                            const pl_decl *object, bool is_member) {
  const pl_type *type = slot->type, *was = object->type;
  if (!was || !type)
    return false;
  if (stages->is_dynamic && object->is_extern)
    return !is_member && type->kind == PL_TYPE_ARRAY && was->kind == PL_TYPE_ARRAY &&
           pl_same_type(type->element, was->element);
  if (!stages->type || was->size <= 0)
    return false;
  return is_member ? stages->type->size >= was->size : stages->type->size == was->size;
}

/* `X_stage[n]` and `X_stage[n].tile`: the object by the name that the slot gets. */
static bool bind_slot(pl_walker *w, const pl_decl *decl, pl_node *init) {
  pl_source_loop *l = w->source;
  bool is_member = init->kind == PL_NODE_MEMBER;
  const pl_decl *named;
  pl_node *index;
  pl_stages stages;
  while (init->kind == PL_NODE_MEMBER || init->kind == PL_NODE_PAREN)
    init = init->kids[0];
  if (!pl_picked_stage(init, &named, &index))
    return false;
  const pl_iform *slot = pl_eval_form(w, index);
  size_t object = 1;
  while (object < l->nobjects &&
         !pl_str_eq(l->objects[object].decl->name, decl->name))
    object++;
  if (!slot || object == l->nobjects || !pl_stages_of(w->out, named, &stages))
    return false;
  pl_cell_object *o = &l->objects[object];
  if (!is_large_enough(&stages, init, o->decl, is_member) ||
      !pl_take_stages(w, object, named, &stages))
    return false;
  if (!pl_holds(w, slot, PL_OP_GE, pl_number_in(w, 0)) ||
      !pl_holds(w, slot, PL_OP_LT, pl_number_in(w, o->slots))) {
    pl_emitted_fail(w->out, 'b', init, "there is no such stage");
    return true;
  }
  pl_set_entry(w, decl, (pl_value){.kind = PL_VALUE_SLOT, .of = object, .n = slot});
  return true;
}

static bool bind_name(pl_walker *w, const pl_decl *decl, const pl_node *init) {
  const pl_entry *to =
      init->kind == PL_NODE_REF && init->decl ? pl_resolve(w, init->decl) : NULL;
  if (to)
    pl_set_entry(w, decl, (pl_value){.kind = PL_VALUE_NAME, .to = to->decl});
  return to != NULL;
}

/* Whether a variable holds all numbers that are counted. */
static bool is_wide(const pl_decl *decl) {
  return decl->type && (decl->type->kind != PL_TYPE_INT || decl->type->size >= 4);
}

/* `auto t_load = t;` */
static bool copy_value(pl_walker *w, const pl_decl *decl, const pl_node *init) {
  const pl_entry *from =
      init->kind == PL_NODE_REF && init->decl ? pl_resolve(w, init->decl) : NULL;
  if (!from || from->value.kind == PL_VALUE_SLOT || !decl->type || !init->type ||
      decl->type->kind == PL_TYPE_ARRAY ||
      (from->value.kind == PL_VALUE_NUMBER ? !is_wide(decl)
                                           : !pl_same_type(decl->type, init->type)))
    return false;
  pl_set_entry(w, decl, from->value);
  return true;
}

/* A number, or 1 where a condition holds. */
static const pl_iform *number_of(pl_walker *w, pl_node *node) {
  const pl_iform *n = pl_eval_form(w, node);
  if (n)
    return n;
  n = pl_iform_choose(pl_eval_set(w, node), pl_number_in(w, 1), pl_number_in(w, 0));
  pl_do_test(w, node);
  return n;
}

static bool set_number(pl_walker *w, const pl_decl *decl, pl_node *init) {
  const pl_iform *n = is_wide(decl) ? number_of(w, init) : NULL;
  if (n)
    pl_set_entry(w, decl, (pl_value){.kind = PL_VALUE_NUMBER, .n = n});
  return n != NULL;
}

static void declare(pl_walker *w, pl_node *var) {
  const pl_decl *decl = var->decl;
  pl_node *init = var->nkids && var->kids[0] ? pl_node_bare(var->kids[0]) : NULL;
  if (init && init->kind == PL_NODE_LAMBDA) /* its calls are executed */
    return;
  if (decl->is_shared && (!init || pl_keeps_account(decl)))
    return;
  if (init && pl_make_pipeline(w, decl, init))
    return;
  if (decl->is_shared || decl->is_static) {
    pl_emitted_fail(w->out, '?', var, "it declares what is not the thread's own");
    return;
  }
  if (init && pl_try_made_again(w, var))
    return;
  if (pl_is_reference(decl->type)) {
    if (!init)
      pl_emitted_fail(w->out, '?', var, "what '%.*s' refers to is not known",
                      PL_FMT(decl->name));
    else if (!bind_name(w, decl, init) && !bind_slot(w, decl, init))
      pl_set_entry(w, decl, (pl_value){.kind = PL_VALUE_FETCHED});
    return;
  }
  if (init ? copy_value(w, decl, init) || set_number(w, decl, init)
           : pl_try_unset_copy(w, decl))
    return;
  pl_set_entry(w, decl, (pl_value){.kind = PL_VALUE_FETCHED});
}

void pl_do_declarations(pl_walker *w, pl_node *node, uint32_t first) {
  for (uint32_t i = first; i < node->nkids && !w->out->claim; i++) {
    pl_node *kid = node->kids[i];
    if (!kid || kid->kind == PL_NODE_OTHER_DECL)
      continue;
    if (kid->kind != PL_NODE_VAR || !kid->decl) {
      pl_emitted_fail(w->out, '?', kid, "a declaration is not known");
      return;
    }
    declare(w, kid);
    const pl_entry *made = pl_entry_of(w, kid->decl);
    bool fetched = made && made->value.kind == PL_VALUE_FETCHED && kid->nkids &&
                   kid->kids[0];
    if (fetched && kid->decl != w->out->pipeline)
      pl_do_fetched(w, kid);
  }
}

/* ---- assignments ------------------------------------------------------------------ */

static const pl_iform *assigned(pl_walker *w, const pl_value *v, const pl_node *node) {
  pl_node *right = pl_node_bare(node->kids[1]);
  switch (node->op) {
  case PL_OP_ASSIGN: return number_of(w, right);
  case PL_OP_XOR: return pl_toggled(w, v->n, right);
  case PL_OP_ADD: return pl_iform_add(v->n, pl_eval_form(w, right));
  case PL_OP_SUB: return pl_iform_sub(v->n, pl_eval_form(w, right));
  default: return NULL;
  }
}

static pl_entry *target_of(pl_walker *w, const pl_node *node) {
  const pl_node *left = pl_node_bare(node->kids[0]);
  return left->kind == PL_NODE_REF && left->decl ? pl_resolve(w, left->decl) : NULL;
}

/* Of the text's own numbers, and copies of variables. What is given to a reference goes
 * to what it is bound to. */
static bool try_assignment(pl_walker *w, pl_node *node) {
  if (node->kind != PL_NODE_ASSIGN && !pl_node_is_step(node))
    return false;
  pl_entry *entry = target_of(w, node);
  if (!entry || pl_is_reference(entry->decl->type))
    return false;
  pl_value *v = &entry->value;
  if (v->kind == PL_VALUE_NUMBER && node->kind == PL_NODE_ASSIGN) {
    const pl_iform *n = assigned(w, v, node);
    v->n = n ? n : v->n;
    return n != NULL;
  }
  if (v->kind == PL_VALUE_NUMBER) {
    bool up = node->op == PL_OP_PREINC || node->op == PL_OP_POSTINC;
    v->n = pl_iform_add(v->n, pl_number_in(w, up ? 1 : -1));
    return true;
  }
  if (node->kind != PL_NODE_ASSIGN || node->op != PL_OP_ASSIGN || v->kind == PL_VALUE_SLOT ||
      !copy_value(w, entry->decl, pl_node_bare(node->kids[1])))
    return false;
  if (v->kind == PL_VALUE_FETCHED) /* a part of the load */
    pl_note_store(w, node, 0, PL_NO_ITEM, false);
  return true;
}

/* ---- branches --------------------------------------------------------------------- */

static void do_arm(pl_walker *w, const pl_iset *where, pl_node *arm) {
  const pl_iset *all = w->where;
  w->where = pl_iset_joined(pl_iset_and(all, where));
  if (arm)
    pl_do_statement(w, arm);
  w->where = all;
}

/* `if (joined) ... else ...`: a choice between two ways to load a tile, by what the text
 * alone has. Both are looked at, as if both were made. */
static bool is_choice(pl_walker *w, const pl_node *node) {
  const pl_node *asked = pl_node_bare(node->kids[0]);
  const pl_entry *entry = asked->kind == PL_NODE_REF && asked->decl
                              ? pl_resolve(w, asked->decl) : NULL;
  return entry && node->kids[1] && node->kids[2] &&
         (asked->decl->type->is_const || pl_is_in_region(w, asked->decl)) &&
         entry->value.kind == PL_VALUE_FETCHED;
}

static void do_ways(pl_walker *w, pl_node *node);

/* Whether a variable is made anew for each tile, not once for the loop. */
static bool is_made_often(const pl_walker *w, const pl_node *node) {
  const pl_node *up = node ? node->parent : NULL;
  while (up && pl_range_inside(up->range, w->out->region) && up->kind != PL_NODE_LAMBDA &&
         up->kind != PL_NODE_IF && !pl_node_is_loop(up))
    up = up->parent;
  return up && pl_range_inside(up->range, w->out->region);
}

/* Which way is taken hangs on what is asked: of the tile that is loaded. */
static void do_choice(pl_walker *w, pl_node *node) {
  const pl_decl *decl = pl_node_bare(node->kids[0])->decl;
  const pl_parts was = w->asked, own = is_made_often(w, decl->node)
                                           ? pl_resolve(w, decl)->value.parts : (pl_parts){0};
  w->asked = (pl_parts){0};
  for (size_t i = 0; i < was.n; i++)
    PL_PUSH(w->arena, w->asked.items, w->asked.n, w->asked.cap, was.items[i]);
  for (size_t i = 0; i < own.n; i++)
    PL_PUSH(w->arena, w->asked.items, w->asked.n, w->asked.cap, own.items[i]);
  do_ways(w, node);
  w->asked = was;
}

static void do_ways(pl_walker *w, pl_node *node) {
  int run = w->run, at = w->moment.at;
  pl_node *other = node->kids[2];
  w->arm = ++w->out->narms;
  w->choice = pl_node_bare(node->kids[0]);
  pl_do_part_of_load(w, node->kids[1]);
  w->run = run;
  w->moment.at = at;
  if (other->kind == PL_NODE_COMPOUND && other->nkids == 1)
    other = other->kids[0];
  if (other->kind == PL_NODE_IF && is_choice(w, other)) {
    do_choice(w, other);
    return;
  }
  w->arm = ++w->out->narms;
  w->choice = NULL;
  pl_do_part_of_load(w, node->kids[2]);
  w->arm = 0;
}

/* Who goes on has found false what it asked. */
static void do_leave(pl_walker *w, const pl_node *node) {
  const pl_node *asked = pl_node_bare(node->kids[0]);
  pl_entry *flag = asked->kind == PL_NODE_REF && asked->decl ? pl_resolve(w, asked->decl) : NULL;
  w->left = pl_eval_set(w, node->kids[0]);
  pl_do_test(w, node->kids[0]);
  if (!w->left) {
    pl_emitted_fail(w->out, 'd', node->kids[0], "who comes past this is not known");
    return;
  }
  w->where = pl_iset_minus(w->where, w->left);
  if (flag && flag->value.kind == PL_VALUE_NUMBER)
    flag->value.n = pl_number_in(w, 0);
}

static void do_branch(pl_walker *w, pl_node *node) {
  if (node == w->exit)
    return;
  if (node == w->leaves) {
    do_leave(w, node);
    return;
  }
  const pl_iset *set = pl_eval_set(w, node->kids[0]);
  name_walk names = {.unit = w->out->unit};
  pl_node_walk(node, find_group_call, &names);
  pl_do_test(w, node->kids[0]);
  if (!set && !names.commits && !names.waits && !has_barrier(w, node)) {
    if (is_choice(w, node))
      do_choice(w, node);
    else
      pl_do_part_of_load(w, node);
    return;
  }
  if (!set) {
    pl_emitted_fail(w->out, 'd', node->kids[0], "who comes past this is not known");
    return;
  }
  pl_env start = pl_copy_env(w);
  do_arm(w, set, node->kids[1]);
  pl_env taken = w->env;
  w->env = start;
  w->env = pl_copy_env(w);
  do_arm(w, pl_iset_minus(pl_iset_all(w->ints), set), node->kids[2]);
  pl_env other = w->env;
  pl_join_envs(w, set, &taken, &other);
}

/* ---- loops of the prologue ---------------------------------------------------------- */

static void fail_turns(pl_walker *w, const pl_node *node) {
  pl_emitted_fail(w->out, '?', node, "a loop that commits copies is not known");
}

/* The turns of such a loop from one on, those that are made for some T and k. (A dry
 * run makes one: how many there are is asked of the guess.) */
static void do_turns(pl_walker *w, pl_node *node, int turn) {
  const pl_iset *goes_on = pl_eval_set(w, node->kids[1]), *where = w->where;
  if (!goes_on || turn > PL_MOST_SLOTS) {
    fail_turns(w, node);
    return;
  }
  if (w->is_dry ? turn > 0
                : pl_iset_is_empty(pl_iset_and(where, goes_on)) == PL_YES)
    return;
  bool always = w->is_dry || pl_iset_is_subset(where, goes_on) == PL_YES;
  pl_env start = pl_copy_env(w);
  w->run++;
  if (!always)
    w->where = pl_iset_joined(pl_iset_and(where, goes_on));
  pl_do_statement(w, pl_node_loop_body(node));
  pl_do_statement(w, node->kids[2]);
  if (!w->out->claim)
    do_turns(w, node, turn + 1);
  w->where = where;
  if (always || w->out->claim)
    return;
  pl_env taken = w->env;
  pl_join_envs(w, goes_on, &taken, &start);
}

/* `for (int s = 0; s < 2; ++s)`, executed as it stands. */
static void do_each(pl_walker *w, pl_node *node) {
  if (node->kind != PL_NODE_FOR || !node->kids[1] || !node->kids[2]) {
    fail_turns(w, node);
    return;
  }
  if (node->kids[0])
    pl_do_statement(w, node->kids[0]);
  do_turns(w, node, 0);
}

/* Whether a loop goes on for what the source's does, of whatever tile. */
static bool asks_as_loop(pl_walker *w, const pl_node *node) {
  pl_node *asked = node->kids[node->kind == PL_NODE_WHILE ? 0 : 1];
  bool dry = w->is_dry;
  w->is_dry = true;
  bool asks = asked && pl_asked_tile(w, pl_node_bare(asked));
  w->is_dry = dry;
  return asks;
}

static void do_loop(pl_walker *w, pl_node *node) {
  name_walk names = {.unit = w->out->unit};
  pl_node_walk(node, find_group_call, &names);
  bool any = node->kind == PL_NODE_FOR && node->kids[0] &&
             node->kids[0]->kind == PL_NODE_DECL_STMT;
  bool starts = any && pl_is_start(w, node->kids[0]), declares = any && !starts;
  bool counts = declares || w->had_loop, ahead = declares && !w->had_loop;
  if ((w->role == PL_LOADS && names.commits && !w->had_loop) ||
      (has_barrier(w, node) && !(ahead && names.commits)) || (names.waits && !counts) ||
      (!names.waits && !(names.commits && counts) && (starts || asks_as_loop(w, node))))
    pl_do_main_loop(w, node);
  else if (names.commits || names.waits)
    do_each(w, node);
  else
    pl_do_part_of_load(w, node);
}

/* ---- statements ------------------------------------------------------------------- */

static void do_compound(pl_walker *w, pl_node *node) {
  for (uint32_t i = 0; i < node->nkids && !w->out->claim; i++)
    if (node->kids[i])
      pl_do_statement(w, node->kids[i]);
}

void pl_do_statement(pl_walker *w, pl_node *node) {
  if (w->out->claim || node->kind == PL_NODE_EMPTY)
    return;
  if (pl_try_barriers(w, node) || pl_try_roles(w, node) || pl_declares_stages(w->out, node))
    return;
  if (pl_is_barrier(node)) {
    if (w->role && (w->role == PL_LOADS || w->moment.section < 2))
      pl_emitted_fail(w->out, 'd', node, "threads that load, or have, do not come to it");
    pl_do_barrier(w);
    return;
  }
  if (pl_try_item(w, node) || pl_try_init(w, node) || pl_try_search(w, node) ||
      pl_try_step_of_test(w, node) || try_group_call(w, node) ||
      try_assignment(w, node))
    return;
  pl_node *lambda = pl_local_function(w->out->unit, node);
  if (lambda && pl_range_inside(lambda->range, w->out->region)) {
    pl_call_local(w, node, lambda);
    return;
  }
  switch (node->kind) {
  case PL_NODE_COMPOUND: do_compound(w, node); return;
  case PL_NODE_DECL_STMT: pl_do_declarations(w, node, 0); return;
  case PL_NODE_IF: do_branch(w, node); return;
  case PL_NODE_OTHER_DECL: return;
  case PL_NODE_BINARY:
    if (node->op == PL_OP_COMMA) {
      do_compound(w, node);
      return;
    }
    break;
  case PL_NODE_FOR:
  case PL_NODE_WHILE:
  case PL_NODE_DO: do_loop(w, node); return;
  case PL_NODE_BREAK:
  case PL_NODE_CONTINUE:
  case PL_NODE_RETURN:
  case PL_NODE_GOTO:
    pl_emitted_fail(w->out, '?', node, "a jump is not known");
    return;
  default: break;
  }
  pl_do_part_of_load(w, node);
}

/* ---- begin and end ------------------------------------------------------------------ */

/* Variables of the source that the text has under their names. */
static bool find_outer(pl_node *node, void *context) {
  pl_walker *w = context;
  const pl_source_loop *l = w->source;
  if (node->kind != PL_NODE_REF || !node->decl ||
      !pl_range_inside(node->range, w->out->region) ||
      (node->decl->kind != PL_DECL_VAR && node->decl->kind != PL_DECL_PARAM) ||
      pl_range_inside(node->decl->name_range, w->out->region) ||
      pl_entry_of(w, node->decl))
    return true;
  for (size_t i = 0; i < l->nvars; i++) {
    if ((l->vars[i].is_temporary && !l->vars[i].is_refreshed) ||
        l->vars[i].is_scratch || !pl_str_eq(l->vars[i].decl->name, node->decl->name))
      continue;
    pl_value value = {.kind = l->vars[i].is_set_by_header ? PL_VALUE_UNSET
                              : l->vars[i].is_refreshed   ? PL_VALUE_UNKNOWN
                                                          : PL_VALUE_CLOCK,
                      .of = i, .n = pl_number_in(w, 0)};
    pl_set_entry(w, node->decl, value);
  }
  return true;
}

static pl_entry *outer_entry(pl_walker *w, size_t var) {
  for (size_t i = 0; i < w->env.n; i++) {
    const pl_entry *e = &w->env.items[i];
    if (e->decl && pl_str_eq(e->decl->name, w->source->vars[var].decl->name) &&
        !pl_range_inside(e->decl->name_range, w->out->region))
      return &w->env.items[i];
  }
  return NULL;
}

typedef struct named_walk {
  pl_str name;
  pl_range region;
  const pl_decl *found;
  bool several;
} named_walk;

static bool find_named(pl_node *node, void *context) {
  named_walk *n = context;
  const pl_decl *decl = node->kind == PL_NODE_REF ? node->decl : NULL;
  bool is = decl && (decl->kind == PL_DECL_VAR || decl->kind == PL_DECL_PARAM) &&
            pl_str_eq(decl->name, n->name) && !pl_range_inside(decl->name_range, n->region);
  n->several |= is && n->found && n->found != decl;
  n->found = is ? decl : n->found;
  return true;
}

/* ... and those that it names in lambdas ahead of the loop alone. */
static void find_hidden(pl_walker *w) {
  const pl_source_loop *l = w->source;
  for (size_t i = 0; i < l->nvars; i++) {
    named_walk walk = {.name = l->vars[i].decl->name, .region = w->out->region};
    if (l->vars[i].is_temporary || l->vars[i].is_scratch || l->vars[i].is_set_by_header ||
        outer_entry(w, i))
      continue;
    pl_node_walk(w->out->func->body, find_named, &walk);
    if (walk.found && !walk.several)
      pl_set_entry(w, walk.found, (pl_value){.kind = PL_VALUE_CLOCK, .of = i,
                                             .n = pl_number_in(w, 0)});
  }
}

/* `int stage = 0;`, that stands above the loop's text for what is behind it. */
static const pl_node *number_above(pl_walker *w, const pl_node *region) {
  const pl_node *up = region->parent, *found = NULL;
  for (uint32_t i = 0; up && i < up->nkids && up->kids[i] != region; i++) {
    const pl_node *kid = up->kids[i];
    bool above = kid && !pl_range_inside(kid->range, w->out->region);
    found = above && kid->kind == PL_NODE_DECL_STMT && kid->nkids == 1 ? kid : NULL;
  }
  const pl_decl *decl = found ? found->kids[0]->decl : NULL;
  bool own = decl && !decl->is_static && !decl->is_shared && decl->init &&
             decl->init->has_ival;
  for (size_t i = 0; own && i < w->source->nvars; i++)
    own = !pl_str_eq(w->source->vars[i].decl->name, decl->name);
  return own ? found : NULL;
}

static void declare_above(pl_walker *w, const pl_node *region) {
  const pl_node *found = number_above(w, region);
  if (found)
    pl_set_entry(w, found->kids[0]->decl,
                 (pl_value){.kind = PL_VALUE_NUMBER,
                            .n = pl_number_in(w, found->kids[0]->decl->init->ival)});
}

/* Another pipelined loop's text, which reads of its stages what it has written there. */
static bool is_in_another(const pl_walker *w, const pl_node *node) {
  for (size_t i = 0; i < w->out->nall; i++)
    if (node->range.end && pl_range_inside(node->range, w->out->all[i]))
      return true;
  return false;
}

static void use_slot(pl_walker *w, bool *used, const pl_iform **known, const pl_iform *slot) {
  *known = *used && (!*known || !slot || !pl_holds(w, *known, PL_OP_EQ, slot)) ? NULL : slot;
  *used = true;
}

/* Whether a name ahead of the region may find what that has left, the time before: it stands
 * in a loop around it, and is not that of a cell that is set. */
static bool comes_behind(const pl_walker *w, const pl_node *name) {
  const pl_node *at = name;
  while (at->parent && (at->parent->kind == PL_NODE_PAREN ||
                        (at->parent->kind == PL_NODE_SUBSCRIPT && at->parent->kids[0] == at)))
    at = at->parent;
  if (at->parent && at->parent->kind == PL_NODE_ASSIGN && at->parent->op == PL_OP_ASSIGN &&
      at->parent->kids[0] == at)
    return false;
  while (at && !(pl_node_is_loop(at) && pl_range_inside(w->out->region, at->range)))
    at = at->parent;
  return at != NULL;
}

/* The slots that the text around the loop names. */
static bool find_slot_around(pl_node *node, void *context) {
  pl_walker *w = context;
  if (is_in_another(w, node) || (node->range.end && pl_range_inside(node->range, w->out->region)) ||
      (pl_node_is_statement(node) && pl_declares_stages(w->out, node)))
    return false;
  size_t i = node->kind == PL_NODE_REF && node->decl ? pl_object_after(w, node->decl)
                                                     : w->source->nobjects;
  if (i == w->source->nobjects)
    return true;
  pl_cell_object *o = &w->source->objects[i];
  bool ahead = node->range.begin < w->out->region.begin;
  pl_node *index = pl_stage_index(node);
  const pl_iform *slot = o->is_dynamic && node->decl == o->after
                             ? pl_number_in(w, 0)
                         : !index ? NULL
                         : !ahead ? pl_eval_form(w, index)
                         : index->has_ival ? pl_number_in(w, index->ival) : NULL;
  if (ahead)
    use_slot(w, &o->is_used_ahead, &o->slot_ahead, slot);
  if (!ahead || comes_behind(w, node))
    use_slot(w, &o->is_used_behind, &o->slot_behind, slot);
  return true;
}

/* What is read behind the loop has to be what the source's loop leaves. */
static void check_end(pl_walker *w) {
  const pl_source_loop *l = w->source;
  pl_check_account(w);
  for (size_t i = 0; i < l->nvars; i++) {
    const pl_clocked *var = &l->vars[i];
    bool dead = var->is_temporary || var->is_scratch || !var->writers ||
                (var->decl->node && pl_node_within(var->decl->node, l->node)) ||
                pl_is_live_behind(var->decl, l->node) == PL_NO;
    if (dead)
      continue;
    const pl_entry *e = outer_entry(w, i);
    const pl_iform *due = pl_iform_scale(pl_iform_name(w->ints, "T"), var->writers);
    for (size_t k = 0; k < l->nitems; k++) {
      const pl_clock_use *use = pl_item_use(&l->items[k], i);
      if (use && use->writes)
        due = pl_iform_add(due, pl_number_in(w, pl_runs_beyond(l, k)));
    }
    if (!e || e->value.kind != PL_VALUE_CLOCK || e->value.of != i ||
        !pl_holds(w, e->value.n, PL_OP_EQ, due))
      pl_emitted_fail(w->out, 'b', l->node,
                      "behind the loop '%.*s' is not what it was",
                      PL_FMT(var->decl->name));
  }
}

static bool find_region(pl_node *node, void *context) {
  pl_walker *w = context;
  const pl_node *up = node->parent;
  bool top = pl_range_inside(node->range, w->out->region) && up &&
             !pl_range_inside(up->range, w->out->region);
  if (!top)
    return !pl_range_inside(node->range, w->out->region);
  if (up->kind == PL_NODE_COMPOUND)
    declare_above(w, node);
  if (up->kind == PL_NODE_COMPOUND || up->kind == PL_NODE_IF ||
      pl_node_is_loop(up))
    pl_do_statement(w, node);
  else
    pl_emitted_fail(w->out, '?', node, "where the loop is in the text is not known");
  return false;
}

void pl_walk_emitted(pl_emitted *out) {
  pl_walker w = {.out = out, .source = out->source, .arena = out->source->arena,
                 .ints = out->integers,
                 .last = out->source->nitems ? out->source->nitems - 1 : 0};
  w.where = pl_iset_compare(pl_iform_name(w.ints, "T"), PL_OP_GE,
                            pl_number_in(&w, out->source->has_first));
  if (out->source->has_vote)
    w.where = pl_iset_and(w.where, pl_iset_compare(pl_iform_name(w.ints, "N"), PL_OP_GE,
                                                   pl_iform_name(w.ints, "T")));
  for (size_t i = 0; i < PL_COUNTERS + out->source->nitems; i++)
    pl_counter_of(&w, i);
  pl_adopt_tiles(&(pl_callee){(pl_unit *)out->unit, (pl_func *)out->func, out->effects});
  pl_node_walk(out->func->body, find_outer, &w);
  find_hidden(&w);
  pl_node_walk(out->func->body, find_region, &w);
  if (!w.had_loop)
    pl_emitted_fail(out, '?', out->func->body, "no main loop is found");
  if (!out->claim)
    check_end(&w);
  pl_node_walk(out->func->body, find_slot_around, &w);
  out->barriers = pl_counter_of(&w, PL_BARRIERS)->value.n;
}
