/* emit_fill_registers.c - what holds the values between fetch and store.
 *
 * Needs: split (how each copy is staged). Gives: names for registers and for
 * the counters of unrolled loops, their bounds and indices, and their
 * declarations. Raises nothing. */
#include "copies.h"
#include "emit_fill.h"

/* A member's name without the bar at its end: two in a row are not for users; of
 * `auto &[a, b] = tile`, which has none, another. */
static pl_str without_bar(pl_str name) {
  if (pl_str_starts(name, "["))
    return PL_STR("part");
  while (name.n > 1 && name.p[name.n - 1] == '_')
    name.n--;
  return name;
}

pl_str pl_register_name(pl_emitter *e, const pl_node *of, pl_str base) {
  for (size_t i = 0; i < e->nregisters; i++)
    if (e->registers[i].of == of)
      return e->registers[i].name;
  pl_register fresh = {of, pl_emit_name(e, "%.*s_next", without_bar(base))};
  PL_PUSH(e->arena, e->registers, e->nregisters, e->registers_cap, fresh);
  return fresh.name;
}

bool pl_counts_slots(const pl_copy_loop *c) {
  const pl_node *step = c->step ? pl_node_bare(c->step) : NULL;
  bool by_one = !step || (step->kind == PL_NODE_INT && !step->from_macro && step->ival == 1);
  const pl_type *type = c->declares && c->var ? c->var->type : NULL;
  return type && type->kind == PL_TYPE_INT && type->size >= 4 && !type->in_text &&
         !pl_str_has(type->written, "auto") && !c->constant && !c->chain && !c->by_thread &&
         by_one && pl_node_is_zero(c->start);
}

/* The counter of an unrolled copy loop: the loop's own, where that counts from 0 by one, else
 * one name for each depth, as the user would have `i` and `j`. */
pl_str pl_slot_name(pl_emitter *e, const pl_node *loop) {
  const pl_copy_loop *own = pl_fill_loop(&e->loop->fill, loop);
  if (own && pl_counts_slots(own))
    return own->var->name;
  size_t depth = 0;
  for (const pl_node *up = loop->parent; up; up = up->parent) {
    const pl_copy_loop *c = pl_fill_loop(&e->loop->fill, up);
    depth += c && c->var && !c->constant && !pl_counts_slots(c);
  }
  while (depth >= e->nslots) {
    pl_str name = pl_emit_name(e, "slot", PL_STR(""));
    PL_PUSH(e->arena, e->slots, e->nslots, e->slots_cap, name);
  }
  return e->slots[depth];
}

/* `int step = T / 8;`, and `const int n = step;`, which the language takes for no
 * constants. */
static bool names_a_variable(const pl_decl *decl) {
  return !decl->is_constexpr && decl->type && decl->owner && decl->init &&
         (!decl->type->is_const || !pl_is_constant_text(decl->init));
}

/* A constant whose name stands for none where the registers are declared: its
 * own declaration does not reach them, in the tile loop's body or in a load helper,
 * or it is a variable that is never changed. */
static const pl_node *local_constant(const pl_emitter *e, const pl_node *node) {
  const pl_decl *decl = node->kind == PL_NODE_REF ? node->decl : NULL;
  bool local = decl && decl->kind == PL_DECL_VAR && decl->owner && decl->init &&
               !node->from_macro &&
               (pl_declared_inside(decl, e->loop->body) ||
                decl->owner != e->loop->func || names_a_variable(decl));
  return local ? decl->init : NULL;
}

static pl_str constant_text(pl_emitter *e, const pl_node *node);

/* Whether a variable's value has its initialiser's type: else it is converted. */
static bool has_type_of(const pl_decl *decl, const pl_node *value) {
  const pl_type *a = decl->type, *b = value->type;
  return a && b && a->kind == b->kind && a->size == b->size &&
         a->is_unsigned == b->is_unsigned && pl_same_type(a, b);
}

