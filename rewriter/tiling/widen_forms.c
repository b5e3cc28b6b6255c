/* widen_forms.c - how does a value differ between neighbours, and is it a multiple of
 * them?
 *
 * Needs: the run of the loop's text with the neighbours' number as a name (access.h);
 * widen_premises.c. Gives: by how much an expression grows from one neighbour to the
 * next, whether the first one's is a multiple of how many they are, whether a place is
 * aligned; notes the premises that this rests on. Raises nothing: what is not known has
 * no slope. Neighbours are iterations of a copy loop that any thread of its row, or of the
 * block, may make: what differs between these threads in any other way has no slope
 * either.
 *
 * With x = width * q + j for the j-th neighbour: x / k is the same for all of them where
 * width divides k and x is not negative. They are a power of two, so that numbers that
 * wrap stay multiples. */
#include "access.h"
#include "call_summary.h"
#include "copies.h"
#include "slices.h"
#include "widen.h"

static const pl_slope unknown = {false, 0};

static pl_slope slope(int64_t by) { return (pl_slope){true, by}; }

/* ---- values -------------------------------------------------------------- */

static pl_accesses *run_of(pl_neighbours *n) {
  const pl_decl *counter = n->of_block ? NULL : n->counter;
  pl_accesses *of = n->loop->neighbour_runs;
  while (of && (of->counter != counter || of->in_row != n->in_row))
    of = of->next;
  if (!of) {
    of = PL_NEW(n->loop->arena, pl_accesses);
    pl_find_scenes(of, n->loop->arena, n->loop, counter, n->in_row);
    of->next = n->loop->neighbour_runs;
    n->loop->neighbour_runs = of;
  }
  return of;
}

static bool find_value(pl_neighbours *n, pl_node *node, pl_typed *value) {
  pl_accesses *of = run_of(n);
  if (!node || !pl_access_go_to(of, node))
    return false;
  *value = pl_access_value(of, node);
  return !of->cut;
}

static pl_affine_name *name_of(pl_neighbours *n, uint32_t name) {
  return &run_of(n)->names.names[name];
}

static uint32_t number_of(pl_neighbours *n) { return run_of(n)->number.is->terms[0].name; }

static bool is_flat_form(pl_neighbours *n, const pl_affine *form) {
  return pl_is_same_form(&run_of(n)->names, form, PL_IN_THREADS);
}

bool pl_is_their_number(pl_neighbours *n, pl_node *node) {
  pl_typed value;
  return find_value(n, node, &value) && pl_affine_equal(value.is, run_of(n)->number.is);
}

bool pl_is_same_for_groups(pl_neighbours *n, pl_node *node) {
  pl_typed value;
  return find_value(n, node, &value) && is_flat_form(n, value.is);
}

/* A sum or product of what no instantiation makes negative. */
static bool is_positive_form(pl_neighbours *n, const pl_affine *form) {
  for (uint32_t i = 0; i < form->n; i++) {
    const pl_affine_name at = *name_of(n, form->terms[i].name);
    bool product = at.kind == PL_NAME_PRODUCT && is_positive_form(n, at.of) &&
                   is_positive_form(n, at.with);
    if (form->terms[i].by < 0 ||
        (at.range.least < 0 && !product && !(at.text && pl_not_negative(n->loop, at.text))))
      return false;
  }
  return form->constant >= 0;
}

bool pl_is_not_negative(pl_neighbours *n, pl_node *node) {
  pl_typed value;
  if (pl_not_negative(n->loop, node))
    return true;
  return find_value(n, node, &value) &&
         (pl_typed_range(&run_of(n)->names, value).least >= 0 ||
          (value.exact && is_positive_form(n, value.is)));
}

/* ---- threads ------------------------------------------------------------- */

char pl_numbers_threads(pl_loop *loop, pl_node *node) {
  pl_typed value;
  pl_neighbours n = {.loop = loop};
  return find_value(&n, node, &value) ? pl_thread_form(run_of(&n), value) : 0;
}

