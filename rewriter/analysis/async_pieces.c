/* async_pieces.c - which assignments is an asynchronous copy?
 *
 * Needs: the copy's addresses, bytes and alignment. Gives: the type of the elements or
 * words that it is made of, and how many they are. Raises nothing: a text says why not.
 *
 * Elements of one type on both sides are assigned as they are. Where the copy asks for
 * more alignment than theirs, or types differ, it is words of 4, 8 or 16 bytes. */
#include "async_operations.h"

#include "macros.h"

#include <string.h>

typedef struct piecing {
  const pl_unit *unit;
  pl_arena *arena;
} piecing;

static pl_str text_of(const piecing *w, const pl_node *node) {
  return pl_unit_slice(w->unit, node->range);
}

/* Whether the text of a range is all of an argument. */
static bool is_whole_argument(const pl_unit *unit, pl_range range) {
  uint32_t first = pl_token_from(unit, range.begin);
  pl_run run = pl_tokens_in(unit, range);
  return first > 0 && run.end < unit->ntokens && run.end > run.first &&
         (pl_token_is(unit, first - 1, "(") || pl_token_is(unit, first - 1, ",")) &&
         (pl_token_is(unit, run.end, ")") || pl_token_is(unit, run.end, ","));
}

bool pl_async_is_spelt(const pl_unit *unit, const pl_node *node) {
  pl_str text = node ? pl_unit_slice(unit, node->range) : (pl_str){0};
  return text.n > 0 && !pl_str_has(text, "//") && !pl_str_has(text, "/*") &&
         (!node->from_macro || is_whole_argument(unit, node->range));
}

static bool is_spelt(const piecing *w, const pl_node *node) {
  return pl_async_is_spelt(w->unit, node);
}

/* ---- elements ---------------------------------------------------------------- */

static const pl_type *pointee_of(const pl_type *type) {
  type = type ? pl_no_reference(type) : NULL;
  type = type && (type->kind == PL_TYPE_POINTER || type->kind == PL_TYPE_ARRAY)
             ? type->element
             : NULL;
  while (type && type->kind == PL_TYPE_ARRAY)
    type = type->element;
  return type && type->kind != PL_TYPE_VOID ? type : NULL;
}

/* The variable that an address is made from, by indices and sums alone. */
static const pl_decl *base_of(const pl_node *node) {
  for (;;) {
    node = pl_node_bare((pl_node *)node);
    bool inner = node->kind == PL_NODE_SUBSCRIPT ||
                 (node->kind == PL_NODE_UNARY && node->op == PL_OP_ADDR) ||
                 (node->kind == PL_NODE_BINARY && node->op == PL_OP_ADD);
    if (!inner)
      return node->kind == PL_NODE_REF ? node->decl : NULL;
    node = node->kids[0];
  }
}

/* What a pointer points to, down to what is no array; NULL: bytes, or not known. In a
 * template clang has no type of `&s[i]`, but of s: the same element. */
static const pl_type *element_of(const pl_node *pointer) {
  const pl_type *type = pointee_of(pointer->type);
  const pl_decl *base = base_of(pointer);
  const pl_type *of = base ? pointee_of(base->type) : NULL;
  return type && of && pl_str_eq(type->spelling, of->spelling) ? of : type;
}

static bool is_plain(const pl_type *type) {
  return type && !type->is_volatile && type->size > 0 &&
         (pl_is_number_type(type) ||
          (type->kind == PL_TYPE_RECORD && type->is_trivially_copyable &&
           !type->runs_code && !type->copies_by_code && !type->has_own_address));
}

/* The type of the elements on both sides; NULL: there is no one such. */
static const pl_type *common_element(const pl_async_op *op) {
  const pl_type *to = element_of(op->to), *from = element_of(op->from);
  bool same = to && from && !op->offset &&
              pl_str_eq(pl_behind_const(to->spelling), pl_behind_const(from->spelling)) &&
              pl_str_eq(pl_behind_const(pl_written_type(to)->spelling),
                        pl_behind_const(pl_written_type(from)->spelling));
  return same && is_plain(to) ? to : NULL;
}

