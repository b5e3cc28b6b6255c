/* load_helpers.c - a call that fills tiles: can its function be split?
 *
 * Needs: the call, and copies.c for the function's own text. Gives: that text
 * as a fill of its own whose tiles are the parameters, and what it says of
 * them. Raises: PL4006, or what the function's text raises. */
#include "cfg.h"
#include "copies.h"
#include "slices.h"

bool pl_has_named_registers(const pl_func *func) {
  return !func->is_template && !func->is_method && !func->outer &&
         !func->ntemplate_params;
}

/* A lambda fills the tiles under their own names, or others from outside. */
static void bind_named_tiles(pl_loop *loop, pl_loop *body) {
  pl_effects effects = {0};
  pl_effects_of(loop->effects, body->func, body->body, &effects);
  for (size_t i = 0; i < loop->ntiles; i++) {
    bool filled = false;
    for (size_t j = 0; j < effects.n; j++)
      filled = filled || effects.items[j].root.decl == loop->tiles[i].decl;
    if (filled)
      PL_PUSH(loop->arena, body->tiles, body->ntiles, body->tiles_cap,
              loop->tiles[i]);
  }
}

/* Whether a method is called on a tile, whose members it fills. */
static pl_tile *called_on_tile(pl_loop *loop, const pl_node *call) {
  pl_node *member = call->nkids ? pl_node_bare(call->kids[0]) : NULL;
  pl_node *object = member && member->kind == PL_NODE_MEMBER &&
                            !member->is_arrow && member->nkids
                        ? pl_node_bare(member->kids[0])
                        : NULL;
  return object && object->kind == PL_NODE_REF && object->decl
             ? pl_loop_tile(loop, object->decl)
             : NULL;
}

static void bind_object(pl_loop *loop, pl_loop *body) {
  pl_tile tile = *called_on_tile(loop, body->call);
  tile.decl = pl_shared_this();
  PL_PUSH(loop->arena, body->tiles, body->ntiles, body->tiles_cap, tile);
}

/* The parameters that a call hands tiles to become the helper's tiles, and so do
 * the members of a method's object that lead to them. */
static bool bind_tiles(pl_loop *loop, pl_loop *body) {
  if (body->on_tile)
    bind_object(loop, body);
  bool own = body->on_local && pl_is_called_on_this(body->call);
  if (own)
    pl_bind_own_members(loop, body);
  else if (body->on_local && !pl_bind_members(loop, body))
    return false;
  if (body->func->outer)
    bind_named_tiles(loop, body);
  for (uint32_t i = 0; i < body->func->nparams; i++) {
    pl_node *arg = i + 1 < body->call->nkids ? body->call->kids[i + 1] : NULL;
    pl_roots roots = {0};
    if (arg && arg->type)
      pl_roots_of(loop->effects, loop->func, arg, &roots);
    for (size_t j = 0; j < roots.n; j++) {
      pl_tile *tile = pl_loop_tile(loop, roots.items[j].decl);
      if (!tile)
        continue;
      if (roots.n > 1 || pl_stands_for(body, tile->decl))
        return false;
      pl_tile param = *tile;
      param.decl = body->func->params[i];
      PL_PUSH(loop->arena, body->tiles, body->ntiles, body->tiles_cap, param);
    }
  }
  return body->ntiles > 0;
}

void pl_enter_helper(const pl_loop *body) {
  for (size_t i = 0; i < body->ntiles; i++)
    if (pl_param_index(body->func, body->tiles[i].decl) >= 0 || body->tiles[i].stands_for)
      body->tiles[i].decl->points_to_shared = true;
  if (body->members)
    pl_push_members(body->effects, body->members);
  body->func->local_object = body->on_local;
  body->func->shared_object = body->on_tile;
}

void pl_leave_helper(const pl_loop *body) {
  for (size_t i = 0; i < body->ntiles; i++)
    if (pl_param_index(body->func, body->tiles[i].decl) >= 0 || body->tiles[i].stands_for)
      body->tiles[i].decl->points_to_shared = false;
  if (body->members)
    pl_pop_members(body->effects);
  body->func->local_object = false;
  body->func->shared_object = false;
}

static pl_loop *helper_body(pl_loop *loop, pl_node *call, pl_func *func) {
  pl_loop *body = PL_NEW(loop->arena, pl_loop);
  body->unit = loop->unit;
  body->func = func;
  body->effects = loop->effects;
  body->arena = loop->arena;
  body->options = loop->options;
  body->block = PL_NEW(loop->arena, pl_block);
  body->fill.func = func;
  body->fill.of_helper = true;
  body->node = body->body = body->func->body;
  body->caller = loop;
  body->call = call;
  body->stmts = PL_NEW(loop->arena, pl_stmt);
  body->nstmts = 1;
  body->stmts->node = body->body;
  body->stmts->chunk = body->body->range;
  body->stmts->in_load = body->stmts->fills = true;
  return body;
}

