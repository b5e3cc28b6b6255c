/* access_cells.c - where does the body of a tile loop name the cells of a tile?
 *
 * Needs: the run of the loop's text, and the names of cells that are looked for. Gives:
 * for each of them its indices as forms, in any iteration of the tile loop, and where
 * control may be there. Raises: nothing.
 *
 * The tile loop is the outermost one that is run. Its counter is the same for all
 * threads. What is not known is the same for two of them, or for two iterations, only
 * where divergence and variance say so. */
#include "access.h"

/* ---- which are named ------------------------------------------------------ */

static bool is_array(const pl_type *type) {
  return type && type->kind == PL_TYPE_ARRAY;
}

/* A record whose members lie side by side. */
static bool is_struct(const pl_type *type) {
  return type && (type->kind == PL_TYPE_RECORD ||
                  (type->kind == PL_TYPE_DEPENDENT && type->is_user)) &&
         !type->is_union;
}

/* Takes one step from a name towards a cell: an index, or a member of a tile that
 * is a record. NULL: what stands around it is neither. */
static pl_node *step_into(const pl_decl *tile, pl_node *at, pl_named_cell *out) {
  pl_node *up = at->parent;
  while (up && up->kind == PL_NODE_PAREN)
    up = up->parent;
  bool index = up && up->kind == PL_NODE_SUBSCRIPT &&
               out->n < PL_MOST_INDICES && pl_node_bare(up->kids[0]) == at;
  bool part = up && up->kind == PL_NODE_MEMBER && !up->is_arrow && up->decl &&
              up->decl->is_field && !up->decl->is_in_union &&
              !tile->ndims && is_struct(at->type) &&
              out->nparts < PL_MOST_PARTS;
  if (index)
    out->index[out->n++] = up->kids[1];
  else if (part)
    out->part[out->nparts++] = up->name;
  return index || part ? up : NULL;
}

bool pl_cell_of(const pl_decl *tile, pl_node *ref, pl_named_cell *out) {
  pl_node *at = ref;
  *out = (pl_named_cell){0};
  while (at && (out->n < tile->ndims ||
                (!tile->ndims &&
                 (is_array(at->type) || (!out->n && is_struct(at->type))))))
    at = step_into(tile, at, out);
  out->node = at;
  return at && out->n + out->nparts > 0 && at->type && !is_array(at->type);
}

/* ---- names --------------------------------------------------------------- */

/* A text that may say of a name that it is the same for all threads, or in all
 * iterations. To find that out takes long, and few names are asked for it. */
typedef struct pl_flag {
  pl_loop *loop;
  pl_node *text;
  const pl_decl *decl;   /* a variable: the name is its value wherever it is named */
  pl_node *within;       /* ... in here */
  bool says[PL_IN_ITERATIONS + 1];
  const struct pl_flag *next;
} pl_flag;

static pl_affine_name *new_name(pl_accesses *of, const pl_affine *form) {
  bool is_name = of->flags && form->n == 1 && form->terms[0].by == 1 &&
                 !form->constant;
  return is_name ? &of->names.names[form->terms[0].name] : NULL;
}

static void add_flag(pl_accesses *of, pl_affine_name *name, pl_flag flag) {
  pl_flag *made = PL_NEW(of->names.arena, pl_flag);
  *made = flag;
  made->loop = of->loop;
  made->next = name->flags;
  name->flags = made;
}

static bool is_outermost(const pl_accesses *of, const pl_affine_name *name) {
  return of->wanted && (!name->turns || name->turns->depth == 1);
}

void pl_access_flag(pl_accesses *of, const pl_affine *form, pl_node *text) {
  pl_affine_name *name = new_name(of, form);
  if (!name || !text || of->func != of->loop->func)
    return;
  if (!name->text) {
    name->text = text;
    name->early = of->before != NULL;
  }
  add_flag(of, name, (pl_flag){.text = text, .says = {is_outermost(of, name), true}});
}

void pl_access_flag_common(pl_accesses *of, const pl_affine *form, pl_node *text) {
  pl_affine_name *name = new_name(of, form);
  if (name && of->func == of->loop->func)
    add_flag(of, name, (pl_flag){.text = text, .says = {true, false}});
}

typedef struct ref_walk {
  pl_loop *loop; /* NULL: it is not asked what varies */
  const pl_decl *decl;
  pl_node *found;
  bool varies; /* in some place where it is named, the value that is found there */
} ref_walk;

