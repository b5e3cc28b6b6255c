/* copy_async.c - can the hardware make this copy by itself?
 *
 * Needs: the copy's value and load. Gives: its width, and why it cannot be
 * asynchronous. Notes, for plan.c to raise: PL5001, PL5002, PL5004. */
#include "call_summary.h"
#include "copies.h"

typedef enum answer { NO, UNKNOWN, YES } answer;

static void refuse_async(pl_copy *copy, const char *id, const char *why) {
  if (copy->async_id)
    return;
  copy->async_id = id;
  copy->async_why = why;
}

#define NOT_ITS_WIDTH "its elements are not 4, 8 or 16 bytes wide"

static bool is_async_width(int64_t bytes) {
  return bytes == 4 || bytes == 8 || bytes == 16;
}

/* The size of a type under every instantiation: the smallest where all can be
 * copied asynchronously, else one that cannot. */
static int64_t type_bytes(const pl_loop *loop, const pl_type *type) {
  int64_t bytes = -1;
  for (uint32_t i = 0; type && i < pl_count_readings(loop->func); i++) {
    int64_t size = pl_type_size(type, loop->func, pl_reading(loop->func, i));
    if (!is_async_width(size))
      return size;
    if (bytes < 0 || size < bytes)
      bytes = size;
  }
  return bytes;
}

/* A pointer parameter of a kernel, or in one, points to global memory; one of a device
 * function does where every call in the file passes such a pointer. */
static bool param_is_global(pl_loop *loop, pl_root root) {
  return !root.decl || root.decl->kind != PL_DECL_PARAM || loop->func->is_global ||
         loop->caller ||
         pl_of_space_in_callers(loop->effects, loop->func, root, PL_SPACE_GLOBAL);
}

static bool is_record(const pl_type *type) {
  if (type && type->kind == PL_TYPE_REFERENCE)
    type = type->element;
  return type && type->kind == PL_TYPE_RECORD;
}

/* Whether a load helper is handed the thread's own memory for a parameter, as
 * `store(fragment, tile)` is; of a record's pointer, where that leads. */
static bool is_handed_local(const pl_loop *body, pl_root root) {
  const pl_decl *param = root.decl;
  bool found = false;
  if (param && root.member.n && body->caller && is_record(param->type))
    return !pl_of_space_in_callers(body->effects, body->func, root, PL_SPACE_GLOBAL);
  for (uint32_t i = 0; body->caller && i < body->func->nparams; i++) {
    pl_roots roots = {0};
    if (body->func->params[i] != param || i + 1 >= body->call->nkids)
      continue;
    pl_roots_of(body->caller->effects, body->caller->func,
                body->call->kids[i + 1], &roots);
    for (size_t k = 0; k < roots.n; k++)
      found = found || pl_root_space(roots.items[k]) == PL_SPACE_LOCAL ||
              is_handed_local(body->caller, roots.items[k]);
  }
  return found;
}

/* Whether a write goes where an object's pointers lead, and is of a number that has no
 * room for an address. */
static bool leaves_addresses(const pl_effect *write) {
  const pl_type *type = write->node ? write->node->type : NULL;
  return write->root.member.n && write->root.member.p[0] == '*' && type &&
         (type->kind == PL_TYPE_FLOAT ||
          (type->kind == PL_TYPE_INT && type->size > 0 && type->size < 8));
}

/* Whether a function of the file stores to an object: where it holds addresses,
 * they may be those of shared memory then. */
static bool is_stored_to(const pl_loop *loop, const pl_decl *decl) {
  for (uint32_t i = 0; i < loop->unit->nfuncs; i++) {
    const pl_func *func = loop->unit->funcs[i];
    pl_effects effects = {0};
    if (func->body)
      pl_effects_of(loop->effects, func, func->body, &effects);
    for (size_t k = 0; k < effects.n; k++)
      if (effects.items[k].kind == PL_EFFECT_WRITE &&
          effects.items[k].root.decl == decl && !leaves_addresses(&effects.items[k]))
        return true;
  }
  return false;
}