/* What a variable holds in its place, converted as it is there. */
static void add_value(pl_emitter *e, const pl_decl *decl, const pl_node *value,
                      pl_text *out) {
  if (!has_type_of(decl, value)) {
    pl_str name = pl_plain_type(e, decl->type);
    bool deduced = pl_str_has(name, "auto");
    pl_text_printf(out, "(%.*s)",
                   PL_FMT(deduced ? decl->type->spelling : name));
  }
  pl_text_add(out, constant_text(e, value));
}

/* Adds the text of a node up to `*at`'s next name that has to be spelt out. */
static void add_constant(pl_emitter *e, const pl_node *node, uint32_t *at,
                         pl_text *out) {
  const pl_node *value = local_constant(e, node);
  if (value) {
    pl_text_add(out, pl_between(e, *at, node->range.begin));
    add_value(e, node->decl, value, out);
    *at = node->range.end;
    return;
  }
  for (uint32_t i = 0; i < node->nkids; i++)
    if (node->kids[i])
      add_constant(e, node->kids[i], at, out);
}

/* A constant expression in parentheses, unless it is a name or a number; what is
 * named inside the loop alone is spelt out. */
static pl_str constant_text(pl_emitter *e, const pl_node *node) {
  pl_text out = {.arena = e->arena};
  uint32_t at = node->range.begin;
  add_constant(e, node, &at, &out);
  if (at == node->range.begin)
    return pl_grouped(e, node);
  pl_text_add(&out, pl_between(e, at, node->range.end));
  return at == node->range.end && out.n && local_constant(e, node)
             ? pl_text_view(&out)
             : pl_arena_printf(e->arena, "(%.*s)", PL_FMT(pl_text_view(&out)));
}

/* Whether a text has a name of the user's. */
static bool names_something(pl_emitter *e, pl_str text) {
  static const char *const words[] = {"int",  "unsigned", "signed", "long",
                                      "char", "short",    "bool"};
  uint32_t n;
  pl_token *tokens = pl_lex(e->arena, text, &n);
  for (uint32_t i = 0; i < n; i++) {
    pl_str word = pl_token_in(text, &tokens[i]);
    bool plain = tokens[i].kind != PL_TOK_IDENT;
    for (size_t k = 0; k < sizeof words / sizeof *words; k++)
      plain = plain || pl_str_is(word, words[k]);
    if (!plain)
      return true;
  }
  return false;
}

/* Without its parentheses, where a sum that it stands in needs none: behind a sign, those
 * of a sum stay. */
static pl_str as_summand(const pl_node *node, pl_str constant, bool behind_sign) {
  node = pl_node_bare((pl_node *)node);
  bool product = node->kind == PL_NODE_BINARY &&
                 (node->op == PL_OP_MUL || node->op == PL_OP_DIV || node->op == PL_OP_REM);
  bool sum = node->kind == PL_NODE_BINARY && (node->op == PL_OP_ADD || node->op == PL_OP_SUB);
  bool bracketed = constant.n > 2 && constant.p[0] == '(' && constant.p[constant.n - 1] == ')';
  return bracketed && !node->from_macro && (product || (sum && !behind_sign))
             ? (pl_str){constant.p + 1, constant.n - 2}
             : constant;
}

/* Without its parentheses, where a product is divided. */
static pl_str as_dividend(const pl_node *node, pl_str constant) {
  const pl_node *bare = pl_node_bare((pl_node *)node);
  bool product = bare->kind == PL_NODE_BINARY && bare->op == PL_OP_MUL;
  return product ? as_summand(node, constant, true) : constant;
}

static pl_str symbolic_count(pl_emitter *e, const pl_copy_loop *c) {
  pl_str bound = constant_text(e, c->bound);
  if (!c->step)
    return pl_str_eq(bound, pl_grouped(e, c->bound)) ? pl_node_text(e, c->bound)
                                                     : bound;
  pl_str step = constant_text(e, c->step);
  if (c->ahead || c->divides)
    return pl_arena_printf(e->arena, "%.*s / %.*s",
                           PL_FMT(as_dividend(c->bound, bound)), PL_FMT(step));
  return pl_arena_printf(e->arena, "(%.*s + %.*s - 1) / %.*s",
                         PL_FMT(as_summand(c->bound, bound, false)),
                         PL_FMT(as_summand(c->step, step, true)), PL_FMT(step));
}