static bool returns_nothing(const pl_func *func) {
  const pl_type *type = func->decl ? func->decl->type : NULL;
  return !type || type->kind != PL_TYPE_FUNCTION ||
         pl_str_starts(type->spelling, "void");
}

/* Whether a method is defined inside its class, so that its split forms can
 * stand beside it. */
static bool is_defined_inside(const pl_loop *loop, const pl_func *func,
                              bool *is_static) {
  const pl_unit *unit = loop->unit;
  uint32_t name = func->decl->name_range.begin, end = pl_token_from(unit, name);
  for (uint32_t i = pl_token_from(unit, func->range.begin); i < end; i++) {
    *is_static = *is_static || pl_token_is(unit, i, "static");
    if (pl_token_is(unit, i, "::") && unit->tokens[i].range.end == name)
      return false;
  }
  return true;
}

/* Whether a method is called on a variable of the caller's own, or on a part of
 * one, so that its members are the thread's. */
static bool is_called_on_local(const pl_node *call) {
  const pl_node *member = call->kids[0] ? pl_node_bare(call->kids[0]) : NULL;
  if (!member || member->kind != PL_NODE_MEMBER || member->is_arrow ||
      !member->nkids || !member->kids[0])
    return false;
  const pl_decl *decl = pl_object_variable(member->kids[0]);
  return decl && decl->owner && !decl->is_shared && !decl->is_static &&
         (decl->kind == PL_DECL_VAR || decl->kind == PL_DECL_PARAM) &&
         decl->type && decl->type->kind != PL_TYPE_REFERENCE &&
         decl->type->kind != PL_TYPE_POINTER;
}

/* Whether a method is called on the object whose method holds the loop, and which is
 * the thread's own wherever that is called. */
static bool is_called_on_own(const pl_loop *loop, const pl_node *call) {
  return !loop->caller && loop->func->is_method && pl_is_called_on_this(call) &&
         pl_calls_are_seen(loop->func) &&
         pl_of_space_in_callers(loop->effects, loop->func, pl_root_of_this(),
                                PL_SPACE_LOCAL);
}

/* Why a method's call stays one statement, NULL: it can be split. One that stands
 * above it, in a class, could not yet know what the fetch returns. */
static const char *why_method(pl_loop *loop, const pl_func *func,
                              const pl_node *call, bool *is_static) {
  if (!is_defined_inside(loop, func, is_static))
    return "a method has to be defined in its class";
  if (func->decl->is_virtual)
    return "the method is virtual";
  if (loop->func->is_method && func->range.end > loop->func->range.begin)
    return "the method is defined below the one that has the loop";
  bool known = *is_static || is_called_on_local(call) || is_called_on_own(loop, call) ||
               (!loop->caller && called_on_tile(loop, call));
  return known ? NULL
               : "a method has to be static, or called on a tile, a local "
                 "object or a member of one, by that one's own name";
}

/* The parameters before the first one that has a default value. */
uint32_t pl_required_params(const pl_unit *unit, const pl_func *func) {
  for (uint32_t i = 0; i < func->nparams; i++) {
    pl_run run = pl_tokens_in(unit, func->params[i]->range);
    for (uint32_t k = run.first; k < run.end; k++)
      if (pl_token_is(unit, k, "="))
        return i;
  }
  return func->nparams;
}

static bool has_parameter_pack(const pl_unit *unit, const pl_func *func) {
  pl_run run = pl_tokens_in(
      unit, (pl_range){func->range.begin, func->body->range.begin});
  for (uint32_t i = run.first; i < run.end; i++)
    if (pl_token_is(unit, i, "..."))
      return true;
  return false;
}

/* Whether each argument has a text of its own that can stand elsewhere. */
static bool has_written_arguments(const pl_node *call) {
  for (uint32_t i = 1; i < call->nkids; i++)
    if (!call->kids[i] || !pl_range_inside(call->kids[i]->range, call->range) ||
        call->kids[i]->range.end == 0)
      return false;
  return true;
}

/* Whether a load helper may call another one: what that loads becomes a part of
 * what the caller hands back. */
static bool may_nest(const pl_loop *loop, const pl_func *func) {
  int depth = 0;
  for (const pl_loop *up = loop; up->caller; up = up->caller)
    if (up->func == func || ++depth > 3)
      return false;
  return !loop->caller || pl_has_named_registers(func);
}

/* A method's cells are those of its object: which one that is, its text does not
 * say. */
static void mark_moving(const pl_loop *body, pl_tile *tile) {
  if (!tile->partial)
    tile->partial_why =
        body->on_tile ? "is filled by a method of its own, which has one buffer"
                      : "keeps old cells, as those that are filled change from "
                        "tile to tile";
  tile->partial = true;
}