bool pl_may_lead_elsewhere(const pl_loop *loop, pl_root root) {
  return root.decl && root.member.n && root.member.p[0] == '*' &&
         is_stored_to(loop, root.decl);
}

static bool source_is_global(pl_loop *loop, pl_node *load) {
  bool found = !pl_read_by_call(load);
  pl_effects effects = pl_effects_in(loop, load);
  for (size_t i = 0; i < effects.n; i++) {
    const pl_effect *effect = &effects.items[i];
    bool member = pl_root_is_this(effect->root) && effect->root.member.n &&
                  (loop->caller || /* the call says where it points */
                   pl_of_space_in_callers(loop->effects, loop->func,
                                          effect->root, PL_SPACE_GLOBAL));
    bool way = effect->by_call && effect->space == PL_SPACE_LOCAL &&
               pl_named_by_call(load);
    if (effect->kind == PL_EFFECT_READ && effect->node == load && !member &&
        !way &&
        (effect->space != PL_SPACE_GLOBAL ||
         !param_is_global(loop, effect->root) ||
         is_handed_local(loop, effect->root) ||
         pl_may_lead_elsewhere(loop, effect->root)))
      return false;
    found = found || (effect->kind == PL_EFFECT_READ && effect->node == load);
  }
  return found;
}

/* Asynchronous copies of 4 and 8 bytes go through L1, where a line may be older
 * than what another block has written. [PTX: cp.async.ca, cp.async.cg] */
static bool bypasses_l1(const pl_node *load) {
  load = pl_node_bare((pl_node *)load);
  return pl_calls_builtin(load, "__ldcg");
}

/* Whether a value is one texture or surface fetch. */
static bool is_fetch(pl_loop *loop, pl_node *node) {
  node = pl_node_bare(node);
  if (node->kind != PL_NODE_CALL)
    return false;
  pl_effects effects = pl_effects_in(loop, node);
  for (size_t i = 0; i < effects.n; i++)
    if (effects.items[i].node == node &&
        effects.items[i].space == PL_SPACE_CONSTANT &&
        !effects.items[i].by_call)
      return true;
  return false;
}

/* Whether nothing of a load can be spelt: a macro's body holds the call of
 * __ldg, and more of its argument than operators. */
static bool hides_address(const pl_loop *loop, const pl_node *load) {
  if (pl_named_by_call(load))
    return load->from_macro;
  return load->kind == PL_NODE_CALL && load->from_macro &&
         (load->nkids < 2 || pl_spell(loop->unit, load->kids[1]).n == 0);
}

/* Whether two types are one: by their names, or by what every instantiation in
 * sight makes of them. UNKNOWN: names that only happen to be one type there, or
 * nothing says. */
static answer is_same_type(const pl_loop *loop, const pl_type *a,
                           const pl_type *b) {
  uint32_t n = loop->func->ninstances;
  if (!a || !b)
    return UNKNOWN;
  a = a->kind == PL_TYPE_REFERENCE ? a->element : a;
  b = b->kind == PL_TYPE_REFERENCE ? b->element : b;
  if (a && b && (a->in_text || b->in_text))
    return !pl_same_type(a, b) ? NO
           : pl_same_type(pl_written_type(a), pl_written_type(b)) ? YES
                                                                  : UNKNOWN;
  if (a && b && pl_same_type(a, b))
    return YES;
  bool open = !a || !b || a->kind == PL_TYPE_DEPENDENT ||
              b->kind == PL_TYPE_DEPENDENT;
  for (uint32_t i = 0; open && i < n; i++) {
    const pl_type *x = pl_type_settled(a, loop->func, &loop->func->instances[i]);
    const pl_type *y = pl_type_settled(b, loop->func, &loop->func->instances[i]);
    if (x && y && x->kind != PL_TYPE_DEPENDENT &&
        y->kind != PL_TYPE_DEPENDENT && !pl_same_type(x, y))
      return NO;
  }
  return open ? UNKNOWN : NO;
}