bool pl_counts_threads(pl_loop *loop, pl_node *node, char numbered) {
  pl_typed value;
  pl_neighbours n = {.loop = loop};
  pl_accesses *of = run_of(&n);
  const pl_places *at = &of->places;
  if (!find_value(&n, node, &value) || !value.exact)
    return false;
  return numbered == 'x'   ? pl_affine_equal(value.is, at->block[0])
         : numbered == 'b' ? pl_affine_equal(value.is, at->size)
                           : pl_is_product_of(&of->names, value.is, at->block[0], at->block[1]);
}

/* ---- what is not taken apart --------------------------------------------- */

static bool is_pointer(const pl_node *node) {
  return node->type && node->type->kind == PL_TYPE_POINTER;
}

/* Whether what an expression reads may be the thread's own: an array of its, or a
 * member of an object that it has. */
static bool is_own_memory(const pl_node *node) {
  node = pl_node_bare((pl_node *)node);
  while (node && node->nkids &&
         (node->kind == PL_NODE_SUBSCRIPT || node->kind == PL_NODE_MEMBER)) {
    const pl_node *base = pl_node_bare(node->kids[0]);
    if (node->is_arrow || is_pointer(base))
      return false;
    node = base;
  }
  return !(node && node->kind == PL_NODE_REF && node->decl &&
           (node->decl->is_shared || !node->decl->owner));
}

static bool is_flat(pl_slope s) { return s.known && s.by == 0; }

/* Whether what an expression is made of is the same for all neighbours, and so is it. */
static bool is_flat_text(pl_neighbours *n, pl_node *node) {
  bool reads = node->kind == PL_NODE_SUBSCRIPT || node->kind == PL_NODE_MEMBER ||
               (node->kind == PL_NODE_UNARY && node->op == PL_OP_DEREF);
  bool plain = reads || node->kind == PL_NODE_BINARY || node->kind == PL_NODE_COND ||
               node->kind == PL_NODE_CAST ||
               (node->kind == PL_NODE_UNARY && node->op != PL_OP_ADDR) ||
               pl_calls_builtin(node, "min") || pl_calls_builtin(node, "max") ||
               pl_calls_builtin(node, "__ldg");
  if (pl_is_uniform(n->loop, node))
    return true;
  if (!plain || !node->nkids || pl_node_changes(node) ||
      (reads && (!node->type || node->type->is_volatile || is_own_memory(node))))
    return false;
  for (uint32_t i = node->kind == PL_NODE_CALL; i < node->nkids; i++) {
    pl_node *kid = pl_node_bare(node->kids[i]);
    bool array = reads && i == 0 && kid->type && kid->type->kind == PL_TYPE_ARRAY;
    if (!is_flat(array ? pl_slope_of_place(n, kid) : pl_slope_of(n, kid)))
      return false;
  }
  return true;
}

/* ---- slopes -------------------------------------------------------------- */

static bool is_multiple_form(pl_neighbours *n, const pl_affine *form);
static pl_slope slope_of_form(pl_neighbours *n, const pl_affine *form);

/* Whether a divisor is a multiple of the neighbours. */
static bool is_whole_divisor(pl_neighbours *n, const pl_affine_name *quotient) {
  if (quotient->kind != PL_NAME_RATIO)
    return quotient->by % n->width == 0;
  pl_node *by = quotient->text ? pl_node_bare(quotient->text) : NULL;
  return by && by->kind == PL_NODE_BINARY &&
         (by->op == PL_OP_DIV || by->op == PL_OP_REM) &&
         is_flat_form(n, quotient->with) &&
         pl_constant_is(n, PL_PREMISE_MULTIPLE, by->kids[1]);
}