static bool find_refs(pl_node *node, void *context) {
  ref_walk *w = context;
  if (node->kind != PL_NODE_REF || node->decl != w->decl)
    return true;
  w->found = node;
  w->varies = w->varies || (w->loop && pl_ever_varies(w->loop, node));
  return true;
}

/* What is set inside of the tile loop has a value that may be another one at each
 * place. */
void pl_access_flag_variable(pl_accesses *of, const pl_affine *form,
                             const pl_decl *decl) {
  pl_affine_name *name = new_name(of, form);
  ref_walk w = {.decl = decl};
  if (!name || decl->owner != of->loop->func)
    return;
  pl_node *within = of->loop->node ? of->loop->node : of->loop->body;
  pl_node_walk(within, find_refs, &w);
  if (!w.found)
    pl_node_walk(within = of->loop->func->body, find_refs, &w);
  name->text = w.found;
  if (w.found)
    add_flag(of, name, (pl_flag){.text = w.found, .decl = decl, .within = within,
                                 .says = {is_outermost(of, name),
                                          !(of->wanted && name->turns)}});
}

static bool says_so(const pl_flag *flag, pl_sameness in) {
  ref_walk w = {.loop = flag->loop, .decl = flag->decl};
  if (!flag->says[in])
    return false;
  if (in == PL_IN_THREADS)
    return pl_is_uniform(flag->loop, flag->text);
  if (!flag->decl)
    return !pl_ever_varies(flag->loop, flag->text);
  pl_node_walk(flag->within, find_refs, &w);
  return !w.varies;
}

static bool is_flagged(pl_affine_name *name, pl_sameness in) {
  bool *known = in == PL_IN_THREADS ? &name->common : &name->settled;
  for (const pl_flag *flag = name->flags; flag != name->asked[in] && !*known;
       flag = flag->next)
    *known = says_so(flag, in);
  name->asked[in] = name->flags;
  return *known;
}

void pl_access_define(pl_accesses *of, pl_typed any, pl_decision decision,
                      pl_typed a, pl_typed b) {
  pl_affine_name *name = new_name(of, any.is);
  pl_affines *all = &of->names;
  if (!name || !any.bytes || a.bytes != any.bytes || b.bytes != any.bytes)
    return;
  const pl_where *is_a = pl_typed_compare(all, PL_OP_EQ, any, a).yes;
  const pl_where *is_b = pl_typed_compare(all, PL_OP_EQ, any, b).yes;
  new_name(of, any.is)->known =
      pl_where_either(all, pl_where_both(all, decision.yes, is_a),
                      pl_where_both(all, decision.no, is_b));
}

bool pl_is_same_name(const pl_affines *all, uint32_t name, pl_sameness in) {
  pl_affine_name *is = &all->names[name];
  return is_flagged(is, in) ||
         (is->of && pl_is_same_form(all, is->of, in) &&
          (!is->with || pl_is_same_form(all, is->with, in)));
}

bool pl_is_same_form(const pl_affines *all, const pl_affine *form,
                     pl_sameness in) {
  for (uint32_t i = 0; i < form->n; i++)
    if (!pl_is_same_name(all, form->terms[i].name, in))
      return false;
  return true;
}

bool pl_is_settled(const pl_affines *all, const pl_where *where) {
  if (!where)
    return true;
  return where->of ? pl_is_same_form(all, where->of, PL_IN_ITERATIONS)
                   : pl_is_settled(all, where->a) && pl_is_settled(all, where->b);
}

/* ---- cells --------------------------------------------------------------- */

typedef struct written_but {
  const struct pl_written *written;
  const pl_decl *target; /* which is set last */
} written_but;

static bool is_written(pl_node *node, const void *context) {
  const written_but *w = context;
  const pl_decl *decl = node->kind == PL_NODE_REF ? node->decl : NULL;
  bool reference = decl && decl->type && decl->type->kind == PL_TYPE_REFERENCE;
  for (size_t i = 0; decl && i < w->written->n; i++)
    if (reference || (w->written->items[i] == decl && decl != w->target))
      return true;
  return false;
}

/* Whether an assignment, or a call, that a part of it is an operand of sets something only
 * when all operands have been evaluated. */