/* A call that stands in a helper and hands on a place in a tile. */
static void mark_passed_places(pl_loop *body, const pl_fill_call *call) {
  for (uint32_t i = 1; i < call->node->nkids; i++) {
    pl_roots roots = {0};
    pl_node *arg = call->node->kids[i];
    if (arg && arg->type)
      pl_roots_of(body->effects, body->func, arg, &roots);
    for (size_t j = 0; j < roots.n; j++) {
      pl_tile *tile = pl_loop_tile(body, roots.items[j].decl);
      if (tile && pl_place_ever_varies(body, tile->decl, arg))
        mark_moving(body, tile);
    }
  }
}

/* Where a helper's cells depend on the iteration, the others keep what they
 * held: that takes one buffer. */
static void mark_varying_cells(pl_loop *body) {
  for (size_t i = 0; i < body->fill.ncopies; i++) {
    const pl_copy *copy = &body->fill.copies[i];
    if (pl_place_ever_varies(body, copy->tile->decl, copy->dst))
      mark_moving(body, copy->tile);
  }
  for (size_t i = 0; i < body->fill.ncalls; i++)
    mark_passed_places(body, &body->fill.calls[i]);
}

/* Whether a declaration says anything in front of the name, or gives a parameter a
 * value, that the definition does not: its split forms are made of that. */
static bool says_more(const pl_unit *unit, const pl_func *func) {
  pl_range before = {func->range.begin, func->name_range.begin};
  pl_run said = pl_tokens_in(unit, before);
  pl_run run = pl_tokens_in(unit, func->decl->range);
  for (uint32_t i = run.first; i < run.end; i++) {
    bool ahead = unit->tokens[i].range.end <= func->decl->name_range.begin;
    bool found = !ahead && !pl_token_is(unit, i, "=");
    for (uint32_t k = said.first; ahead && k < said.end && !found; k++)
      found = pl_str_eq(pl_token_text(unit, k), pl_token_text(unit, i));
    if (!found)
      return true;
  }
  return false;
}

/* Why a function with a declaration ahead of its definition stays whole. The split
 * forms stand behind the definition, and are not declared ahead. */
static const char *why_apart(const pl_loop *loop, const pl_func *func) {
  const pl_unit *unit = loop->unit;
  const pl_decl *decl = func->decl;
  if (func->is_method)
    return "a method has to be defined in its class";
  if (!func->name_range.end || !decl->in_main || !decl->name_range.end)
    return "its function is defined apart from its declaration";
  uint32_t name = pl_token_from(unit, func->name_range.begin);
  if (name > 0 && pl_token_is(unit, name - 1, "::"))
    return "its function is defined outside its namespace";
  if (func->range.end > loop->func->range.begin)
    return "its function is defined below this one; moved above it, it can be";
  return says_more(unit, func)
             ? "its declaration says what its definition does not"
             : NULL;
}

/* Why a call stays one statement, NULL: its function can be split. */
static const char *why_whole(pl_loop *loop, const pl_node *call,
                             const pl_func *func, bool *is_static) {
  if (!func || !func->body)
    return pl_arena_printf(loop->arena, "the body of '%.*s' is not seen",
                           PL_FMT(pl_callee_name(call)))
        .p;
  if (!func->in_main)
    return "its text is in another file";
  if (func->from_macro || func->is_extern_c)
    return "a macro makes its function, or it is extern \"C\"";
  if (!pl_range_inside(func->decl->name_range, func->range) &&
      why_apart(loop, func))
    return why_apart(loop, func);
  if (pl_has_conditional_text(loop->unit, func->range))
    return "an #if stands in it";
  if (pl_names_its_place(loop->unit, func->range))
    return "it asks for its own name or line";
  if (has_parameter_pack(loop->unit, func))
    return "it has a parameter pack";
  if (!returns_nothing(func))
    return "it returns something";
  if (pl_cfg_jump_out(func->body, PL_JUMP_RETURN))
    return "a return in it leaves the rest out, where a branch around the rest "
           "would do";
  const char *why =
      func->is_method ? why_method(loop, func, call, is_static) : NULL;
  if (why)
    return why;
  if (!pl_node_is_statement(call) || call->from_macro)
    return "it is no statement of its own";
  bool written = call->nkids <= func->nparams + 1 &&
                 call->nkids > pl_required_params(loop->unit, func) &&
                 has_written_arguments(call);
  return written && may_nest(loop, func) ? NULL
                                         : "its arguments cannot be handed on";
}

static bool refuse_whole(pl_loop *loop, const pl_node *call, const char *why) {
  return pl_refuse(loop, false, "PL4006", call,
                   "this call fills a tile and cannot be split into load and "
                   "store: %s", why);
}

