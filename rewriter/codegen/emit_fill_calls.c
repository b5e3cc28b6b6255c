/* emit_fill_calls.c - calls of load helpers.
 *
 * Needs: the helpers' bodies. Gives: the call of a helper's clone with the
 * arguments that it takes, and the list of the clones that emit_clone.c has to
 * write. Raises nothing. */
#include "emit_fill.h"

static bool is_operator(const pl_func *func) {
  return pl_str_is(func->name, "operator()");
}

/* Whether a parameter may have to tell a function template an argument that no
 * parameter in use tells. */
static bool tells_template_argument(const pl_emitter *e, const pl_func *func,
                                    const pl_decl *param) {
  for (uint32_t k = 0; func->is_template && k < func->ntemplate_params; k++) {
    pl_str name = func->template_params[k]->name;
    bool told = !pl_unit_says(e->unit, param->range, name);
    for (uint32_t i = 0; !told && i < func->nparams; i++)
      told = pl_is_wanted(e, func->params[i]) &&
             pl_unit_says(e->unit, func->params[i]->range, name);
    if (!told)
      return true;
  }
  return false;
}

/* Whether another function of the name is told apart by its parameters. */
static bool is_overloaded(const pl_emitter *e, const pl_func *func) {
  for (uint32_t i = 0; i < e->unit->nfuncs; i++)
    if (pl_written_func(e->unit->funcs[i]) != pl_written_func(func) &&
        pl_str_eq(e->unit->funcs[i]->qualified, func->qualified))
      return true;
  return false;
}

/* The parameters that a mode's text does not need. */
bool *pl_unused_parameters(pl_emitter *e, const pl_fill_call *call,
                           pl_fill_mode mode) {
  const pl_func *func = call->body->func;
  bool *drops = PL_NEW_ARRAY(e->arena, bool, func->nparams + 1);
  if (is_overloaded(e, func))
    return drops;
  pl_emitter inner = *e;
  inner.loop = call->body;
  inner.wanted = NULL;
  inner.nwanted = inner.wanted_cap = 0;
  pl_find_wanted(&inner, mode);
  for (uint32_t i = 0; i < func->nparams; i++)
    drops[i] = func->params[i]->range.end && !func->params[i]->from_macro &&
               !pl_is_wanted(&inner, func->params[i]) &&
               !tells_template_argument(&inner, func, func->params[i]);
  return drops;
}

/* Whether a fill holds nothing in registers between load and store. */
static bool holds_nothing(pl_emitter *e, pl_loop *body) {
  pl_emitter inner = *e;
  const pl_fill *fill = &body->fill;
  inner.loop = body;
  if (fill->nstaged || fill->nrestarted || fill->nread)
    return false;
  for (size_t i = 0; i < fill->ncopies; i++)
    if (fill->copies[i].staging != PL_STAGE_NOTHING ||
        pl_is_staged_value(&inner, &fill->copies[i]))
      return false;
  for (size_t i = 0; i < fill->ncalls; i++)
    if (!pl_only_stores(&inner, &fill->calls[i]))
      return false;
  return true;
}

/* Whether a node reads, and writes to nothing but tiles and locals of a helper's
 * own; `body` NULL: to nothing at all. */
static bool changes_only_tiles(const pl_emitter *e, const pl_loop *body,
                               const pl_func *func, pl_node *node) {
  pl_effects effects = {0};
  bool named = body && body->members;
  if (named)
    pl_push_members(e->loop->effects, body->members);
  pl_effects_of(e->loop->effects, func, node, &effects);
  if (named)
    pl_pop_members(e->loop->effects);
  for (size_t i = 0; i < effects.n; i++) {
    const pl_effect *effect = &effects.items[i];
    const pl_decl *decl = effect->root.member.n ? NULL : effect->root.decl;
    bool own = body && decl && decl->kind == PL_DECL_VAR && decl->owner == func &&
               effect->space == PL_SPACE_LOCAL && !decl->is_static;
    bool tile = body && decl && !effect->direct && pl_loop_tile(body, decl);
    if (effect->kind != PL_EFFECT_READ &&
        !(effect->kind == PL_EFFECT_WRITE && (own || tile)))
      return false;
  }
  return true;
}