static pl_slope slope_of_quotient(pl_neighbours *n, const pl_affine_name *name) {
  pl_slope of = slope_of_form(n, name->of);
  if (is_flat(of) && (!name->with || is_flat(slope_of_form(n, name->with))))
    return slope(0);
  bool positive = name->kind == PL_NAME_FLOOR ||
                  pl_affine_range(&run_of(n)->names, name->of).least >= 0;
  return of.known && of.by == 1 && positive && is_whole_divisor(n, name) &&
                 is_multiple_form(n, name->of)
             ? slope(0)
             : unknown;
}

static pl_slope slope_of_name(pl_neighbours *n, uint32_t name) {
  const pl_affine_name at = *name_of(n, name);
  if (name == number_of(n))
    return slope(1);
  if (pl_is_same_name(&run_of(n)->names, name, PL_IN_THREADS))
    return slope(0);
  if (at.kind == PL_NAME_FLOOR || at.kind == PL_NAME_QUOTIENT || at.kind == PL_NAME_RATIO)
    return slope_of_quotient(n, &at);
  if (at.kind == PL_NAME_FREE)
    return at.text && !at.early && is_flat_text(n, pl_node_bare(at.text)) ? slope(0)
                                                                          : unknown;
  if (at.kind == PL_NAME_WRAPPED)
    return unknown;
  pl_slope of = slope_of_form(n, at.of), with = slope_of_form(n, at.with);
  return of.known && with.known && !of.by && !with.by ? slope(0) : unknown;
}

static pl_slope slope_of_form(pl_neighbours *n, const pl_affine *form) {
  int64_t sum = 0;
  for (uint32_t i = 0; i < form->n; i++) {
    pl_slope one = slope_of_name(n, form->terms[i].name);
    int64_t part;
    if (!one.known || __builtin_mul_overflow(one.by, form->terms[i].by, &part) ||
        __builtin_add_overflow(sum, part, &sum))
      return unknown;
  }
  return slope(sum);
}

/* In objects of what a pointer points to. */
static pl_slope in_elements(pl_neighbours *n, const pl_node *indexed, pl_slope bytes) {
  int64_t size = pl_access_element(run_of(n), indexed);
  return bytes.known && bytes.by % size == 0 ? slope(bytes.by / size) : unknown;
}

pl_slope pl_slope_of(pl_neighbours *n, pl_node *node) {
  pl_typed value;
  node = pl_node_bare(node);
  if (pl_is_uniform(n->loop, node))
    return slope(0);
  if (!find_value(n, node, &value))
    return unknown;
  pl_slope found = slope_of_form(n, value.is);
  bool index = node->type && (is_pointer(node) || (node->type->kind == PL_TYPE_INT &&
                                                   node->type->size >= 4));
  if (is_pointer(node))
    found = in_elements(n, node, found);
  return found.by == 0 || index ? found : unknown;
}

/* The same of a number that is what its type holds. */
static pl_slope slope_unwrapped(pl_neighbours *n, pl_node *node) {
  pl_typed value;
  return find_value(n, node, &value)
             ? slope_of_form(n, pl_typed_form(&run_of(n)->names, value))
             : unknown;
}

bool pl_grows_unwrapped(pl_neighbours *n, pl_node *node) {
  pl_slope plain = pl_slope_of(n, node), whole = slope_unwrapped(n, node);
  return plain.known && whole.known && plain.by == whole.by;
}

