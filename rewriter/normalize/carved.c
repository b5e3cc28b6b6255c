/* carved.c - parts of a block of dynamic shared memory that a loop fills no tile in, as
 * objects of their own.
 *
 * Needs: an attempt in which a loop's tile is such a block, and has one buffer, or a loop
 * is refused for what lies beside its tiles there. Gives: a text in which the pointers to
 * scratch, tables and lists lead to other objects than those to the tiles. Raises
 * nothing.
 *
 * Of
 *
 *     extern __shared__ float smem[];
 *     float *tile = smem, *sums = tile + 1024;
 *
 * `sums` is set apart where no byte that the function accesses by way of it is one that
 * it accesses by way of `tile`, or of the block's own name: as relations of the bytes, for
 * any threads and iterations, with the numbers of each instantiation and for blocks of the
 * launches in sight. Then what the block's stages hold is never asked of `sums`, which
 * stays where it is in the source. There it is set from the block itself, as the names of
 * the tiles' places are made anew in the loop. */
#include "block_parts.h"
#include "expansions.h"
#include "sets.h"
#include "slices.h"

#include <string.h>

#define MOST_OPERATIONS 4000000 /* of isl, for one loop */

/* A name of a place in the block: its own, or a pointer's. */
typedef struct part {
  const pl_decl *decl;
  const pl_decl *outer; /* of a pointer that the loop declares: what it is made of */
  bool is_tile; /* the loop fills a tile by way of it, or it may lie in one */
  bool in_loop; /* the loop accesses something by way of it */
  size_t group; /* the first part that may have bytes in common with it, or with one that has */
} part;

typedef struct carving {
  pl_block_parts all;
  pl_loop *loop;
  pl_arena *arena;
  const pl_decl *block;
  part *parts; /* the block first */
  size_t nparts;
  bool fine;
} carving;

/* ---- the pointers ------------------------------------------------------------------ */

static part *part_named(const carving *c, const pl_decl *decl) {
  for (size_t i = 0; i < c->nparts; i++)
    if (c->parts[i].decl == decl)
      return &c->parts[i];
  return NULL;
}

/* A name of what keeps its value, so that an expression means the same further down. */
static bool is_set_anew(pl_node *node, const void *func) {
  const pl_decl *decl = node->kind == PL_NODE_REF ? node->decl : NULL;
  bool own = decl && (decl->kind == PL_DECL_VAR || decl->kind == PL_DECL_PARAM) &&
             decl->owner == func && !decl->is_shared && !decl->has_value;
  return own && (decl->kind == PL_DECL_VAR
                     ? !pl_only_value(decl)
                     : pl_assigned_anywhere(((const pl_func *)func)->body, decl));
}

/* A pointer that the function declares, ahead of the loop at its own level, of what can be
 * said again. */
static bool is_carved(const carving *c, const pl_decl *decl) {
  const pl_node *stmt = decl->node ? decl->node->parent : NULL;
  bool inside = pl_declared_inside(decl, c->loop->node);
  return (inside || (stmt && stmt->parent == c->loop->func->body && decl->init &&
                     pl_is_pure(c->loop, decl->init) &&
                     pl_reads_own_only(c->loop, decl->init) &&
                     !pl_node_find(decl->init, is_set_anew, c->loop->func))) &&
         pl_only_value(decl) && stmt && stmt->kind == PL_NODE_DECL_STMT && !stmt->from_macro &&
         !decl->from_macro && decl->name_range.end && !pl_in_lambda(decl->node) &&
         !decl->is_constexpr;
}

/* The one name of a part in an expression, at which an address in the block begins. */
typedef struct base_walk {
  carving *c;
  pl_node *found;
  size_t n;
} base_walk;

static bool find_base(pl_node *node, void *context) {
  base_walk *w = context;
  if (node->kind == PL_NODE_REF && part_named(w->c, node->decl)) {
    w->found = node;
    w->n++;
  }
  return node->kind != PL_NODE_SIZEOF;
}