bool pl_only_stores(const pl_emitter *e, const pl_fill_call *call) {
  pl_emitter asked = *e;
  pl_loop *body = call->body;
  const pl_func *func = body->func;
  if (func->outer || body->on_tile || !holds_nothing(&asked, body) ||
      !changes_only_tiles(e, body, func, func->body))
    return false;
  for (uint32_t i = 1; i < call->node->nkids; i++)
    if (!changes_only_tiles(e, NULL, e->loop->func, call->node->kids[i]))
      return false;
  const bool *drops = pl_unused_parameters(&asked, call, PL_FILL_STORE);
  for (uint32_t i = 0; i < func->nparams; i++)
    if (drops[i])
      return false;
  return true;
}

/* ---- clones -------------------------------------------------------------- */

/* The clones of a load helper, NULL: none are needed so far. */
static struct pl_clone *known_clone(pl_emitter *e, const pl_func *func) {
  for (size_t i = 0; i < e->nclones; i++)
    if (e->clones[i].func == func)
      return &e->clones[i];
  return NULL;
}

/* Functions of one name have clones of one name: they are told apart as the
 * functions are. */
static void name_clone(pl_emitter *e, struct pl_clone *clone) {
  const pl_func *func = clone->func;
  bool nameless = is_operator(func) || pl_str_is(func->name, "fetch");
  pl_str base = nameless ? PL_STR("load") : func->name;
  for (size_t i = 0; i < e->nclones && !clone->registers_name.n; i++)
    if (pl_written_func(e->clones[i].func) == pl_written_func(func))
      clone->registers_name = e->clones[i].registers_name;
  if (!clone->registers_name.n)
    clone->registers_name = pl_emit_name(e, "%.*s_registers", base);
  for (size_t i = 0; i < e->nclones; i++) {
    if (!pl_str_eq(e->clones[i].func->name, func->name))
      continue;
    clone->fetch_name = e->clones[i].fetch_name;
    clone->store_name = e->clones[i].store_name;
    clone->async_name = e->clones[i].async_name;
    return;
  }
  clone->fetch_name = pl_emit_name(e, "%.*s_fetch", base);
  clone->store_name = pl_emit_name(e, "%.*s_store", base);
  clone->async_name = pl_emit_name(e, "%.*s_async", base);
}

/* The tile loop that is printed, or whose helper is. */
static pl_loop *loop_of(const pl_emitter *e) {
  pl_loop *loop = e->loop;
  while (loop->caller)
    loop = loop->caller;
  return loop;
}

/* The clones of a load helper, and of those that it calls: what these load has
 * a type with a name, as a part of what it loads itself. */
static void need_clone(pl_emitter *e, const pl_fill_call *call, bool async,
                   bool named) {
  if (!known_clone(e, call->body->func)) {
    struct pl_clone fresh = {.func = call->body->func, .body = call->body};
    name_clone(e, &fresh);
    fresh.fetch_drops = pl_unused_parameters(e, call, PL_FILL_FETCH);
    fresh.store_drops = pl_unused_parameters(e, call, PL_FILL_STORE);
    PL_PUSH(e->arena, e->clones, e->nclones, e->clones_cap, fresh);
  }
  struct pl_clone *clone = known_clone(e, call->body->func);
  if (async && clone->async && clone->form->words != e->form->words)
    loop_of(e)->clash = call->body->func->name;
  clone->form = async ? e->form : clone->form;
  clone->async = clone->async || async;
  clone->staged = clone->staged || !async;
  clone->named = clone->named || named;
  pl_emitter inner = *e;
  inner.loop = call->body;
  for (size_t i = 0; i < call->body->fill.ncalls; i++)
    if (async || !pl_only_stores(&inner, &call->body->fill.calls[i]))
      need_clone(e, &call->body->fill.calls[i], async, true);
}

/* ---- the callee ---------------------------------------------------------- */