/* Why no tile is found among what a call hands on. */
static const char *why_no_tile(const pl_node *call) {
  for (uint32_t i = 1; i < call->nkids; i++)
    if (call->kids[i] && pl_node_bare(call->kids[i])->kind == PL_NODE_LAMBDA)
      return "it is handed a lambda, and what that fills is not followed; a loop "
             "in its place is";
  return "which tile is not certain";
}

/* Whether a method of a tile writes to it, its parameters' tiles and its own
 * variables alone, and reads none of it: what else its object holds is filled
 * with it, and is not there yet. */
static bool touches_object_alone(const pl_loop *body) {
  const pl_effects *effects = &body->stmts->effects;
  for (size_t i = 0; i < effects->n; i++) {
    const pl_effect *effect = &effects->items[i];
    const pl_decl *decl = effect->root.decl;
    bool own = effect->direct && decl && decl->owner == body->func;
    bool tile = effect->space == PL_SPACE_SHARED &&
                pl_loop_tile((pl_loop *)body, decl);
    bool reads = effect->kind == PL_EFFECT_READ && !tile &&
                 !pl_root_is_this(effect->root);
    bool writes = effect->kind == PL_EFFECT_WRITE && (tile || own);
    if (!reads && !writes)
      return false;
  }
  return true;
}

bool pl_add_call(pl_loop *loop, pl_fill *fill, pl_node *call) {
  bool is_static = false;
  pl_node *lambda = pl_called_lambda(call);
  pl_func *called = call->decl ? call->decl->func : NULL;
  const char *why = NULL;
  if (lambda)
    called = pl_load_lambda(loop, call, lambda, &why);
  else
    why = why_whole(loop, call, called, &is_static);
  pl_loop *body = why ? NULL : helper_body(loop, call, called);
  if (body) {
    bool method = called->is_method && !is_static;
    body->on_tile = method && called_on_tile(loop, call);
    body->on_local = method && !body->on_tile;
  }
  if (!body || !bind_tiles(loop, body))
    return refuse_whole(loop, call, why ? why : why_no_tile(call));
  const pl_func *func = body->func;
  pl_enter_helper(body);
  pl_effects_of(loop->effects, func, func->body, &body->stmts->effects);
  if (body->on_tile && !touches_object_alone(body)) {
    pl_leave_helper(body);
    return refuse_whole(loop, call,
                        "the method reads its object, or changes more than it");
  }
  pl_describe_fill(body);
  if (!body->settled)
    pl_mark_meetings(body, &body->fill);
  mark_varying_cells(body);
  pl_leave_helper(body);
  if (body->settled) {
    loop->macro_at = body->macro_at.end ? body->macro_at : body->at;
    pl_refuse(loop, body->certain, body->id, call, "%.*s",
              PL_FMT(body->message));
    return false;
  }
  pl_fill_call entry = {.node = call, .body = body};
  PL_PUSH(loop->arena, fill->calls, fill->ncalls, fill->calls_cap, entry);
  return true;
}

static void return_facts(pl_tile *tile, const pl_tile *of) {
  if (!tile->partial)
    tile->partial_why = of->partial_why;
  tile->partial = tile->partial || of->partial;
  tile->wide = tile->wide || of->wide;
  tile->stored_twice = tile->stored_twice || of->stored_twice;
}

/* What the helper's text says of its parameters holds for the tiles. Those that
 * no parameter stands for keep their one buffer: a lambda names them itself, and
 * a method's is its object. */
void pl_return_tile_facts(pl_loop *loop, const pl_loop *body) {
  for (size_t i = 0; i < body->ntiles; i++) {
    pl_decl *decl = body->tiles[i].decl;
    bool object = decl == pl_shared_this();
    if (pl_param_index(body->func, decl) >= 0)
      continue;
    const pl_decl *named =
        body->tiles[i].stands_for ? body->tiles[i].stands_for : decl;
    pl_tile *tile = object ? called_on_tile(loop, body->call)
                           : pl_loop_tile(loop, named);
    return_facts(tile, &body->tiles[i]);
    if (body->tiles[i].stands_for) /* derived.c */
      continue;
    if (object && pl_names_own_tile(body))
      continue;
    tile->fixed = true;
    tile->fixed_at = body->call;
  }
  for (size_t i = 0; i < body->ntiles; i++)
    for (uint32_t p = 0; p < body->func->nparams; p++) {
      if (body->func->params[p] != body->tiles[i].decl)
        continue;
      pl_roots roots = pl_roots_in(loop, body->call->kids[p + 1]);
      pl_tile *tile = roots.n ? pl_loop_tile(loop, roots.items[0].decl) : NULL;
      if (tile)
        return_facts(tile, &body->tiles[i]);
    }
}