/* How many iterations, as a constant expression of the user's own names; a number
 * where nothing is left but numbers. */
pl_str pl_count_text(pl_emitter *e, const pl_copy_loop *c) {
  pl_str text = {0};
  if (pl_has_symbolic_count(c))
    text = symbolic_count(e, c);
  if (text.n && (c->estimated || c->count < 0 || names_something(e, text)))
    return text;
  return pl_arena_printf(e->arena, "%lld", (long long)c->count);
}

static pl_str slot_index(pl_emitter *e, const pl_copy_loop *c) {
  if (!c->constant)
    return pl_slot_name(e, c->node);
  pl_str name = c->var->name;
  if (!pl_node_is_zero(c->start))
    name = pl_arena_printf(e->arena, "(%.*s - %.*s)", PL_FMT(name),
                           PL_FMT(pl_grouped(e, c->start)));
  if (!c->step)
    return name;
  return pl_arena_printf(e->arena, "%.*s / %.*s", PL_FMT(name),
                         PL_FMT(pl_grouped(e, c->step)));
}

/* "[a][b]" for the copy loops around a node, outermost first: their counts, or
 * their current slots. */
pl_str pl_brackets(pl_emitter *e, const pl_node *node, bool counts) {
  pl_str text = {0};
  for (const pl_node *up = node->parent; up; up = up->parent) {
    const pl_copy_loop *c = pl_fill_loop(&e->loop->fill, up);
    if (!c)
      continue;
    pl_str one = counts ? pl_count_text(e, c) : slot_index(e, c);
    text = pl_arena_printf(e->arena, "[%.*s]%.*s", PL_FMT(one), PL_FMT(text));
  }
  return text;
}

/* ---- guards that choose between two values for one cell ------------------ */

/* `if (c) As[i] = A[j]; else As[i] = 0;` needs the guard for the fetch only. */
bool pl_chooses_value(const pl_emitter *e, const pl_node *node) {
  if (node->kind != PL_NODE_IF || node->nkids < 3 || !node->kids[2])
    return false;
  const pl_copy *yes = pl_only_copy(&e->loop->fill, node->kids[1]);
  const pl_copy *no = pl_only_copy(&e->loop->fill, node->kids[2]);
  return yes && no && !yes->early && !no->early && yes->last == yes->store && no->last == no->store &&
         pl_same_text(e->unit, yes->dst, no->dst) &&
         !yes->nbytes && !no->nbytes && !yes->by_call && !no->by_call &&
         yes->staging != PL_STAGE_LEAVES && no->staging != PL_STAGE_LEAVES &&
         (yes->staging == PL_STAGE_VALUE || no->staging == PL_STAGE_VALUE);
}

static const pl_node *choosing_if(const pl_emitter *e, const pl_node *store) {
  const pl_node *up = store->parent;
  while (up && up->kind == PL_NODE_COMPOUND && up->nkids == 1)
    up = up->parent;
  return up && pl_chooses_value(e, up) ? up : NULL;
}

/* The node that names the register of a copy. */
static const pl_node *register_key(const pl_emitter *e, const pl_copy *copy) {
  const pl_node *up = choosing_if(e, copy->store);
  return up ? up : copy->store;
}

bool pl_is_staged_value(const pl_emitter *e, const pl_copy *copy) {
  return copy->staging == PL_STAGE_VALUE || choosing_if(e, copy->store);
}

/* ---- the registers of a copy --------------------------------------------- */

/* Whether an lvalue is a place in what its first part names: `p[i]`, and where
 * it may be written otherwise, `*(float4 *)(p + i)`. */
