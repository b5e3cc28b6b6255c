/* events_stages.c - which declarations of the emitted text hold the stages of a shared
 * object, and how many?
 *
 * Needs: a declaration of the text. Gives: the shared object whose stages it is, how
 * many there are and of which type, or that it is none. Raises: nothing.
 *
 * Stages are the elements of a shared array, or parts of a block of dynamic shared
 * memory, by a reference to it as an array or by an object that finds them:
 *
 *     __shared__ float As_stage[2][16][16];
 *     auto &tile_stage = reinterpret_cast<float (&)[2][64]>(tile);
 *     const tile_stages tile_stage = {tile, tile_given / 2};
 *     const tile_stages tile_stage = {tile};
 *
 * How large the block is says the launch: the text has to trap where it is smaller. Of the
 * last the first stage is the block, and those behind it are shorter: as long as what is
 * accessed of one, which is not looked at here. */
#include "assembly.h"
#include "events.h"

#include <string.h>

/* ---- the bytes that a launch gives --------------------------------------------- */

typedef struct given_walk {
  const pl_unit *unit;
  const pl_decl *decl;
  bool is_given;  /* a read of the register that has them sets it, and nothing else */
  int64_t trapped; /* the kernel is, unless it is this; -1: unless it is any */
  const pl_node *sum; /* that, as it is written */
} given_walk;

static bool names(const pl_node *node, const pl_decl *decl) {
  return node && node->kind == PL_NODE_REF && node->decl == decl;
}

static bool is_trap(const pl_node *node) {
  return node && node->kind == PL_NODE_CALL && pl_str_is(node->name, "__trap");
}

static bool visit_given(pl_node *node, void *context) {
  given_walk *g = context;
  if (node->kind == PL_NODE_ASM && pl_mentions(node, g->decl))
    g->is_given = pl_str_has(pl_assembly_text(g->unit, node),
                             "mov.u32 %0, %%dynamic_smem_size;") &&
                  node->nkids == 1 && node->ival == 1;
  const pl_node *asked = node->kind == PL_NODE_IF && is_trap(node->kids[1])
                             ? pl_node_bare(node->kids[0]) : NULL;
  if (asked && asked->kind == PL_NODE_BINARY && asked->op == PL_OP_NE &&
      names(asked->kids[0], g->decl) && asked->kids[1]->has_ival) {
    g->trapped = asked->kids[1]->ival;
    g->sum = pl_node_bare(asked->kids[1]);
  }
  return true;
}

/* What is known of a variable that the bytes are in. */
static given_walk given_by(const pl_unit *unit, const pl_func *func,
                           const pl_decl *decl) {
  given_walk walk = {.unit = unit, .decl = decl, .trapped = -1};
  pl_node_walk(func->body, visit_given, &walk);
  return walk;
}

typedef struct asking {
  const pl_unit *unit;
  const pl_func *func;
  int64_t bytes;
} asking;

static bool is_asked_for(pl_node *node, const void *context) {
  const asking *a = context;
  if (node->kind != PL_NODE_VAR || !node->decl || node->nkids)
    return false;
  given_walk given = given_by(a->unit, a->func, node->decl);
  return given.is_given && given.trapped >= a->bytes;
}

/* Whether a launch that gives fewer bytes is trapped. */
static bool asks_for_bytes(const pl_unit *unit, const pl_func *func, int64_t bytes) {
  return pl_node_find(func->body, is_asked_for, &(asking){unit, func, bytes});
}

/* ---- an object that finds stages ------------------------------------------------- */

typedef struct stages_type {
  const pl_unit *unit;
  pl_arena *arena;
  pl_str name;
  bool behind; /* stages but the first stand behind the block */
  int64_t more, step; /* behind: in `more` bytes and `stage` times `step` */
} stages_type;

/* What stands between the brace and the first star. */
static pl_str element_of(pl_str text) {
  size_t begin = 0, end;
  while (begin < text.n && text.p[begin] != '{')
    begin++;
  for (end = begin; end < text.n && text.p[end] != '*'; end++)
    ;
  return begin < text.n ? (pl_str){text.p + begin + 1, end - begin - 1} : (pl_str){0};
}

static int64_t number_behind(pl_str text, const char *word) {
  size_t n = strlen(word);
  for (size_t i = 0; i + n < text.n; i++)
    if (!memcmp(text.p + i, word, n)) {
      int64_t value = 0;
      for (i += n; i < text.n && text.p[i] >= '0' && text.p[i] <= '9' && value < INT32_MAX; i++)
        value = 10 * value + text.p[i] - '0';
      return value;
    }
  return -1;
}

/* Word for word: element `stage` is so many times `bytes` behind `first`, or in another place
 * there that numbers say. */