/* A word of so many bytes, of the elements' family: 4, 8 or 16. */
static const char *word_for(const pl_type *element, int64_t bytes) {
  static const char *const names[4][3] = {{"float", "float2", "float4"},
                                          {"int", "int2", "int4"},
                                          {"unsigned", "uint2", "uint4"},
                                          {"unsigned", "double", "double2"}};
  int family = 2, size = bytes == 16 ? 2 : bytes == 8 ? 1 : 0;
  if (element && !element->in_text && pl_str_has(element->spelling, "float"))
    family = element->kind == PL_TYPE_FLOAT || pl_str_has(element->spelling, "float2") ||
                     pl_str_has(element->spelling, "float4")
                 ? 0
                 : 2;
  else if (element && !element->in_text &&
           pl_str_is(pl_behind_const(element->spelling), "double"))
    family = 3;
  else if (element && !element->in_text && element->kind == PL_TYPE_INT &&
           !element->is_unsigned && element->size == 4)
    family = 1;
  return names[family][size];
}

/* `sizeof(x)` of the very type. */
static bool is_size_of(const piecing *w, const pl_node *node, const pl_type *type) {
  node = pl_node_bare((pl_node *)node);
  if (node->kind != PL_NODE_SIZEOF)
    return false;
  if (!type->in_text && !node->open && node->has_ival)
    return node->ival == type->size;
  pl_str text = text_of(w, node), name = pl_behind_const(pl_written_type(type)->written);
  pl_str wanted = pl_arena_printf(w->arena, "sizeof(%.*s)", PL_FMT(name));
  return !node->from_macro && name.n && pl_str_eq(text, wanted);
}

/* The other factor of `sizeof(T) * n`; NULL: it is no such product. */
static const pl_node *times_size(const piecing *w, const pl_node *node,
                                 const pl_type *type) {
  node = pl_node_bare((pl_node *)node);
  if (node->kind != PL_NODE_BINARY || node->op != PL_OP_MUL)
    return NULL;
  return is_size_of(w, node->kids[0], type)   ? node->kids[1]
         : is_size_of(w, node->kids[1], type) ? node->kids[0]
                                              : NULL;
}

static bool is_power(int64_t n) { return n > 0 && (n & (n - 1)) == 0; }

/* Whether a number is the same for all of a template's arguments. */
static bool is_closed(const pl_async_op *op) {
  return op->nbytes > 0 && (!op->bytes || (op->bytes->has_ival && !op->bytes->open));
}

/* Zeros of a word, or of a number; NULL: not known how they are written. */
static const char *zero_of(pl_str type) {
  static const struct {
    const char *type, *zero;
  } known[] = {{"float", "0"},
               {"double", "0"},
               {"int", "0"},
               {"unsigned", "0"},
               {"unsigned int", "0"},
               {"double2", "make_double2(0, 0)"},
               {"float2", "make_float2(0, 0)"},
               {"float4", "make_float4(0, 0, 0, 0)"},
               {"int2", "make_int2(0, 0)"},
               {"int4", "make_int4(0, 0, 0, 0)"},
               {"uint2", "make_uint2(0, 0)"},
               {"uint4", "make_uint4(0, 0, 0, 0)"}};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (pl_str_is(type, known[i].type))
      return known[i].zero;
  return NULL;
}

/* A name that stands for a number in every build. */
static bool is_number_macro(const piecing *w, const pl_node *node) {
  pl_run run = pl_tokens_in(w->unit, node->range);
  return node->kind == PL_NODE_INT && run.end == run.first + 1 &&
         pl_macro_is_number(w->unit, node->range);
}