/* Pointers that the loop's body declares are made of those from ahead of it. */
static const pl_decl *outer_part(carving *c, const pl_decl *decl) {
  for (int depth = 0; pl_declared_inside(decl, c->loop->node) && depth < 8; depth++) {
    base_walk w = {c, NULL, 0};
    pl_node_walk(decl->init, find_base, &w);
    if (w.n != 1)
      return NULL;
    decl = w.found->decl;
  }
  return decl;
}

static bool name_parts(carving *c) {
  c->nparts = c->all.nnames;
  c->parts = PL_NEW_ARRAY(c->arena, part, c->nparts);
  for (size_t i = 0; i < c->nparts; i++)
    c->parts[i] = (part){.decl = c->all.names[i], .is_tile = !i, .group = i};
  for (size_t i = 1; i < c->nparts; i++) {
    c->parts[i].outer = outer_part(c, c->parts[i].decl);
    if (!c->parts[i].outer || !is_carved(c, c->parts[i].decl))
      return false;
  }
  c->parts[0].outer = c->block;
  return c->nparts > 1;
}

static part *part_of(const carving *c, const pl_block_access *access) {
  return part_named(c, part_named(c, access->by)->outer);
}

/* ---- which of them tiles are filled by ------------------------------------------------ */

/* Whether a statement of the loop fills tiles: of one that is refused, which it may be for
 * what stands beside its loads, what loads from global memory. */
static bool fills(pl_loop *loop, size_t i) {
  const pl_stmt *stmt = &loop->stmts[i];
  bool here = !loop->ntiles || stmt->phase == loop->load_phase;
  return !stmt->is_barrier && here && (loop->legal || pl_statement_streams(loop, i));
}

static void mark_filled(carving *c) {
  pl_loop *loop = c->loop;
  for (size_t k = 0; k < c->all.n; k++) {
    const pl_block_access *one = &c->all.items[k];
    part_of(c, one)->in_loop |= pl_node_within(one->node, loop->node);
    for (size_t i = 0; i < loop->nstmts; i++)
      if (pl_node_within(one->node, loop->stmts[i].node) && fills(loop, i) &&
          pl_is_stored_to(one->node))
        part_of(c, one)->is_tile = true;
  }
}

/* ---- do they lie apart? ---------------------------------------------------------------- */

/* The block's own numbers, which do not change, have one value for two accesses. */
static int value_of(const pl_sides *s, uint32_t name, int side) {
  const pl_affine_name *is = &s->names->names[name];
  return is->common && is->settled && !is->turns ? 0 : 1 + side;
}

static bool may_meet(carving *c, pl_integers *integers, const pl_seen_cell *a,
                     const pl_seen_cell *b) {
  pl_accesses *of = &c->all.of;
  pl_sides s = {.names = &of->names, .integers = integers, .value_of = value_of,
                .nsides = 2, .nvalues = 3, .tells = 3};
  pl_sides_begin(&s);
  const pl_iform *from = pl_side_form(&s, a->index[0], 0);
  const pl_iform *to = pl_side_form(&s, b->index[0], 1);
  const pl_iset *both = pl_iset_and(pl_side_where(&s, a->within, 0),
                                    pl_side_where(&s, b->within, 1));
  const pl_iform *apart = pl_iform_sub(from, to);
  int64_t behind = pl_block_access_of(&c->all, a)->width;
  int64_t ahead = pl_block_access_of(&c->all, b)->width;
  both = pl_iset_and(both, pl_iset_compare(apart, PL_OP_GT, pl_iform_number(integers, -behind)));
  both = pl_iset_and(both, pl_iset_compare(apart, PL_OP_LT, pl_iform_number(integers, ahead)));
  return pl_iset_is_empty(pl_iset_and(s.set, both)) != PL_YES;
}