static bool is_stages_type(pl_node *node, void *context) {
  stages_type *t = context;
  if (node->kind != PL_NODE_OTHER_DECL)
    return false;
  pl_str text = pl_unit_slice(t->unit, node->range);
  pl_str element = element_of(text);
  t->more = number_behind(text, "stage ? ");
  t->step = number_behind(text, "+ stage * ");
  pl_str place = t->behind ? pl_arena_printf(t->arena, "(stage ? %lld + stage * %lld : 0)",
                                             (long long)t->more, (long long)t->step)
                           : PL_STR("stage * bytes");
  pl_str due = pl_arena_printf(
      t->arena,
      "struct %.*s { %.*s *first; %s"
      "__device__ %.*s (&operator[](int stage) const)[] { "
      "return *reinterpret_cast<%.*s (*)[]>("
      "reinterpret_cast<char *>(first) + %.*s); } }",
      PL_FMT(t->name), PL_FMT(element), t->behind ? "" : "unsigned bytes; ", PL_FMT(element),
      PL_FMT(element), PL_FMT(place));
  return pl_same_but_blanks(text, due);
}

typedef struct type_walk {
  stages_type type;
  bool found;
} type_walk;

static bool look_at_type(pl_node *node, void *context) {
  type_walk *w = context;
  w->found = w->found || is_stages_type(node, &w->type);
  return !w->found;
}

static bool finds_stages(const pl_emitted *out, const pl_type *type, stages_type *of) {
  type_walk w = {.type = *of};
  w.type.unit = out->unit;
  w.type.arena = out->source->arena;
  w.type.name = pl_behind_const(pl_last_name(type->spelling));
  pl_node_walk(out->func->body, look_at_type, &w);
  *of = w.type;
  return w.found;
}

/* `block + 2 * step + 1`, of which the kernel is trapped if it is given something else: how
 * many stages that is room for, if what is ahead of them is the block; 0: none. */
typedef struct room_walk {
  const pl_emitted *out;
  const stages_type *of;
  int64_t n;
} room_walk;

static bool look_for_room(pl_node *node, void *context) {
  room_walk *w = context;
  if (node->kind != PL_NODE_VAR || !node->decl || node->nkids)
    return true;
  given_walk given = given_by(w->out->unit, w->out->func, node->decl);
  const pl_node *sum = given.is_given && given.sum && given.sum->kind == PL_NODE_BINARY
                           ? pl_node_bare(given.sum->kids[0]) : NULL;
  const pl_node *product = sum && sum->kind == PL_NODE_BINARY && sum->op == PL_OP_ADD
                               ? pl_node_bare(sum->kids[1]) : NULL;
  if (!product || product->kind != PL_NODE_BINARY || product->op != PL_OP_MUL ||
      !sum->kids[0]->has_ival || !product->kids[0]->has_ival || !product->kids[1]->has_ival)
    return true;
  int64_t block = sum->kids[0]->ival, more = product->kids[0]->ival;
  bool room = product->kids[1]->ival == w->of->step && w->of->more + w->of->step <= block &&
              given.trapped >= block + more * w->of->step;
  w->n = room && more > 0 ? more + 1 : w->n;
  return true;
}

/* `{tile}` */
static bool take_block(const pl_emitted *out, const pl_decl *decl, const pl_node *init,
                       pl_stages *made) {
  const pl_node *first = pl_node_bare(init->kids[0]);
  stages_type of = {.behind = true};
  if (first->kind != PL_NODE_REF || !first->decl || !decl->type->is_const ||
      !finds_stages(out, decl->type, &of) || of.step < 1)
    return false;
  room_walk w = {out, &of, 0};
  pl_node_walk(out->func->body, look_for_room, &w);
  *made = (pl_stages){.shared = first->decl, .n = w.n, .is_carved = true};
  return w.n > 0;
}

/* `{tile, tile_given / 2}` */
static bool take_object(const pl_emitted *out, const pl_decl *decl, const pl_node *init,
                        pl_stages *made) {
  if (init->nkids == 1)
    return take_block(out, decl, init, made);
  stages_type of = {0};
  const pl_node *first = init->nkids == 2 ? pl_node_bare(init->kids[0]) : NULL;
  const pl_node *bytes = first ? pl_node_bare(init->kids[1]) : NULL;
  if (!first || first->kind != PL_NODE_REF || !first->decl ||
      bytes->kind != PL_NODE_BINARY || bytes->op != PL_OP_DIV ||
      bytes->kids[0]->kind != PL_NODE_REF || !bytes->kids[1]->has_ival ||
      !decl->type->is_const || !finds_stages(out, decl->type, &of) ||
      !given_by(out->unit, out->func, bytes->kids[0]->decl).is_given)
    return false;
  *made = (pl_stages){.shared = first->decl, .n = bytes->kids[1]->ival};
  return true;
}