static bool is_address_step(const pl_node *node, bool subscripts_only) {
  if (node->kind == PL_NODE_SUBSCRIPT ||
      (node->kind == PL_NODE_UNARY && node->op == PL_OP_ADDR))
    return true;
  if (node->kind == PL_NODE_BINARY)
    return !subscripts_only &&
           (node->op == PL_OP_ADD || node->op == PL_OP_SUB) &&
           node->kids[0]->type &&
           (node->kids[0]->type->kind == PL_TYPE_POINTER ||
            node->kids[0]->type->kind == PL_TYPE_ARRAY);
  return !subscripts_only &&
         ((node->kind == PL_NODE_CAST && node->nkids) ||
          (node->kind == PL_NODE_UNARY && node->op == PL_OP_DEREF));
}

static const pl_node *named_part(const pl_node *node, bool subscripts_only) {
  node = pl_node_bare((pl_node *)node);
  while (is_address_step(node, subscripts_only))
    node = pl_node_bare(node->kids[0]);
  return node;
}

/* Whether a node names a local variable: a part of a block of shared memory,
 * by its pointer. */
static bool names_local(const pl_node *node) {
  return node->kind == PL_NODE_REF && node->decl &&
         node->decl->kind == PL_DECL_VAR && !node->decl->is_shared;
}

/* Whether a member lies in a variable itself, or in a method's object, by way of
 * other members or not. */
static bool is_within_variable(const pl_node *node) {
  while (node->kind == PL_NODE_MEMBER && node->nkids &&
         (!node->is_arrow || node->kids[0]->kind == PL_NODE_THIS))
    node = pl_node_bare(node->kids[0]);
  return node->kind == PL_NODE_REF || node->kind == PL_NODE_THIS;
}

/* The name of what an lvalue indexes: of the array that is a member of the
 * tile or of a name for it, `tiles.a[i][j]`, of a pointer into the tile, or of
 * the tile. One that only the fill has is no name for a part of it. */
pl_str pl_part_name(const pl_emitter *e, const pl_node *node,
                    const pl_decl *tile) {
  const pl_node *deep = named_part(node, false);
  node = named_part(node, true);
  if (names_local(node))
    return node->decl->name;
  if (names_local(deep) && !pl_declared_inside(deep->decl, e->loop->body))
    return deep->decl->name;
  bool member = node->kind == PL_NODE_MEMBER && is_within_variable(node) &&
                node->type && node->type->kind == PL_TYPE_ARRAY;
  return member ? node->name : tile->name;
}

pl_str pl_copy_base(const pl_emitter *e, const pl_copy *copy) {
  return pl_part_name(e, copy->dst, copy->tile->decl);
}

pl_str pl_copy_register(pl_emitter *e, const pl_copy *copy) {
  return pl_arena_printf(
      e->arena, "%s%.*s%.*s", e->register_prefix,
      PL_FMT(pl_register_name(e, register_key(e, copy), pl_copy_base(e, copy))),
      PL_FMT(pl_brackets(e, copy->store, false)));
}

/* ---- declarations -------------------------------------------------------- */

bool pl_is_at_top(const pl_emitter *e, const pl_node *node) {
  for (size_t i = 0; i < e->loop->nstmts; i++)
    if (e->loop->stmts[i].node == node)
      return true;
  return false;
}

/* Where bytes are held in an array: "[how many]". */
pl_str pl_bytes_bound(pl_emitter *e, const pl_copy *copy) {
  if (!copy->nbytes || !pl_str_is(copy->type->written, PL_BYTES_TYPE))
    return PL_STR("");
  pl_str bound = constant_text(e, copy->nbytes);
  if (pl_str_eq(bound, pl_grouped(e, copy->nbytes)))
    bound = pl_node_text(e, copy->nbytes);
  return pl_arena_printf(e->arena, "[%.*s]", PL_FMT(bound));
}

static void declare_value(pl_emitter *e, int level, const pl_copy *copy,
                          pl_str name) {
  pl_emit_line(e, level, "%.*s %.*s%.*s%.*s;",
               PL_FMT(pl_plain_type(e, copy->type)), PL_FMT(name),
               PL_FMT(pl_brackets(e, copy->store, true)),
               PL_FMT(pl_bytes_bound(e, copy)));
}

static const pl_type *type_at(const pl_node *node) {
  return node->kind == PL_NODE_VAR && node->decl ? node->decl->type : node->type;
}