/* The token that opens a call's arguments: it matches the last one. */
static uint32_t arguments_open(const pl_emitter *e, const pl_node *call) {
  int depth = 0;
  pl_run run = pl_tokens_in(e->unit, call->range);
  for (uint32_t i = run.end; i-- > run.first;) {
    depth += pl_token_is(e->unit, i, ")") ? 1 : pl_token_is(e->unit, i, "(") ? -1 : 0;
    if (depth == 0 && pl_token_is(e->unit, i, "("))
      return i;
  }
  return 0;
}

/* The first of the template arguments that end before token `i`, `i` itself
 * where there are none. */
static uint32_t before_template_arguments(const pl_emitter *e, uint32_t i) {
  int angles = 0, parens = 0;
  for (uint32_t k = i; k-- > 0;) {
    parens += pl_token_is(e->unit, k, ")") ? 1 : pl_token_is(e->unit, k, "(") ? -1 : 0;
    if (parens)
      continue;
    angles += pl_token_is(e->unit, k, ">") ? 1 : pl_token_is(e->unit, k, ">>") ? 2 : 0;
    angles -= pl_token_is(e->unit, k, "<") ? 1 : 0;
    if (angles <= 0)
      return angles == 0 && pl_token_is(e->unit, k, "<") ? k : i;
  }
  return i;
}

/* The callee's own name in a call, `ns::|load|<8>(...)`; empty, and where the
 * arguments begin, for an object that is called itself. */
static pl_range callee_name(const pl_emitter *e, const pl_node *call,
                            const pl_func *func) {
  uint32_t open = arguments_open(e, call);
  uint32_t at = e->unit->tokens[open].range.begin;
  if (is_operator(func))
    return (pl_range){at, at};
  return e->unit->tokens[before_template_arguments(e, open) - 1].range;
}

/* Whether `using SCOPE::NAME;` brings a name into sight: its clones are not. */
static bool is_brought_by_using(const pl_emitter *e, pl_str name) {
  const pl_unit *unit = e->unit;
  bool using = false;
  for (uint32_t i = 0; i + 1 < unit->ntokens; i++) {
    if (pl_token_is(unit, i, ";") || pl_token_is(unit, i, "{") ||
        pl_token_is(unit, i, "="))
      using = false;
    using = using || pl_token_is(unit, i, "using");
    if (using && i && pl_token_is(unit, i - 1, "::") &&
        pl_token_is(unit, i + 1, ";") &&
        pl_str_eq(pl_unit_slice(unit, unit->tokens[i].range), name))
      return true;
  }
  return false;
}

/* Whether a call names another thing that leads to the function: a constant pointer, or
 * a parameter of the template. */
static bool is_by_pointer(const pl_emitter *e, pl_range name, const pl_func *func) {
  return !is_operator(func) && name.end && !pl_str_eq(pl_unit_slice(e->unit, name), func->name);
}

/* What goes in front of a clone's name: the dot of a call of an object itself,
 * the scope of a name that a using-declaration or a pointer shortens. */
static pl_str callee_scope(pl_emitter *e, const pl_node *call, pl_range name,
                           const pl_func *func) {
  if (is_operator(func))
    return PL_STR(".");
  if (is_by_pointer(e, name, func))
    return (pl_str){func->qualified.p, func->qualified.n - func->name.n};
  if (name.begin != call->range.begin ||
      func->qualified.n <= func->name.n || !is_brought_by_using(e, func->name))
    return PL_STR("");
  return (pl_str){func->qualified.p, func->qualified.n - func->name.n};
}

/* ---- the call ------------------------------------------------------------ */

typedef struct place_walk {
  pl_emitter *e;
  pl_text *out;
  uint32_t at;
  bool ahead; /* the text stands in front of what the loop's body declares */
} place_walk;

/* What stands for a name in a call's text: some stage of a tile; of what is
 * not there yet, a zero of its type. Empty: the name. */
static pl_str stand_in(const place_walk *w, const pl_decl *decl) {
  pl_emitter *e = w->e;
  if (pl_loop_tile(e->loop, decl))
    return pl_emit_tile_place(e, decl);
  if (!w->ahead || !pl_declared_inside(decl, e->loop->body))
    return PL_STR("");
  pl_str type = pl_plain_type(e, decl->type);
  return pl_str_is(type, "int")
             ? PL_STR("0")
             : pl_arena_printf(e->arena, "(%.*s)0", PL_FMT(type));
}