/* `reinterpret_cast<float (&)[2][64]>(tile)` */
static bool take_reference(const pl_emitted *out, const pl_decl *decl, const pl_node *init,
                           pl_stages *made) {
  const pl_type *type = decl->type->element;
  const pl_node *of = init->nkids == 1 ? pl_node_bare(init->kids[0]) : NULL;
  if (init->kind != PL_NODE_CAST || !type || type->kind != PL_TYPE_ARRAY || !of ||
      of->kind != PL_NODE_REF || !of->decl || type->count < 1 || type->size <= 0 ||
      !asks_for_bytes(out->unit, out->func, type->size))
    return false;
  *made = (pl_stages){.shared = of->decl, .n = type->count, .type = type->element};
  return true;
}

/* Whether a declaration stands in a loop, a branch or a function of the loop's text. */
static bool is_made_within(const pl_emitted *out, const pl_decl *decl) {
  const pl_node *up = decl->node;
  if (!decl->name_range.end || !pl_range_inside(decl->name_range, out->region))
    return false;
  while (up && up->kind != PL_NODE_LAMBDA && up->kind != PL_NODE_IF && !pl_node_is_loop(up))
    up = up->parent;
  return !decl->node || (up && pl_range_inside(up->range, out->region));
}

bool pl_stages_of(const pl_emitted *out, const pl_decl *decl, pl_stages *made) {
  const pl_node *init = decl->init ? pl_node_bare(decl->init) : NULL;
  bool own = decl->kind == PL_DECL_VAR && !decl->is_shared && !decl->is_static &&
             decl->type && init && !is_made_within(out, decl);
  if (decl->is_shared && decl->type && decl->type->kind == PL_TYPE_ARRAY) {
    *made = (pl_stages){.shared = decl, .n = decl->type->count,
                        .type = decl->type->element};
    return true;
  }
  if (!own || !(pl_is_reference(decl->type)
                    ? take_reference(out, decl, init, made)
                    : init->kind == PL_NODE_INIT_LIST && take_object(out, decl, init, made)))
    return false;
  made->is_dynamic = made->shared->is_shared && made->shared->is_extern;
  return made->is_dynamic;
}

bool pl_picked_stage(const pl_node *node, const pl_decl **stages, pl_node **index) {
  const pl_node *base = NULL;
  if (node->kind == PL_NODE_SUBSCRIPT) {
    base = pl_node_bare(node->kids[0]);
  } else if (node->kind == PL_NODE_CALL && node->nkids == 2 &&
             pl_str_is(node->name, "operator[]")) {
    const pl_node *callee = pl_node_bare(node->kids[0]);
    base = callee->kind == PL_NODE_MEMBER && !callee->is_arrow
               ? pl_node_bare(callee->kids[0]) : NULL;
  }
  if (!base || base->kind != PL_NODE_REF || !base->decl)
    return false;
  *stages = base->decl;
  *index = node->kids[1];
  return true;
}

pl_node *pl_stage_index(const pl_node *name) {
  const pl_decl *stages;
  pl_node *index;
  const pl_node *up = name->parent;
  while (up && (up->kind == PL_NODE_PAREN || up->kind == PL_NODE_MEMBER))
    up = up->parent;
  return up && pl_picked_stage(up, &stages, &index) && stages == name->decl &&
                 !pl_node_within(name, index)
             ? index : NULL;
}

/* ---- the text around ------------------------------------------------------------- */

static bool is_name(pl_node *node, const void *unused) {
  (void)unused;
  return node->kind == PL_NODE_REF;
}

bool pl_declares_stages(const pl_emitted *out, const pl_node *node) {
  bool traps = node->kind == PL_NODE_IF && is_trap(node->kids[1]) && !node->kids[2] &&
               !pl_node_changes(node->kids[0]) &&
               !pl_node_has(node->kids[0], PL_NODE_CALL);
  const pl_node *var =
      node->kind == PL_NODE_DECL_STMT && node->nkids == 1 ? node->kids[0] : NULL;
  const pl_node *ref = NULL;
  pl_stages stages;
  if (traps || node->kind == PL_NODE_ASM)
    ref = pl_node_find(traps ? node->kids[0] : node, is_name, NULL);
  const pl_decl *decl = var ? var->decl : ref ? ref->decl : NULL;
  return decl && (decl->init ? pl_stages_of(out, decl, &stages) && stages.is_dynamic
                             : given_by(out->unit, out->func, decl).is_given);
}