/* What may lie in a tile is a part of it. */
static void mark_overlapping(carving *c) {
  const pl_accesses *of = &c->all.of;
  pl_integers *integers = pl_integers_new(c->arena, MOST_OPERATIONS);
  for (bool more = true; more;) {
    more = false;
    for (size_t i = 0; i < of->nseen; i++)
      for (size_t k = 0; k < of->nseen; k++) {
        part *one = part_of(c, pl_block_access_of(&c->all, &of->seen[i]));
        const part *other = part_of(c, pl_block_access_of(&c->all, &of->seen[k]));
        if (one->is_tile || !other->is_tile ||
            !may_meet(c, integers, &of->seen[i], &of->seen[k]))
          continue;
        one->is_tile = more = true;
      }
  }
  pl_integers_free(integers);
}

static void join_groups(carving *c, size_t a, size_t b) {
  size_t first = a < b ? a : b, last = a < b ? b : a;
  for (size_t i = 0; i < c->nparts; i++)
    if (c->parts[i].group == last)
      c->parts[i].group = first;
}

/* Other parts may have bytes in common with each other. */
static void find_groups(carving *c) {
  const pl_accesses *of = &c->all.of;
  pl_integers *integers = pl_integers_new(c->arena, MOST_OPERATIONS);
  for (size_t i = 0; i < of->nseen; i++)
    for (size_t k = 0; k < i; k++) {
      const part *one = part_of(c, pl_block_access_of(&c->all, &of->seen[i]));
      const part *other = part_of(c, pl_block_access_of(&c->all, &of->seen[k]));
      if (!one->is_tile && !other->is_tile && one->group != other->group &&
          may_meet(c, integers, &of->seen[i], &of->seen[k]))
        join_groups(c, one->group, other->group);
    }
  pl_integers_free(integers);
}

static bool is_alone(const carving *c, size_t k) {
  for (size_t i = 0; i < c->nparts; i++)
    if (i != k && c->parts[i].group == c->parts[k].group)
      return false;
  return true;
}

static bool is_block(pl_node *node, const void *unused) {
  (void)unused;
  return node->kind == PL_NODE_REF && node->decl && node->decl->is_shared &&
         node->decl->is_extern && !node->decl->is_apart;
}

/* Finds the parts of one loop; false: there are none to be set apart. */
static bool carve(pl_loop *loop, pl_arena *arena, carving *c) {
  const pl_node *named = pl_node_find(loop->func->body, is_block, NULL);
  *c = (carving){.loop = loop, .arena = arena, .block = named ? named->decl : NULL, .fine = true};
  if (!named || !pl_find_block_parts(&c->all, loop, arena, c->block) || !name_parts(c))
    return false;
  mark_filled(c);
  mark_overlapping(c);
  find_groups(c);
  for (size_t i = 0; i < c->nparts; i++)
    if (!c->parts[i].is_tile && c->parts[i].in_loop)
      return true;
  return false;
}

/* ---- the text ---------------------------------------------------------------------------- */

/* The text of a part's initialiser with those of others in the place of their names: of
 * tiles, or of the rest; of all, with an object in the place of the block, where one is
 * given. */
static pl_str text_from_block(carving *c, const pl_node *init, bool tiles, pl_str object,
                              int depth);

typedef struct naming {
  carving *c;
  bool tiles;
  pl_str object;
  int depth;
  pl_replacements parts;
} naming;

static bool put_initialiser(pl_node *node, void *context) {
  naming *n = context;
  const part *one = node->kind == PL_NODE_REF ? part_named(n->c, node->decl) : NULL;
  if (one && one->decl == n->c->block && n->object.n) {
    pl_replacement put = {node->range, n->object};
    PL_PUSH(n->c->arena, n->parts.items, n->parts.n, n->parts.cap, put);
  }
  if (!one || one->decl == n->c->block || (one->is_tile != n->tiles && !n->object.n))
    return true;
  const pl_node *init = pl_node_bare(one->decl->init);
  bool alone = init->kind == PL_NODE_REF || init->kind == PL_NODE_CAST;
  pl_str text = text_from_block(n->c, one->decl->init, n->tiles, n->object, n->depth + 1);
  pl_replacement put = {node->range,
                        alone && !pl_str_starts(text, "(")
                            ? text : pl_arena_printf(n->c->arena, "(%.*s)", PL_FMT(text))};
  PL_PUSH(n->c->arena, n->parts.items, n->parts.n, n->parts.cap, put);
  return true;
}