static bool sets_at_last(pl_accesses *of, pl_node *node, const pl_node *part) {
  bool last = node->kind == PL_NODE_ASSIGN || node->kind == PL_NODE_CALL;
  for (uint32_t i = 0; i < node->nkids && last; i++)
    last = !node->kids[i] || !pl_access_written(of, node->kids[i])->n ||
           (pl_node_within(part, node->kids[i]) &&
            sets_at_last(of, pl_node_bare(node->kids[i]), part));
  return last;
}

/* Whether a statement sets, on the way, what a part of it names. */
static bool is_set_beside(pl_accesses *of, pl_node *node, pl_node *part) {
  if (sets_at_last(of, node->kind == PL_NODE_VAR && node->nkids ? node->kids[0] : node, part))
    return false;
  const pl_node *target =
      node->kind == PL_NODE_ASSIGN ? pl_node_bare(node->kids[0]) : NULL;
  written_but w = {.written = pl_access_written(of, node)};
  if (target && target->kind == PL_NODE_REF &&
      !pl_assigned_anywhere(node->kids[1], target->decl))
    w.target = target->decl;
  return pl_node_find(part, is_written, &w);
}

/* The conditions of the statement itself under which a part of it is evaluated. */
static void note_conditions(pl_accesses *of, pl_node *node, pl_node *part) {
  for (pl_node *at = part; at != node && at->parent; at = at->parent) {
    pl_node *up = at->parent;
    bool arm = up->kind == PL_NODE_COND && at != up->kids[0];
    bool right = up->kind == PL_NODE_BINARY && at == up->kids[1] &&
                 (up->op == PL_OP_LAND || up->op == PL_OP_LOR);
    if (!arm && !right)
      continue;
    if (is_set_beside(of, node, up->kids[0]) || pl_node_changes(up->kids[0])) {
      of->unsure = true;
      continue;
    }
    pl_decision decision = pl_access_decide(of, up->kids[0]);
    bool holds = arm ? at == up->kids[1] : up->op == PL_OP_LAND;
    of->path = pl_where_both(&of->names, of->path,
                             holds ? decision.yes : decision.no);
  }
}

static void note_cell(pl_accesses *of, const pl_named_cell *cell,
                      pl_node *node) {
  pl_seen_cell fresh = {.cell = cell, .turns = of->turns};
  const pl_where *path = of->path;
  bool unsure = of->unsure;
  of->lost = of->lost || is_set_beside(of, node, cell->node) ||
             pl_node_changes(cell->node) || of->func != of->loop->func;
  if (of->lost)
    return;
  note_conditions(of, node, cell->node);
  if (of->origin) {
    of->in_bounds = true;
    fresh.index[0] = pl_access_place(of, cell->node);
    of->in_bounds = false;
  }
  for (uint32_t d = 0; d < cell->n; d++)
    fresh.index[d] =
        pl_typed_form(&of->names, pl_access_value(of, cell->index[d]));
  if (cell->bound)
    fresh.bound = pl_typed_form(&of->names, pl_access_value(of, cell->bound));
  fresh.within = of->path;
  fresh.sure = !of->unsure;
  if (cell->store && (cell->n || of->origin))
    pl_access_watch(of, fresh.index[cell->n ? cell->n - 1 : 0]);
  of->path = path;
  of->unsure = unsure;
  if (!of->trials)
    PL_PUSH(of->names.arena, of->seen, of->nseen, of->seen_cap, fresh);
}

/* Whether a node is evaluated as a whole, where control comes to it. */
static bool is_plain(const pl_node *node) {
  switch (node->kind) {
  case PL_NODE_COMPOUND:
  case PL_NODE_DECL_STMT:
  case PL_NODE_FOR:
  case PL_NODE_WHILE:
  case PL_NODE_DO:
  case PL_NODE_RANGE_FOR:
  case PL_NODE_SWITCH:
  case PL_NODE_LABEL:
  case PL_NODE_ASM:
  case PL_NODE_UNKNOWN:
    return false;
  default:
    return true;
  }
}

void pl_access_note(pl_accesses *of, pl_node *node) {
  if (!is_plain(node))
    return;
  pl_node *part = node->kind == PL_NODE_IF ? node->kids[0] : node;
  for (size_t i = 0; i < of->nwanted && !of->lost; i++)
    if (pl_node_within(of->wanted[i].node, part))
      note_cell(of, &of->wanted[i], part);
}