/* How many elements a number of bytes are; false: it may be no whole number of them. */
static bool count_pieces(const piecing *w, const pl_async_op *op,
                         const pl_type *element, pl_async_pieces *p) {
  const pl_node *n = op->bytes ? times_size(w, op->bytes, element) : NULL;
  bool open = element->in_text || !is_closed(op);
  p->count = -1;
  if (op->bytes && is_size_of(w, op->bytes, element)) {
    p->count = 1;
    return true;
  }
  if (n && op->by == PL_GROUP_BLOCK && pl_is_block_size(n)) {
    p->one_each = true;
    return true;
  }
  if (n && (is_spelt(w, n) || is_number_macro(w, n)) && n->has_ival && n->ival > 0) {
    bool plain = n->kind == PL_NODE_INT || n->kind == PL_NODE_REF ||
                 n->kind == PL_NODE_PAREN;
    p->counted = pl_arena_printf(w->arena, plain ? "%.*s" : "(%.*s)",
                                 PL_FMT(text_of(w, n)));
    p->count = !n->open ? n->ival : -1;
    return true;
  }
  if (!open && op->nbytes % p->bytes == 0) {
    p->count = op->nbytes / p->bytes;
    p->counted = pl_arena_printf(w->arena, "%lld", (long long)p->count);
    if (is_spelt(w, op->bytes) && op->bytes->kind != PL_NODE_INT)
      p->counted = pl_arena_printf(w->arena, "(%.*s) / %lld",
                                   PL_FMT(text_of(w, op->bytes)), (long long)p->bytes);
    return true;
  }
  if (!n || !is_power(element->size) || !is_spelt(w, op->bytes))
    return false;
  p->counted =
      element->in_text
          ? pl_arena_printf(w->arena, "(%.*s) / sizeof(%.*s)",
                            PL_FMT(text_of(w, op->bytes)),
                            PL_FMT(pl_behind_const(pl_written_type(element)->written)))
          : pl_arena_printf(w->arena, "(%.*s) / %lld", PL_FMT(text_of(w, op->bytes)),
                            (long long)element->size);
  return true;
}

/* Words of what both addresses are aligned to. */
static bool take_words(const piecing *w, const pl_async_op *op,
                       const pl_type *element, pl_async_pieces *p) {
  for (int64_t bytes = 16; bytes >= 4 && is_closed(op); bytes /= 2)
    if (op->aligned >= bytes && op->nbytes % bytes == 0) {
      p->word = word_for(element, bytes);
      p->type = (pl_str){p->word, strlen(p->word)};
      p->bytes = bytes;
      p->count = op->nbytes / bytes;
      p->counted = pl_arena_printf(w->arena, "%lld", (long long)p->count);
      return true;
    }
  return false;
}

/* A number of elements as an operand of `e < `; a negative one is as large as the call
 * takes it for. */
static pl_str count_text(const piecing *w, const pl_node *node) {
  const pl_type *type = node->type ? pl_no_reference(node->type) : NULL;
  bool plain = (type && type->kind == PL_TYPE_INT && type->is_unsigned) ||
               (node->has_ival && node->ival >= 0);
  return pl_arena_printf(w->arena,
                         !plain                                 ? "(size_t)(%.*s)"
                         : node->kind == PL_NODE_REF ||
                                 node->kind == PL_NODE_INT      ? "%.*s"
                                                                : "(%.*s)",
                         PL_FMT(text_of(w, node)));
}

/* Elements that both sides have. */
static bool take_both(const piecing *w, const pl_async_op *op, const pl_type *element,
                      pl_async_pieces *p) {
  if (!element || op->by == PL_GROUP_THREAD || !is_spelt(w, op->places) ||
      !is_spelt(w, op->limit))
    return false;
  p->type = pl_behind_const(element->spelling);
  p->bytes = element->size;
  p->counted = count_text(w, op->places);
  p->limit = count_text(w, op->limit);
  return true;
}

