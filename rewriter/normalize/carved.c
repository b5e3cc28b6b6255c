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

/* A name of a place in the block: its own, or that of a pointer, a reference or a member of
 * a record that one of these leads to. */
typedef struct part {
  const pl_decl *decl;
  const pl_decl *member; /* NULL: what is not accessed by way of a member */
  const pl_decl *outer; /* of a pointer that the loop declares: what it is made of */
  const pl_decl *of;    /* ... and the member of that; NULL: of none */
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
  size_t nparts, parts_cap;
  bool here; /* they lie apart in blocks of the launches in sight */
  bool fine;
} carving;

/* ---- the pointers ------------------------------------------------------------------ */

static part *part_of_member(const carving *c, const pl_decl *decl, const pl_decl *member) {
  for (size_t i = 0; i < c->nparts; i++)
    if (c->parts[i].decl == decl && c->parts[i].member == member)
      return &c->parts[i];
  return NULL;
}

static part *part_named(const carving *c, const pl_decl *decl) {
  return part_of_member(c, decl, NULL);
}

/* The field in `sh.sums` or `sh->sums`, of a name that the function declares ahead of the
 * loop, as the text has it; NULL: it stands for something else. */
static const pl_decl *member_named(const carving *c, const pl_node *ref) {
  const pl_node *up = ref->parent, *decl = ref->decl->node;
  bool field = up && up->kind == PL_NODE_MEMBER && up->decl && up->decl->is_field &&
               up->kids[0] == ref;
  return field && decl && decl->parent && decl->parent->nkids == 1 && !up->from_macro &&
                 up->decl->name.n && ref->decl != c->block &&
                 !pl_declared_inside(ref->decl, c->loop->node)
             ? up->decl : NULL;
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

static bool can_be_said_again(const carving *c, const pl_node *node) {
  return pl_is_pure(c->loop, (pl_node *)node) && pl_reads_own_only(c->loop, (pl_node *)node) &&
         !pl_node_find((pl_node *)node, is_set_anew, c->loop->func);
}

/* The same of what a reference is bound to, which is not read. */
static bool is_plain_place(const carving *c, const pl_node *node) {
  const pl_node *bare = pl_node_bare((pl_node *)node);
  switch (bare->kind) {
  case PL_NODE_REF:
    return bare->decl && (pl_is_reference(bare->decl->type) ||
                          !is_set_anew((pl_node *)bare, c->loop->func));
  case PL_NODE_MEMBER:
    return bare->is_arrow ? can_be_said_again(c, bare->kids[0]) : is_plain_place(c, bare->kids[0]);
  case PL_NODE_UNARY:
    return bare->op == PL_OP_DEREF && can_be_said_again(c, bare->kids[0]);
  case PL_NODE_CAST:
    return is_plain_place(c, bare->kids[0]);
  case PL_NODE_SUBSCRIPT:
    return is_plain_place(c, bare->kids[0]) && can_be_said_again(c, bare->kids[1]);
  default:
    return false;
  }
}

/* A pointer or reference that the function declares, ahead of the loop at its own level, of
 * what can be said again. */
static bool is_carved(const carving *c, const pl_decl *decl) {
  const pl_node *stmt = decl->node ? decl->node->parent : NULL;
  bool inside = pl_declared_inside(decl, c->loop->node), bound = pl_is_reference(decl->type);
  return (inside || (stmt && stmt->parent == c->loop->func->body && decl->init &&
                     (bound ? is_plain_place(c, decl->init) : can_be_said_again(c, decl->init)))) &&
         (bound || pl_only_value(decl)) && stmt && stmt->kind == PL_NODE_DECL_STMT && !stmt->from_macro &&
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
static void find_outer(carving *c, part *one) {
  one->outer = one->decl;
  for (int depth = 0; one->outer && pl_declared_inside(one->outer, c->loop->node); depth++) {
    base_walk w = {c, NULL, 0};
    pl_node_walk(one->outer->init, find_base, &w);
    one->outer = w.n == 1 && depth < 8 ? w.found->decl : NULL;
    one->of = one->outer ? member_named(c, w.found) : NULL;
  }
}

static bool add_member(pl_node *node, void *context) {
  carving *c = context;
  const pl_decl *member = node->kind == PL_NODE_REF && pl_is_block_name(&c->all, node->decl)
                              ? member_named(c, node) : NULL;
  part one = {node->decl, member, node->decl, member, false, false, c->nparts};
  if (member && !part_of_member(c, node->decl, member))
    PL_PUSH(c->arena, c->parts, c->nparts, c->parts_cap, one);
  return node->kind != PL_NODE_SIZEOF;
}

static bool name_parts(carving *c) {
  for (size_t i = 0; i < c->all.nnames; i++) {
    part one = {.decl = c->all.names[i], .is_tile = !i, .group = i};
    PL_PUSH(c->arena, c->parts, c->nparts, c->parts_cap, one);
  }
  for (size_t i = 1; i < c->nparts; i++) {
    find_outer(c, &c->parts[i]);
    if (!c->parts[i].outer || !is_carved(c, c->parts[i].decl))
      return false;
  }
  c->parts[0].outer = c->block;
  pl_node_walk(c->loop->func->body, add_member, c);
  return c->nparts > 1;
}

static part *part_of(const carving *c, const pl_block_access *access) {
  const part *by = part_named(c, access->by);
  const pl_decl *member = by->outer == by->decl ? member_named(c, access->ref) : by->of;
  return part_of_member(c, by->outer, member);
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
          (pl_is_stored_to(one->node) || pl_is_array_type(one->node->type)))
        part_of(c, one)->is_tile = true;
  }
}