pl_slope pl_slope_of_place(pl_neighbours *n, pl_node *lvalue) {
  lvalue = pl_node_bare(lvalue);
  if (lvalue->kind == PL_NODE_REF)
    return lvalue->decl && lvalue->decl->type &&
                   lvalue->decl->type->kind == PL_TYPE_ARRAY &&
                   (lvalue->decl->is_shared || !lvalue->decl->owner)
               ? slope(0)
               : unknown;
  if (lvalue->kind == PL_NODE_UNARY && lvalue->op == PL_OP_DEREF)
    return pl_slope_of(n, lvalue->kids[0]);
  if (lvalue->kind != PL_NODE_SUBSCRIPT)
    return unknown;
  pl_node *base = pl_node_bare(lvalue->kids[0]);
  bool pointer = is_pointer(base);
  pl_slope from = pointer ? pl_slope_of(n, base) : pl_slope_of_place(n, base);
  pl_slope index = pl_slope_of(n, lvalue->kids[1]);
  if (!from.known || !index.known || (!pointer && from.by != 0))
    return unknown;
  return slope(from.by + index.by);
}

/* ---- multiples ----------------------------------------------------------- */

/* Whether an expression can be asked for, of a value that it had where it stands, or, if
 * `early`, before the tile loop. */
static bool can_be_asked(pl_neighbours *n, pl_node *node, bool early) {
  return n->asks && !node->has_ival && !node->from_macro &&
         pl_can_be_asked(n->loop, node) && (!early || pl_never_changes(n->loop, node));
}

/* How much a multiple may rest on: on nothing that is no premise yet, on constants, on
 * what the run decides. */
typedef enum reliance { ON_NOTHING_NEW, ON_CONSTANTS, ON_THE_RUN } reliance;

static bool is_multiple_name(pl_neighbours *n, uint32_t name, reliance may);

static bool is_multiple_factor(pl_neighbours *n, const pl_affine *form, reliance may) {
  return is_multiple_name(n, form->terms[0].name, may);
}

/* Whether a name is a multiple, or the number that it is a quotient's, or a product's. */
static bool is_multiple_name(pl_neighbours *n, uint32_t name, reliance may) {
  pl_accesses *of = run_of(n);
  const pl_affine_name at = *name_of(n, name);
  if (name == number_of(n) ||
      (n->of_block && name == of->places.block[0]->terms[0].name))
    return true; /* PL_PREMISE_THREADS asks for it */
  size_t before = n->loop->npremises;
  pl_node *text = at.text ? pl_node_bare(at.text) : NULL;
  bool constant = text && pl_constant_is(n, PL_PREMISE_MULTIPLE, text) &&
                  (may >= ON_CONSTANTS || n->loop->npremises == before);
  if (constant)
    return true;
  n->loop->npremises = before;
  if (at.kind == PL_NAME_WRAPPED)
    return is_multiple_form(n, at.of);
  if (at.kind == PL_NAME_PRODUCT)
    return is_multiple_factor(n, at.with, may) || is_multiple_factor(n, at.of, may);
  if (!text || at.turns || !can_be_asked(n, text, at.early))
    return false;
  pl_add_premise(n, PL_PREMISE_MULTIPLE, text);
  if (may == ON_THE_RUN || n->loop->npremises == before)
    return true;
  n->loop->npremises = before;
  return false;
}

/* How many factors of a name can be multiples. */
static int count_choices(pl_neighbours *n, uint32_t name) {
  const pl_affine_name at = *name_of(n, name);
  size_t before = n->loop->npremises;
  if (at.kind == PL_NAME_PRODUCT)
    return count_choices(n, at.of->terms[0].name) + count_choices(n, at.with->terms[0].name);
  bool can_be = is_multiple_name(n, name, ON_THE_RUN);
  n->loop->npremises = before;
  return can_be;
}

/* Whether what is a premise already makes all of the terms in a set multiples. */
static bool are_multiples(pl_neighbours *n, const pl_affine *form, uint64_t left) {
  for (uint32_t i = 0; i < form->n; i++)
    if ((left >> i & 1) && !is_multiple_name(n, form->terms[i].name, ON_NOTHING_NEW))
      return false;
  return true;
}

/* Takes one factor of a name for a multiple that makes all terms in a set such; notes nothing
 * where there is none: of `(y * pitch + x) * channels` that is `channels`. */