static bool take_pieces(const piecing *w, const pl_async_op *op, pl_async_pieces *p) {
  const pl_type *element = common_element(op);
  bool narrow = element && !element->in_text && element->size < 4;
  bool exact = element && !element->in_text && op->nbytes == element->size;
  bool words = !exact && op->aligned >= 4 &&
               (!element || narrow || (op->aligned > element->size &&
                                       op->by == PL_GROUP_THREAD));
  if (op->places)
    return take_both(w, op, element, p);
  if (words && take_words(w, op, element ? element : element_of(op->to), p))
    return true;
  if (!element)
    return false;
  p->type = pl_behind_const(element->spelling);
  p->bytes = element->size;
  return count_pieces(w, op, element, p);
}

/* Whether the zeros of a piece can be written. */
static bool take_zero(const piecing *w, const pl_async_op *op, pl_async_pieces *p) {
  if (!op->zeros)
    return true;
  p->zero = zero_of(p->type);
  if (!p->zero && !p->word && take_words(w, op, element_of(op->to), p))
    p->zero = zero_of(p->type);
  return p->zero != NULL;
}

/* Whether an effect is the address of an array, which a name of it stands for. */
static bool is_address(const pl_effect *effect) {
  return effect->node && effect->node->kind == PL_NODE_REF && effect->node->type &&
         effect->node->type->kind == PL_TYPE_ARRAY &&
         (!effect->node->parent ||
          effect->node->parent->kind != PL_NODE_SUBSCRIPT);
}

/* Whether what a copy is made from may be evaluated once for each piece: it changes
 * nothing, and reads nothing of the tile. */
static bool may_repeat(const pl_loop *loop, const pl_async_op *op) {
  pl_node *const parts[] = {
      op->to,     op->from,  op->when, op->offset, op->by == PL_GROUP_THREAD ? NULL : op->bytes,
      op->places, op->limit};
  pl_roots tile = pl_roots_in(loop, op->to);
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
    pl_effects effects = {0};
    if (!parts[i])
      continue;
    if (!pl_is_pure((pl_loop *)loop, parts[i]))
      return false;
    pl_effects_of(loop->effects, loop->func, parts[i], &effects);
    for (size_t k = 0; k < effects.n; k++)
      for (size_t t = 0; t < tile.n; t++)
        if (effects.items[k].kind == PL_EFFECT_READ && !is_address(&effects.items[k]) &&
            effects.items[k].space != PL_SPACE_LOCAL && tile.items[t].decl &&
            effects.items[k].root.decl &&
            pl_same_shared(effects.items[k].root.decl, tile.items[t].decl))
          return false;
  }
  const pl_node *group = op->by == PL_GROUP_THREAD ? NULL : op->group;
  return !group || group->kind == PL_NODE_REF ||
         (group->kind == PL_NODE_CALL && group->decl &&
          pl_str_is(group->decl->qualified, "cooperative_groups::this_thread_block"));
}

const char *pl_async_take_pieces(const pl_loop *loop, const pl_async_op *op,
                                 pl_async_pieces *p) {
  const piecing w = {loop->unit, loop->arena};
  *p = (pl_async_pieces){.count = -1};
  if (!is_spelt(&w, op->to) || !is_spelt(&w, op->from) ||
      (op->when && !is_spelt(&w, op->when)) ||
      (op->offset && !is_spelt(&w, op->offset)))
    return "a macro, or a comment, stands in what is copied";
  if (!take_pieces(&w, op, p))
    return common_element(op)
               ? "how many elements are copied is not known, or no whole number"
               : "what is copied has no type that both sides share, and nothing says "
                 "how it is aligned";
  if (!take_zero(&w, op, p))
    return "zeros of this type are not known";
  if (op->by == PL_GROUP_THREAD && p->count < 1)
    return "how much a thread copies is not known";
  if (!may_repeat(loop, op))
    return "what is copied cannot be said twice";
  return NULL;
}