/* Copies a call's text up to each name that another stands for, and puts that. */
static bool name_stage(pl_node *node, void *context) {
  place_walk *w = context;
  if (node->kind != PL_NODE_REF || !node->decl || node->range.begin < w->at)
    return true;
  pl_str other = stand_in(w, node->decl);
  if (!other.n)
    return true;
  pl_text_add(w->out, pl_between(w->e, w->at, node->range.begin));
  pl_text_add(w->out, other);
  w->at = node->range.end;
  return true;
}

/* What the registers of a call are called after: the first tile it fills, or
 * the member of it. */
pl_str pl_filled_name(const pl_emitter *e, const pl_fill_call *call) {
  if (call->body->on_tile)
    return pl_node_bare(pl_node_bare(call->node->kids[0])->kids[0])->name;
  for (size_t i = 0; i < call->body->ntiles; i++)
    if (call->body->tiles[i].stands_for)
      return call->body->tiles[i].stands_for->name;
  for (size_t i = 0; i < e->loop->ntiles; i++) {
    const pl_decl *tile = e->loop->tiles[i].decl;
    for (uint32_t k = 1; k < call->node->nkids; k++)
      if (pl_mentions(call->node->kids[k], tile))
        return pl_part_name(e, call->node->kids[k], tile);
  }
  return call->body->func->name;
}

/* What holds a call's registers, of the current round of the loops around. */
static pl_str call_registers(pl_emitter *e, const pl_fill_call *call) {
  pl_str name = pl_register_name(e, call->node, pl_filled_name(e, call));
  return pl_arena_printf(e->arena, "%s%.*s%.*s", e->register_prefix,
                         PL_FMT(name),
                         PL_FMT(pl_brackets(e, call->node, false)));
}

static pl_str argument_text(pl_emitter *e, pl_node *arg, pl_fill_mode mode,
                            bool ahead) {
  pl_text out = {.arena = e->arena};
  place_walk w = {e, &out, arg->range.begin, ahead};
  if (mode == PL_FILL_FETCH)
    pl_node_walk(arg, name_stage, &w);
  pl_text_add(&out, pl_between(e, w.at, arg->range.end));
  return pl_trimmed(pl_text_view(&out));
}

/* What a clone takes besides: the registers, or what asynchronous copies name;
 * empty: nothing. */
static pl_str extra_argument(pl_emitter *e, const pl_fill_call *call,
                             pl_fill_mode mode) {
  return mode == PL_FILL_STORE   ? call_registers(e, call)
         : mode == PL_FILL_ASYNC && e->form->words->parameter ? e->pipe
                                 : PL_STR("");
}

/* The arguments that a clone takes, with what it takes besides behind the last or
 * before the first that has a default value. */
static pl_str arguments_text(pl_emitter *e, const pl_fill_call *call,
                             const bool *drops, pl_fill_mode mode,
                             bool ahead) {
  pl_text out = {.arena = e->arena};
  const pl_node *node = call->node;
  uint32_t required = pl_required_params(e->unit, call->body->func);
  pl_str extra = extra_argument(e, call, mode);
  for (uint32_t i = 0; i < node->nkids; i++) {
    if (extra.n && i == required)
      pl_text_printf(&out, "%s%.*s", out.n ? ", " : "", PL_FMT(extra));
    if (i + 1 == node->nkids || (drops && drops[i]))
      continue;
    pl_text_printf(&out, "%s%.*s", out.n ? ", " : "",
                   PL_FMT(argument_text(e, node->kids[i + 1], mode, ahead)));
  }
  return pl_text_view(&out);
}

static bool drops_any(const bool *drops, const pl_func *func) {
  for (uint32_t i = 0; drops && i < func->nparams; i++)
    if (drops[i])
      return true;
  return false;
}

static bool is_template_parameter(const pl_func *func, pl_str name) {
  for (uint32_t k = 0; func->pattern && k < func->pattern->ntemplate_params; k++)
    if (pl_str_eq(func->pattern->template_params[k]->name, name))
      return true;
  return false;
}