static bool one_makes_all(pl_neighbours *n, const pl_affine *form, uint64_t left, uint32_t name,
                          reliance may) {
  const pl_affine_name at = *name_of(n, name);
  size_t before = n->loop->npremises;
  if (at.kind == PL_NAME_PRODUCT)
    return one_makes_all(n, form, left, at.with->terms[0].name, may) ||
           one_makes_all(n, form, left, at.of->terms[0].name, may);
  if (is_multiple_name(n, name, may) && are_multiples(n, form, left))
    return true;
  n->loop->npremises = before;
  return false;
}

/* Terms that one factor alone can make multiples say what others may rest on. */
static bool is_multiple_form(pl_neighbours *n, const pl_affine *form) {
  size_t before = n->loop->npremises;
  uint64_t left = 0;
  if (form->constant % n->width)
    return false;
  for (uint32_t i = 0; i < form->n; i++)
    left |= (uint64_t)(form->terms[i].by % n->width != 0) << i;
  for (int round = 0; round < 5 && left; round++) {
    static const reliance may[] = {ON_NOTHING_NEW, ON_THE_RUN, ON_NOTHING_NEW,
                                   ON_CONSTANTS, ON_THE_RUN};
    uint32_t first = left ? (uint32_t)__builtin_ctzll(left) : 0;
    if (round == 3 && (one_makes_all(n, form, left, form->terms[first].name, ON_CONSTANTS) ||
                       one_makes_all(n, form, left, form->terms[first].name, ON_THE_RUN)))
      return true;
    for (uint32_t i = 0; i < form->n; i++) {
      uint32_t name = form->terms[i].name;
      if ((left >> i & 1) && (round != 1 || count_choices(n, name) == 1) &&
          is_multiple_name(n, name, may[round]))
        left &= ~((uint64_t)1 << i);
    }
  }
  if (left)
    n->loop->npremises = before;
  return !left;
}

/* Fractions of a multiple are none, nor are truths. */
static bool is_whole(const pl_node *node) {
  const pl_type *type = pl_no_reference(node->type);
  return !type || type->kind == PL_TYPE_INT || type->kind == PL_TYPE_DEPENDENT;
}

/* The same where what a local was set to is no form that could be asked for, but the
 * local is. */
static bool is_multiple_by_parts(pl_neighbours *n, pl_node *node) {
  if (node->kind == PL_NODE_REF)
    return node->decl && node->decl->owner && pl_is_set_once(n->loop, node->decl) &&
           pl_node_within(node->decl->node, n->loop->node) &&
           pl_is_multiple(n, node->decl->init);
  return node->kind == PL_NODE_BINARY && (node->op == PL_OP_ADD || node->op == PL_OP_SUB) &&
         pl_is_multiple(n, node->kids[0]) && pl_is_multiple(n, node->kids[1]);
}

bool pl_is_multiple(pl_neighbours *n, pl_node *node) {
  pl_typed value;
  size_t before = n->loop->npremises;
  node = pl_node_bare(node);
  if (!is_whole(node))
    return false;
  if (n->width == 1 || pl_constant_is(n, PL_PREMISE_MULTIPLE, node))
    return true;
  n->loop->npremises = before;
  if (find_value(n, node, &value) && is_multiple_form(n, value.is))
    return true;
  n->loop->npremises = before;
  if (n->asks && is_multiple_by_parts(n, node))
    return true;
  n->loop->npremises = before;
  if (!can_be_asked(n, node, false))
    return false;
  pl_add_premise(n, PL_PREMISE_MULTIPLE, node);
  return true;
}

/* ---- alignment ----------------------------------------------------------- */

/* A pointer that all threads have before the tile loop. */
static bool is_asked_pointer(pl_neighbours *n, pl_node *ref, bool early) {
  if (!is_pointer(ref) || ref->kind != PL_NODE_REF || !ref->decl || !ref->decl->owner ||
      ref->from_macro || pl_stays_inside(n->loop, ref) || !pl_is_uniform(n->loop, ref) ||
      (early && !pl_never_changes(n->loop, ref)))
    return false;
  pl_add_premise(n, PL_PREMISE_ALIGNED, ref);
  return true;
}