static pl_str text_from_block(carving *c, const pl_node *init, bool tiles, pl_str object,
                              int depth) {
  naming n = {c, tiles, object, depth, {0}};
  pl_str text = {0};
  if (depth < 16)
    pl_node_walk((pl_node *)init, put_initialiser, &n);
  c->fine = c->fine && depth < 16 &&
            pl_replaced_text(c->loop->unit, c->arena, init->range, &n.parts, &text);
  return text;
}

static bool is_written_plainly(const carving *c, const pl_decl *decl) {
  pl_str init = pl_unit_slice(c->loop->unit, decl->init->range);
  return decl->type->written.n && !pl_str_is(pl_without_const(decl->type->written), "auto") &&
         !pl_has_comment(init) && !pl_node_has(decl->init, PL_NODE_LAMBDA);
}

/* Whether there is nothing but a comma, stars and blanks. */
static bool is_separator(pl_str text) {
  size_t commas = 0;
  for (size_t i = 0; i < text.n; i++) {
    commas += text.p[i] == ',';
    if (!strchr(",* \t\r\n", text.p[i]))
      return false;
  }
  return commas == 1;
}

static void say_otherwise(carving *c, pl_replacements *own, pl_replacement one, pl_str text) {
  pl_said_otherwise *said = PL_NEW(c->arena, pl_said_otherwise);
  *said = (pl_said_otherwise){one.range, text, own->otherwise};
  own->otherwise = said;
  PL_PUSH(c->arena, own->items, own->n, own->cap, one);
}

/* Of `float *tile = smem, *sums = tile + 1024;` makes two declarations. */
static void declare_alone(carving *c, const part *one, pl_replacements *own) {
  const pl_node *stmt = one->decl->node->parent, *before = NULL;
  for (uint32_t i = 1; i < stmt->nkids; i++)
    if (stmt->kids[i] == one->decl->node)
      before = stmt->kids[i - 1];
  const part *other = before ? part_named(c, before->decl) : NULL;
  if (!before || (other && other->is_tile == one->is_tile))
    return;
  pl_range gap = {before->decl->init ? before->decl->init->range.end : 0,
                  one->decl->name_range.begin};
  c->fine = c->fine && gap.begin && is_separator(pl_unit_slice(c->loop->unit, gap));
  pl_str text = pl_arena_printf(c->arena, ";\n%.*s%.*s",
                                PL_FMT(pl_indent_at(c->loop->unit, stmt->range.begin)),
                                PL_FMT(one->decl->type->written));
  say_otherwise(c, own, (pl_replacement){gap, text}, text);
}

/* What a part that is set apart is in the text: an object of its own, or of it and those
 * that it may have bytes in common with, which lie there as they do in the block. */
static pl_str text_of_part(carving *c, size_t i, pl_text *objects) {
  const pl_decl *decl = c->parts[i].decl;
  pl_str first = c->parts[c->parts[i].group].decl->name, element = c->block->type->element->spelling;
  pl_str name = pl_name_not_taken(c->loop->unit, c->arena,
                                  pl_arena_printf(c->arena, "%.*s_apart", PL_FMT(first)));
  bool alone = is_alone(c, i);
  if (c->parts[i].group == i)
    pl_text_printf(objects,
                   " extern __shared__ __attribute__((annotate(\"" PL_APART_MARK "\"))) char %.*s[];",
                   PL_FMT(name));
  c->fine = c->fine && (alone || !c->block->type->element->in_text);
  return alone ? pl_arena_printf(c->arena, "(%.*s)%.*s", PL_FMT(decl->type->written), PL_FMT(name))
               : text_from_block(c, decl->init, true,
                                 pl_arena_printf(c->arena, "((%.*s *)%.*s)", PL_FMT(element),
                                                 PL_FMT(name)), 0);
}