/* The template's arguments of a helper whose call does not say them, `<64, 8>`: it is
 * called by way of a parameter of the loop's template, which the text asks for, or by a
 * pointer. What a pointer leads to hangs on the arguments of a template around the call. */
static pl_str hidden_arguments(pl_emitter *e, pl_range name, const pl_func *func) {
  const pl_instance *own = pl_own_instance(func);
  if (!own || !is_by_pointer(e, name, func))
    return PL_STR("");
  if (pl_own_instance(e->loop->func) &&
      !is_template_parameter(e->loop->func, pl_unit_slice(e->unit, name)))
    loop_of(e)->clash = func->name;
  return pl_arena_printf(e->arena, "<%.*s>", PL_FMT(own->spelling));
}

/* The call of a clone, in the place of the helper's or ahead of it. */
static pl_str clone_call(pl_emitter *e, const pl_fill_call *call,
                         pl_fill_mode mode, bool ahead) {
  pl_node *node = call->node;
  const pl_func *func = call->body->func;
  const struct pl_clone *clone = known_clone(e, func);
  pl_range name = callee_name(e, node, func);
  uint32_t open = e->unit->tokens[arguments_open(e, node)].range.end;
  const bool *drops = mode == PL_FILL_FETCH   ? clone->fetch_drops
                      : mode == PL_FILL_STORE ? clone->store_drops
                                              : NULL;
  pl_text out = {.arena = e->arena};
  pl_text_add(&out, pl_between(e, node->range.begin, name.begin));
  pl_text_add(&out, callee_scope(e, node, name, func));
  pl_text_add(&out, mode == PL_FILL_FETCH   ? clone->fetch_name
                    : mode == PL_FILL_STORE ? clone->store_name
                                            : clone->async_name);
  pl_text_add(&out, hidden_arguments(e, name, func));
  pl_text_add(&out, pl_between(e, name.end, open));
  if (extra_argument(e, call, mode).n || drops_any(drops, func)) {
    pl_text_printf(&out, "%.*s)",
                   PL_FMT(arguments_text(e, call, drops, mode, ahead)));
    return pl_text_view(&out);
  }
  place_walk w = {e, &out, open, ahead};
  if (mode == PL_FILL_FETCH)
    pl_node_walk(node, name_stage, &w);
  pl_text_add(&out, pl_between(e, w.at, node->range.end));
  return pl_trimmed(pl_text_view(&out));
}

/* The type of what a call loads, where that is declared ahead of the call: its own
 * name, or what the fetch gives. */
pl_str pl_registers_type(pl_emitter *e, const pl_fill_call *call) {
  const pl_func *func = call->body->func;
  bool named = pl_has_named_registers(func);
  need_clone(e, call, false, named);
  if (named)
    return known_clone(e, func)->registers_name;
  return pl_arena_printf(e->arena, "decltype(%.*s)",
                         PL_FMT(clone_call(e, call, PL_FILL_FETCH, true)));
}

void pl_render_call(pl_emitter *e, pl_node *node, int level,
                    pl_fill_mode mode) {
  const pl_fill_call *call = pl_fill_call_at(&e->loop->fill, node);
  bool plain = mode == PL_FILL_ASYNC ? e->loop->mixed && !call->early
                                     : !call->early && pl_only_stores(e, call);
  if (plain && pl_fetches(mode))
    return;
  if (plain) {
    pl_emit_with_comment(e, level, node);
    return;
  }
  mode = pl_mode_of(mode, call->early);
  need_clone(e, call, mode == PL_FILL_ASYNC, false);
  pl_text out = {.arena = e->arena};
  if (mode == PL_FILL_FETCH)
    pl_text_printf(&out, "%s%.*s = ", pl_is_at_top(e, node) ? "auto " : "",
                   PL_FMT(call_registers(e, call)));
  pl_text_add(&out, clone_call(e, call, mode, false));
  pl_text_add(&out, PL_STR(";"));
  if (mode != PL_FILL_STORE)
    pl_text_add(&out, pl_trailing_comment(e, node));
  pl_emit_statement(e, level, pl_text_view(&out), node);
}