/* Whether `&` is an operator of the user's for objects of a type. */
static bool has_own_address(const pl_loop *loop, const pl_type *type) {
  if (!type || (type->kind != PL_TYPE_RECORD && type->kind != PL_TYPE_DEPENDENT))
    return false;
  for (uint32_t i = 0; i < loop->unit->nfuncs; i++) {
    const pl_func *func = loop->unit->funcs[i];
    if (!func->is_method && func->nparams == 1 &&
        pl_str_is(func->name, "operator&") &&
        is_same_type(loop, func->params[0]->type, type) != NO)
      return true;
  }
  uint32_t n = loop->func->ninstances;
  for (uint32_t i = 0; i < n; i++) {
    const pl_type *x =
        pl_type_settled(type, loop->func, &loop->func->instances[i]);
    if (x && x->has_own_address)
      return true;
  }
  return type->has_own_address;
}

static bool is_bit_field(pl_node *node) {
  node = node ? pl_node_bare(node) : NULL;
  return node && node->kind == PL_NODE_MEMBER && node->decl && node->decl->is_bit_field;
}

/* Whether a value of one type is the same behind a conversion to another one and back:
 * YES for wider numbers, and a float of more bytes than the integer. */
static answer keeps_values(const pl_loop *loop, const pl_type *from, const pl_type *as) {
  answer same = is_same_type(loop, from, as);
  if (same != NO || from->in_text || as->in_text)
    return same == YES ? YES : UNKNOWN;
  from = from->kind == PL_TYPE_REFERENCE ? from->element : from;
  as = as->kind == PL_TYPE_REFERENCE ? as->element : as;
  bool numbers = (from->kind == PL_TYPE_INT || from->kind == PL_TYPE_FLOAT) &&
                 (as->kind == from->kind || as->kind == PL_TYPE_FLOAT);
  bool to_float = from->kind == PL_TYPE_INT && as->kind == PL_TYPE_FLOAT;
  return numbers && !pl_str_is(as->spelling, "bool") && from->size > 0 &&
                 as->size >= from->size + to_float
             ? YES
             : NO;
}

/* Whether the other arm of a choice is of a value's type as far as is seen: `Zero<T>::get()`
 * has none that the text names. */
static bool has_type_of(const pl_loop *loop, const pl_node *arm, const pl_type *type) {
  const pl_type *named = arm->type ? pl_written_type(arm->type) : NULL;
  return is_same_type(loop, type, arm->type) == YES ||
         (named && named != arm->type && !pl_is_spelled_type(named) &&
          pl_same_type(type, arm->type));
}

/* `c ? x[i] : 0.5f` is a float, whatever x has: what becomes of a value that is loaded.
 * Beside another of its type, or an integer, it is one of that, or promoted. */
static answer keeps_in_choice(const pl_loop *loop, const pl_copy *copy) {
  pl_node *value = pl_node_bare(copy->via ? copy->via->kids[0] : copy->src);
  if (copy->choice || value->kind != PL_NODE_COND || value == copy->load)
    return YES;
  pl_node *other = pl_node_bare(value->kids[1]) == copy->load ? value->kids[2]
                                                              : value->kids[1];
  other = pl_node_bare(other);
  const pl_type *named = other->type ? pl_written_type(other->type) : NULL;
  return (named && named->kind == PL_TYPE_INT) || has_type_of(loop, other, copy->load->type)
             ? YES
             : keeps_values(loop, copy->load->type, value->type);
}

/* `auto v = x[i];`: what is loaded has a name, and the local has its type. */
static bool has_deduced_type(const pl_loop *loop, const pl_node *var) {
  pl_run run = pl_tokens_in(loop->unit, var->range);
  for (uint32_t i = run.first; i < run.end; i++)
    if (loop->unit->tokens[i].range.begin >= var->decl->name_range.begin)
      return false;
    else if (pl_token_is(loop->unit, i, "auto"))
      return true;
  return false;
}