/* ---- do they lie apart? ---------------------------------------------------------------- */

/* The block's own numbers, which do not change, have one value for two accesses. */
static int value_of(const pl_sides *s, uint32_t name, int side) {
  bool one = !s->names->names[name].turns && pl_is_same_name(s->names, name, PL_IN_THREADS) &&
             pl_is_same_name(s->names, name, PL_IN_ITERATIONS);
  return one ? 0 : 1 + side;
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

/* Whether some member of a name is a tile; then the name is one of the block's. */
static bool has_tile(const carving *c, const part *name) {
  for (size_t i = 0; i < c->nparts; i++)
    if (c->parts[i].decl == name->decl && c->parts[i].is_tile)
      return true;
  return false;
}

/* What may lie in a tile is a part of it. */
static void mark_overlapping(carving *c) {
  const pl_accesses *of = &c->all.of;
  pl_integers *integers = pl_integers_new(c->arena, MOST_OPERATIONS);
  for (bool more = true; more;) {
    more = false;
    for (size_t i = 0; i < c->all.nnames; i++)
      c->parts[i].is_tile = has_tile(c, &c->parts[i]);
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
  for (size_t i = c->all.nnames; i < c->nparts; i++) {
    const part *name = part_named(c, c->parts[i].decl);
    if (!name->is_tile) /* all of it is set apart */
      join_groups(c, name->group, c->parts[i].group);
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
static bool carve(pl_loop *loop, pl_arena *arena, bool here, carving *c) {
  const pl_node *named = pl_node_find(loop->func->body, is_block, NULL);
  *c = (carving){.loop = loop, .arena = arena, .block = named ? named->decl : NULL, .here = here,
                 .fine = true};
  if (!named || !pl_find_block_parts(&c->all, loop, arena, c->block, here) || !name_parts(c))
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
    pl_put(n->c->arena, &n->parts, node->range, n->object);
  }
  if (!one || one->decl == n->c->block || (one->is_tile != n->tiles && !n->object.n))
    return true;
  const pl_node *init = pl_node_bare(one->decl->init);
  bool alone = init->kind == PL_NODE_REF || init->kind == PL_NODE_CAST;
  pl_str text = text_from_block(n->c, one->decl->init, n->tiles, n->object, n->depth + 1);
  pl_put(n->c->arena, &n->parts, node->range,
         alone && !pl_str_starts(text, "(") ? text : pl_arena_printf(n->c->arena, "(%.*s)", PL_FMT(text)));
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
  bool typed = decl->type->written.n && !pl_str_is(pl_without_const(decl->type->written), "auto");
  return (pl_is_reference(decl->type) ? decl->node->parent->nkids == 1 : typed) &&
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
  pl_replace_with(c->arena, own, one, text, c->loop->func->body->range);
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

static pl_str name_of(const carving *c, const part *one) {
  if (!one->member)
    return one->decl->name;
  return pl_name_not_taken(c->loop->unit, c->arena,
                           pl_arena_printf(c->arena, "%.*s_%.*s", PL_FMT(one->decl->name),
                                           PL_FMT(one->member->name)));
}

/* The object of a part and of those that it may have bytes in common with, which is declared
 * with the first of them. */
static pl_str object_of(carving *c, size_t i, pl_text *objects) {
  pl_str first = name_of(c, &c->parts[c->parts[i].group]);
  pl_str name = pl_name_not_taken(c->loop->unit, c->arena,
                                  pl_arena_printf(c->arena, "%.*s_apart", PL_FMT(first)));
  if (c->parts[i].group == i)
    pl_text_printf(objects,
                   " extern __shared__ __attribute__((annotate(\"%s\"))) char %.*s[];",
                   c->here ? PL_APART_HERE_MARK : PL_APART_MARK,
                   PL_FMT(name));
  return name;
}

/* An initialiser as one of a place in such an object, where it lies as it does in the block. */
static pl_str text_in_object(carving *c, const pl_node *init, pl_str object) {
  const pl_type *element = c->block->type->element;
  c->fine = c->fine && !element->in_text;
  pl_str block = pl_arena_printf(c->arena, "((%.*s *)%.*s)", PL_FMT(element->spelling),
                                 PL_FMT(object));
  return text_from_block(c, init, true, block, 0);
}

/* What a part that is set apart is in the text. */
static pl_str text_of_part(carving *c, size_t i, pl_text *objects) {
  const pl_decl *decl = c->parts[i].decl;
  pl_str object = object_of(c, i, objects);
  return is_alone(c, i) && !pl_is_reference(decl->type)
             ? pl_arena_printf(c->arena, "(%.*s)%.*s", PL_FMT(decl->type->written), PL_FMT(object))
             : text_in_object(c, decl->init, object);
}

/* ---- members --------------------------------------------------------------------------- */

/* Whether a part is a member that gets a name of its own: its record has tiles as well. */
static bool is_split_off(const carving *c, const part *one) {
  return one && one->member && !one->is_tile && part_named(c, one->decl)->is_tile;
}

typedef struct member_walk {
  carving *c;
  pl_replacements *own;
} member_walk;

/* Puts those names in the place of `sh.sums`, but where a part is declared, which is made
 * anew from the block. */
static bool name_member(pl_node *node, void *context) {
  member_walk *w = context;
  carving *c = w->c;
  const pl_decl *member = node->kind == PL_NODE_REF && part_named(c, node->decl)
                              ? member_named(c, node) : NULL;
  const part *one = member ? part_of_member(c, node->decl, member) : NULL;
  for (size_t i = 0; i < c->all.nnames; i++)
    if (node->kind == PL_NODE_VAR && node->decl == c->parts[i].decl &&
        !pl_declared_inside(node->decl, c->loop->node))
      return false;
  if (!is_split_off(c, one))
    return true;
  pl_replacement put = {node->parent->range, name_of(c, one)};
  say_otherwise(c, w->own, put, put.text);
  return false;
}

/* What the function declares by itself, which is not known where the block is declared. */
static bool is_local(pl_node *node, const void *context) {
  const carving *c = context;
  return node->kind == PL_NODE_REF && node->decl && node->decl->kind == PL_DECL_VAR &&
         node->decl->owner == c->loop->func && !node->decl->is_shared &&
         !part_named(c, node->decl);
}

/* Declares the members of names that are split off: behind the block, as the names themselves
 * may stand in the loop alone. */
static void declare_members(carving *c, pl_text *objects, pl_text *here, pl_text *there) {
  pl_str indent = pl_indent_at(c->loop->unit, c->loop->func->body->kids[0]->range.begin);
  for (size_t i = c->all.nnames; i < c->nparts; i++) {
    const part *one = &c->parts[i];
    const char *arrow = pl_is_reference(one->decl->type) ? "." : "->";
    if (!is_split_off(c, one))
      continue;
    c->fine = c->fine && !pl_node_find(one->decl->init, is_local, c);
    pl_str as = name_of(c, one), object = object_of(c, i, objects);
    pl_text_printf(here, "\n%.*sauto &%.*s = (%.*s)%s%.*s;", PL_FMT(indent), PL_FMT(as),
                   PL_FMT(text_in_object(c, one->decl->init, object)), arrow,
                   PL_FMT(one->member->name));
    pl_text_printf(there, "\n%.*sauto &%.*s = (%.*s)%s%.*s;", PL_FMT(indent), PL_FMT(as),
                   PL_FMT(text_from_block(c, one->decl->init, true, PL_STR(""), 0)), arrow,
                   PL_FMT(one->member->name));
  }
}

/* The byte behind a place: what is put there is not where others put what is to follow. */
static pl_range byte_behind(const carving *c, uint32_t end, pl_str *text) {
  pl_range byte = {end, end + 1};
  *text = pl_unit_slice(c->loop->unit, byte);
  return byte;
}

/* Behind the function's brace the objects, behind the block the names of members. */
static void put_declarations(carving *c, pl_replacements *own, pl_str objects, pl_str here,
                             pl_str there) {
  const pl_node *stmt = c->block->owner ? c->block->node->parent : NULL;
  pl_str text;
  pl_range byte = byte_behind(c, c->loop->func->body->range.begin + 1, &text);
  pl_str behind = stmt ? PL_STR("") : here;
  pl_replacement one = {byte, pl_arena_printf(c->arena, "%.*s%.*s%.*s", PL_FMT(objects),
                                              PL_FMT(behind), PL_FMT(text))};
  if (behind.n)
    say_otherwise(c, own, one, pl_arena_printf(c->arena, "%.*s%.*s", PL_FMT(there), PL_FMT(text)));
  else
    PL_PUSH(c->arena, own->items, own->n, own->cap, one);
  if (!stmt || !here.n)
    return;
  one.range = byte_behind(c, stmt->range.end, &text);
  one.text = pl_arena_printf(c->arena, "%.*s%.*s", PL_FMT(here), PL_FMT(text));
  c->fine = c->fine && c->loop->unit->text.p[stmt->range.end - 1] == ';';
  say_otherwise(c, own, one, pl_arena_printf(c->arena, "%.*s%.*s", PL_FMT(there), PL_FMT(text)));
}

/* An object for each part that is set apart, and the pointers that lead there. */
static bool set_apart(carving *c, pl_replacements *out) {
  pl_text objects = {.arena = c->arena}, here = objects, there = objects;
  uint32_t brace = c->loop->func->body->range.begin;
  pl_replacements own = {0};
  own.otherwise = out->otherwise;
  for (size_t i = 1; i < c->all.nnames && c->fine; i++) {
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
  member_walk members = {c, &own};
  pl_node_walk(c->loop->func->body, name_member, &members);
  declare_members(c, &objects, &here, &there);
  put_declarations(c, &own, pl_text_view(&objects), pl_text_view(&here), pl_text_view(&there));
  for (size_t i = 0; i < out->n; i++)
    c->fine = c->fine && out->items[i].range.begin - brace > 1;
  if (!c->fine)
    return false;
  pl_put_all(c->arena, out, &own);
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

bool pl_asks_for_parts(const pl_loop *loop, bool is_static) {
  bool beside = (is_static || may_have_stages(loop)) && loop->double_id &&
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
        !a->parts[i].member != !b->parts[i].member ||
        (a->parts[i].member && !pl_str_eq(a->parts[i].member->name, b->parts[i].member->name)) ||
        a->parts[i].is_tile != b->parts[i].is_tile || a->parts[i].group != b->parts[i].group)
      return false;
  return true;
}

/* Parts that all instantiations in sight have; false: there are none. */
static bool carve_alike(const pl_attempt *attempt, pl_loop *loop, bool here, carving *c) {
  carving other;
  bool alike = carve(loop, attempt->arena, here, c);
  for (size_t i = 0; alike && i < attempt->every.n; i++) {
    pl_loop *one = attempt->every.items[i];
    alike = one == loop || !is_same_loop(one, loop) ||
            (carve(one, attempt->arena, here, &other) && are_same_parts(c, &other));
  }
  return alike;
}

/* Of a template, instantiations that are not in sight may have other parts. */
void pl_parts_apart(const pl_attempt *attempt, pl_loop *loop, pl_replacements *out) {
  carving c, ever;
  bool apart = pl_asks_for_parts(loop, false) && carve_alike(attempt, loop, true, &c);
  bool may_be_hidden = loop->func->is_template || loop->func->pattern;
  c.here = apart && (may_be_hidden || !carve(loop, attempt->arena, false, &ever) ||
                     !are_same_parts(&c, &ever));
  if (apart && set_apart(&c, out))
    out->for_async = true;
}