/* An object for each part that is set apart, and the pointers that lead there. */
static bool set_apart(carving *c, pl_replacements *out) {
  pl_text objects = {.arena = c->arena};
  pl_range brace = {c->loop->func->body->range.begin, c->loop->func->body->range.begin + 1};
  pl_replacements own = {0};
  own.otherwise = out->otherwise;
  pl_text_add(&objects, PL_STR("{"));
  for (size_t i = 1; i < c->nparts && c->fine; i++) {
    const pl_decl *decl = c->parts[i].decl;
    pl_range init = decl->init->range;
    if (pl_declared_inside(decl, c->loop->node))
      continue;
    c->fine = is_written_plainly(c, decl);
    declare_alone(c, &c->parts[i], &own);
    pl_replacement one = {init, text_from_block(c, decl->init, false, PL_STR(""), 0)};
    if (!c->parts[i].is_tile) {
      one.text = text_of_part(c, i, &objects);
      say_otherwise(c, &own, one, text_from_block(c, decl->init, true, PL_STR(""), 0));
      continue;
    } else if (pl_str_eq(one.text, pl_unit_slice(c->loop->unit, init))) {
      continue;
    }
    PL_PUSH(c->arena, own.items, own.n, own.cap, one);
  }
  for (size_t i = 0; i < out->n; i++)
    c->fine = c->fine && out->items[i].range.begin != brace.begin;
  if (!c->fine)
    return false;
  pl_replacement first = {brace, pl_text_view(&objects)};
  PL_PUSH(c->arena, out->items, out->n, out->cap, first);
  for (size_t i = 0; i < own.n; i++)
    PL_PUSH(c->arena, out->items, out->n, out->cap, own.items[i]);
  out->otherwise = own.otherwise;
  return true;
}

/* ---- which loops ---------------------------------------------------------------------------- */

/* Whether a loop that has one buffer could have several: its launches can be edited, and
 * where nobody asks for stages it is known how many bytes they give. */
static bool may_have_stages(const pl_loop *loop) {
  return loop->dynamic &&
         !(loop->dynamic->unknown && loop->options->variant == PL_VARIANT_AUTO);
}

/* Whether what lies in the block beside its tiles may be why a loop has one buffer, or is
 * refused. */
static bool asks_for_parts(const pl_loop *loop) {
  bool beside = may_have_stages(loop) && loop->double_id &&
                (!strcmp(loop->double_id, "PL3001") || !strcmp(loop->double_id, "PL3009") ||
                 !strcmp(loop->double_id, "PL3004"));
  static const char *const ids[] = {"PL3001", "PL3002", "PL3003", "PL3006", "PL3008", "PL4001"};
  for (size_t i = 0; i < sizeof ids / sizeof *ids; i++)
    beside = beside || pl_is_refused_for(loop, ids[i]);
  return beside && !loop->parts_stay && loop->options->only == PL_SIDE_BOTH &&
         loop->func->is_global && loop->func->in_main && !loop->func->from_macro &&
         !loop->func->body->from_macro && loop->nstmts;
}

static bool is_same_loop(const pl_loop *a, const pl_loop *b) {
  return pl_written_func(a->func) == pl_written_func(b->func) &&
         a->node->range.begin == b->node->range.begin;
}

/* Whether two instantiations have the same parts. */
static bool are_same_parts(const carving *a, const carving *b) {
  if (a->nparts != b->nparts)
    return false;
  for (size_t i = 0; i < a->nparts; i++)
    if (a->parts[i].decl->name_range.begin != b->parts[i].decl->name_range.begin ||
        a->parts[i].is_tile != b->parts[i].is_tile || a->parts[i].group != b->parts[i].group)
      return false;
  return true;
}

void pl_parts_apart(const pl_attempt *attempt, pl_loop *loop, pl_replacements *out) {
  carving c, other;
  bool apart = asks_for_parts(loop) && carve(loop, attempt->arena, &c);
  for (size_t i = 0; apart && i < attempt->every.n; i++) {
    pl_loop *one = attempt->every.items[i];
    apart = one == loop || !is_same_loop(one, loop) ||
            (carve(one, attempt->arena, &other) && are_same_parts(&c, &other));
  }
  if (apart && set_apart(&c, out))
    out->for_async = true;
}