static void check_types(pl_loop *loop, pl_copy *copy, const pl_type *type) {
  const pl_type *from = copy->load->type;
  answer same = copy->type_is_values ? UNKNOWN
                                     : is_same_type(loop, from, type);
  if (same == YES)
    same = keeps_in_choice(loop, copy);
  if (copy->via && same == YES && !has_deduced_type(loop, copy->via))
    same = keeps_values(loop, from, copy->via->decl->type);
  if (same == NO)
    refuse_async(copy, "PL5002", "its value is converted on the way");
  if (same == UNKNOWN)
    refuse_async(copy, "PL5002",
                 "whether its value is converted on the way hangs on the "
                 "template; one name for the type on both sides settles it");
  if (copy->bytes < 0)
    refuse_async(copy, "PL5001",
                 pl_arena_printf(loop->arena,
                                 "the size of its elements is not known%s",
                                 pl_what_settles(loop))
                     .p);
  copy->narrow = !copy->async_id && (copy->bytes == 1 || copy->bytes == 2);
  if (!is_async_width(copy->bytes) && !copy->narrow)
    refuse_async(copy, "PL5001", NOT_ITS_WIDTH);
  if (type && type->align > 0 && type->align < copy->bytes)
    refuse_async(copy, "PL5004", "its type is aligned to less than its size");
  if (!pl_is_aligned_copy(loop, copy))
    refuse_async(copy, "PL5004",
                 "it may lie at no multiple of its size, by its type's "
                 "alignment or in a packed record");
  if (type && type->kind == PL_TYPE_RECORD && !type->is_trivially_copyable)
    refuse_async(copy, "PL5002",
                 "its type is not plain data, so that a copy of its bits may "
                 "be none of the value");
  if (has_own_address(loop, type) || has_own_address(loop, from))
    refuse_async(copy, "PL5002",
                 "its type has an 'operator&' of its own, which may give no address");
  if (is_bit_field(copy->load) || is_bit_field(copy->dst))
    refuse_async(copy, "PL5002", "a bit field has no address");
}

/* What is as true of memcpy as of the asynchronous copy: types do not matter, but
 * that a local between holds what was loaded, bit by bit. */
static void check_bytes(pl_loop *loop, pl_copy *copy) {
  const pl_type *from = copy->load->type;
  bool closed = copy->nbytes->has_ival && !pl_is_open(copy->nbytes);
  if (!closed || !is_async_width(copy->bytes))
    refuse_async(copy, "PL5001",
                 closed ? "memcpy copies another number of bytes than 4, 8 or 16"
                        : "how many bytes memcpy copies is for another build, or "
                          "a template's arguments, to say");
  if (copy->via && (!from || is_same_type(loop, from, copy->via->decl->type) != YES ||
                    from->size != copy->bytes))
    refuse_async(copy, "PL5002", "its value is converted on the way");
  if (has_own_address(loop, from))
    refuse_async(copy, "PL5002",
                 "its type has an 'operator&' of its own, which may give no address");
  if (!pl_bytes_are_aligned(copy))
    refuse_async(copy, "PL5004",
                 "memcpy needs no alignment, and the types of its objects do not "
                 "give as much as asynchronous copies need");
}

pl_node *pl_async_source(const pl_copy *copy) {
  return copy->choice ? copy->choice
         : copy->via  ? copy->via->kids[0]
                      : copy->src;
}

static bool is_default_call(const pl_unit *unit, uint32_t token, pl_str *name) {
  *name = pl_token_text(unit, token);
  if (unit->tokens[token].kind != PL_TOK_IDENT ||
      !pl_token_is(unit, token + 1, "("))
    return false;
  for (size_t i = 0; i < unit->ndefaults; i++)
    if (pl_str_eq(unit->defaults[i].name, *name) &&
        pl_str_starts(unit->defaults[i].body, "("))
      return !pl_command_line_says(unit, *name);
  return false;
}

/* Whether a copy by the hardware says a place of its statement's text: that is of the
 * cell, of the load, or of what guards it. */