static bool is_number_or_pointer(const pl_type *type) {
  return pl_is_number_or_enum(type) || type->kind == PL_TYPE_POINTER;
}

static bool is_const_there(pl_node *node, const void *context) {
  const pl_node *like = context;
  const pl_type *type = type_at(node);
  return node->kind == like->kind && node->range.begin == like->range.begin &&
         node->range.end == like->range.end && type && type->is_const &&
         is_number_or_pointer(type);
}

/* Whether the arguments of an instantiation make a number const that the template's
 * text does not. All of them are asked, since they have one text. */
static bool is_const_by_argument(const pl_emitter *e, const pl_node *node) {
  const pl_unit *unit = e->unit;
  const pl_func *own = e->loop->func;
  if (pl_str_starts(type_at(node)->written, "const "))
    return false;
  for (uint32_t i = 0; own->pattern && i < unit->nfuncs; i++)
    if (unit->funcs[i]->pattern == own->pattern &&
        pl_node_find(unit->funcs[i]->body, is_const_there, node))
      return true;
  return false;
}

/* `T()` of a const number is a number. */
static void declare(pl_emitter *e, int level, const pl_node *of, pl_str name,
                    const pl_node *at) {
  pl_str type = pl_plain_type(e, type_at(of));
  if (is_const_by_argument(e, of))
    type = pl_arena_printf(e->arena, "decltype(%.*s())", PL_FMT(type));
  pl_emit_line(e, level, "%.*s %.*s%.*s;", PL_FMT(type), PL_FMT(name),
               PL_FMT(pl_brackets(e, at, true)));
}

/* Names in the order of the stores, wherever each is declared. */
static void name_registers(pl_emitter *e) {
  for (size_t i = 0; i < e->loop->fill.ncopies; i++) {
    const pl_copy *copy = &e->loop->fill.copies[i];
    if (pl_is_staged_value(e, copy))
      pl_register_name(e, register_key(e, copy), pl_copy_base(e, copy));
    else if (copy->staging == PL_STAGE_LEAVES)
      for (size_t k = 0; k < copy->nleaves; k++)
        pl_register_name(e, copy->leaves[k], pl_copy_base(e, copy));
  }
}

/* Whether one of the copies before it has the same register. */
static bool shares_register(const pl_emitter *e, size_t index) {
  const pl_copy *copies = e->loop->fill.copies;
  for (size_t i = 0; i < index; i++)
    if (register_key(e, &copies[i]) == register_key(e, &copies[index]))
      return true;
  return false;
}

/* Registers that cannot be declared where they are first set. */
void pl_emit_declare_registers(pl_emitter *e, int level) {
  pl_fill *fill = &e->loop->fill;
  name_registers(e);
  for (size_t i = 0; i < fill->ncopies; i++) {
    const pl_copy *copy = &fill->copies[i];
    pl_str base = pl_copy_base(e, copy);
    if (pl_is_at_top(e, copy->store))
      continue;
    if (pl_is_staged_value(e, copy) && !shares_register(e, i))
      declare_value(e, level, copy,
                    pl_register_name(e, register_key(e, copy), base));
    for (size_t k = 0; copy->staging == PL_STAGE_LEAVES && k < copy->nleaves;
         k++)
      declare(e, level, copy->leaves[k],
              pl_register_name(e, copy->leaves[k], base), copy->store);
  }
  for (size_t i = 0; i < fill->ncalls; i++) {
    const pl_fill_call *call = &fill->calls[i];
    if (call->early || pl_is_at_top(e, call->node) || pl_only_stores(e, call))
      continue;
    pl_emit_line(
        e, level, "%.*s %.*s%.*s;", PL_FMT(pl_registers_type(e, call)),
        PL_FMT(pl_register_name(e, call->node, pl_filled_name(e, call))),
        PL_FMT(pl_brackets(e, call->node, true)));
  }
  for (size_t i = 0; i < fill->nstaged; i++)
    declare(e, level, fill->staged[i],
            pl_register_name(e, fill->staged[i], fill->staged[i]->decl->name),
            fill->staged[i]);
}