/* One pointer that is asked for, and multiples of the neighbours' bytes. */
static bool is_aligned_form(pl_neighbours *n, const pl_affine *form, int64_t size) {
  int pointers = 0;
  pl_affine *rest = pl_arena_alloc(n->loop->arena, sizeof(pl_affine) +
                                                       form->n * sizeof(pl_affine_term));
  for (uint32_t i = 0; i < form->n; i++) {
    const pl_affine_name at = *name_of(n, form->terms[i].name);
    pl_node *text = at.text ? pl_node_bare(at.text) : NULL;
    if (text && is_pointer(text) && form->terms[i].by == 1 && !at.turns &&
        is_asked_pointer(n, text, at.early))
      pointers++;
    else if (form->terms[i].by % size)
      return false;
    else
      rest->terms[rest->n++] =
          (pl_affine_term){form->terms[i].name, form->terms[i].by / size};
  }
  rest->constant = form->constant / size;
  return pointers == 1 && form->constant % size == 0 && is_multiple_form(n, rest);
}

static bool is_aligned_pointer(pl_neighbours *n, pl_node *node) {
  pl_typed value;
  size_t before = n->loop->npremises;
  node = pl_node_bare(node);
  if (find_value(n, node, &value) &&
      is_aligned_form(n, value.is, pl_access_element(run_of(n), node)))
    return true;
  n->loop->npremises = before;
  if (node->kind == PL_NODE_REF)
    return node->decl && !pl_assigned_anywhere(n->loop->node, node->decl) &&
           is_asked_pointer(n, node, false);
  if (node->kind == PL_NODE_UNARY && node->op == PL_OP_ADDR)
    return pl_is_aligned_place(n, node->kids[0]);
  return node->kind == PL_NODE_BINARY &&
         (node->op == PL_OP_ADD || node->op == PL_OP_SUB) &&
         is_aligned_pointer(n, node->kids[0]) && pl_is_multiple(n, node->kids[1]);
}

bool pl_is_aligned_place(pl_neighbours *n, pl_node *lvalue) {
  lvalue = pl_node_bare(lvalue);
  if (lvalue->kind == PL_NODE_CALL && lvalue->nkids > 1 &&
      !pl_named_by_call(lvalue))
    return is_aligned_pointer(n, lvalue->kids[1]);
  if (lvalue->kind == PL_NODE_UNARY && lvalue->op == PL_OP_DEREF)
    return is_aligned_pointer(n, lvalue->kids[0]);
  if (lvalue->kind != PL_NODE_SUBSCRIPT)
    return false;
  size_t before = n->loop->npremises;
  pl_accesses *of = run_of(n);
  if (pl_access_go_to(of, lvalue) &&
      is_aligned_form(n, pl_access_place(of, lvalue), pl_access_element(of, lvalue->kids[0])))
    return true;
  n->loop->npremises = before;
  return is_aligned_pointer(n, lvalue->kids[0]) && pl_is_multiple(n, lvalue->kids[1]);
}

bool pl_holds_for_all_or_none(pl_neighbours *n, pl_node *cond) {
  size_t before = n->loop->npremises;
  bool strict = cond->op == PL_OP_LT || cond->op == PL_OP_GE;
  int64_t left = pl_slope_of(n, cond->kids[0]).by;
  int64_t right = pl_slope_of(n, cond->kids[1]).by;
  n->asks = true;
  bool even = left + right == 1 && strict == (left == 1) &&
              pl_is_multiple(n, cond->kids[0]) &&
              pl_is_multiple(n, cond->kids[1]);
  even = even && n->loop->npremises == before;
  n->loop->npremises = before;
  return even;
}