static bool is_kept(const pl_copy *copy, const pl_node *value, uint32_t at) {
  bool spelt = copy->load->kind == PL_NODE_CALL && copy->load->from_macro;
  const pl_node *kept[] = {copy->dst, spelt ? NULL : copy->load,
                           value->kind == PL_NODE_COND ? value->kids[0] : NULL};
  for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
    if (kept[i] && at >= kept[i]->range.begin && at < kept[i]->range.end)
      return true;
  return false;
}

/* A macro around the load, `#ifndef LOADED`, `#define LOADED(x) (x)`, of which nothing
 * is left in a copy by the hardware: another build may give one that does more. */
static bool drops_default(const pl_loop *loop, const pl_copy *copy, pl_str *name) {
  const pl_node *value = pl_node_bare(pl_async_source(copy));
  const pl_node *texts[] = {copy->store, copy->via};
  for (size_t k = 0; k < sizeof texts / sizeof *texts && texts[k]; k++) {
    pl_run run = pl_tokens_in(loop->unit, texts[k]->range);
    for (uint32_t i = run.first; i + 1 < run.end; i++)
      if (is_default_call(loop->unit, i, name) &&
          !is_kept(copy, value, loop->unit->tokens[i].range.begin))
        return true;
  }
  return false;
}

static void check_defaults(const pl_loop *loop, pl_copy *copy) {
  pl_str name, why;
  if (!drops_default(loop, copy, &name))
    return;
  why = pl_arena_printf(loop->arena,
                        "a build that gives '%.*s' may do more to its value; "
                        "'-- -U%.*s' leaves such builds out",
                        PL_FMT(name), PL_FMT(name));
  refuse_async(copy, "PL1004", why.p);
}

/* A narrow copy has that for its reason; whether it has another one, too, is for
 * those that would copy some elements at once. */
static void settle_width(pl_copy *copy) {
  if (!copy->narrow)
    return;
  copy->narrow = !copy->async_id;
  copy->async_id = "PL5001";
  copy->async_why = NOT_ITS_WIDTH;
}

/* An asynchronous copy moves 4, 8 or 16 bytes unchanged, both addresses
 * aligned to as much. The types of the two accesses vouch for the alignment:
 * the kernel as it stands needs it already. */
void pl_check_async(pl_loop *loop, pl_copy *copy) {
  const pl_type *type = copy->type;
  copy->bytes = type_bytes(loop, type);
  if (!copy->reads_memory && !copy->load)
    return;
  if (copy->by_call && !copy->place) {
    refuse_async(copy, "PL5002", "a function stores it, which is handed a value");
    return;
  }
  if (!copy->load) {
    refuse_async(copy, "PL5002",
                 is_fetch(loop, copy->src) ? "it is read by a texture or "
                                             "surface fetch"
                                           : "its value is computed on the "
                                             "way");
    return;
  }
  if (copy->last != copy->store)
    refuse_async(copy, "PL5002", "one value goes to several places");
  if (bypasses_l1(copy->load) && copy->bytes < 16)
    refuse_async(copy, "PL5002",
                 "__ldcg reads past the L1 cache, as asynchronous copies of 16 "
                 "bytes alone do");
  if (copy->nbytes)
    check_bytes(loop, copy);
  else
    check_types(loop, copy, type);
  if (!source_is_global(loop, copy->load))
    refuse_async(copy, "PL5002", "its source may not be global memory");
  pl_node *value = pl_node_bare(pl_async_source(copy));
  if ((value->kind == PL_NODE_COND && value->op_range.end == 0) ||
      hides_address(loop, copy->load))
    refuse_async(copy, "PL5002", "a macro hides its source");
  if (copy->via && !copy->choice && pl_changed_between(loop, copy->via->kids[0],
                                      copy->via->range.end,
                                      copy->store->range.begin))
    refuse_async(copy, "PL5002", "its address changes before it is stored");
  pl_node *shown = copy->via ? copy->via : copy->store;
  if (shown->from_macro)
    refuse_async(copy, "PL5002", "a macro hides its source");
  check_defaults(loop, copy);
  settle_width(copy);
}
