/* taken_over.c - kernels that stand alone are looked at once.
 *
 * Needs: an attempt on the source, in which some loop asks for another text. Gives:
 * the source without the bodies of the kernels that no other text is needed for and
 * that nothing else hangs on; what came of the rest in another text, joined with what
 * the first attempt made of those. Raises nothing.
 *
 * Most of the time goes into the parse and the passes, and a file of many kernels is
 * looked at again for the sake of one. A kernel stands alone if it uses nothing that
 * the file defines but macros and constants: no other function's verdict depends on
 * its body, nor its own on theirs. What is joined is checked as a whole
 * (self_check.c). */
#include "expansions.h"
#include "forms.h"
#include "rewrite.h"

#include <string.h>

/* ---- which kernels stand alone --------------------------------------------- */

static bool is_plain_type(const pl_type *type) {
  while (type && type->element)
    type = type->element;
  return !type || !type->is_user;
}

/* Whether a name means something that is the function's own, no user's or a
 * constant. */
static bool is_own(const pl_func *func, const pl_decl *decl) {
  if (!decl->is_user && !decl->in_main)
    return true;
  if (decl->has_value && decl->is_constexpr)
    return true;
  return decl->owner == func && is_plain_type(decl->type) &&
         (decl->kind == PL_DECL_VAR || decl->kind == PL_DECL_PARAM);
}

static bool is_from_outside(pl_node *node, const void *func) {
  switch (node->kind) {
  case PL_NODE_UNKNOWN:
  case PL_NODE_OTHER_DECL:
  case PL_NODE_LAMBDA:
  case PL_NODE_LAUNCH:
  case PL_NODE_RANGE_FOR:
  case PL_NODE_THIS:
    return true;
  case PL_NODE_CALL:
    if (!node->decl || node->ncallees || node->decl->kind == PL_DECL_VAR ||
        node->decl->kind == PL_DECL_PARAM)
      return true;
    break;
  default:
    break;
  }
  return !is_plain_type(node->type) || (node->decl && !is_own(func, node->decl));
}

static bool shares_its_name(const pl_unit *unit, const pl_func *func) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < unit->nfuncs; i++)
    n += pl_str_eq(unit->funcs[i]->qualified, func->qualified);
  return n != 1;
}

static bool has_problem(const pl_unit *unit, pl_range range) {
  for (uint32_t p = 0; p < unit->nproblems; p++)
    if (pl_range_inside(unit->problems[p].range, range))
      return true;
  return false;
}

/* Whether a comment there may ask for something, of what stands below as well. */
static bool has_requests(const pl_unit *unit, pl_run run) {
  for (uint32_t i = pl_comment_from(unit, run.first); i < run.end;
       i = pl_comment_from(unit, i + 1))
    if (pl_str_has(pl_token_text(unit, i), "pipelinify"))
      return true;
  return false;
}

/* Whether a directive there may say something of what stands below. */
static bool has_directives(const pl_unit *unit, pl_run run) {
  for (uint32_t i = pl_directive_from(unit, run.first); i < run.end;
       i = pl_directive_from(unit, i + 1))
    if (!pl_str_starts(pl_directive_at(unit, i), "pragma unroll"))
      return true;
  return false;
}

static bool stands_alone(const pl_unit *unit, const pl_func *func) {
  if (!func->in_main || !func->is_global || func->is_template ||
      func->is_method || func->from_macro || !func->body ||
      func->body->from_macro || shares_its_name(unit, func) ||
      has_problem(unit, func->range))
    return false;
  pl_run run = pl_tokens_in(unit, func->range);
  pl_range body = func->body->range;
  if (has_directives(unit, run) || has_requests(unit, run) ||
      !pl_range_inside(body, func->range) || unit->text.p[body.begin] != '{' ||
      unit->text.p[body.end - 1] != '}')
    return false;
  for (uint32_t i = 0; i < func->nparams; i++)
    if (!is_plain_type(func->params[i]->type))
      return false;
  return !pl_node_find(func->body, is_from_outside, func);
}

static bool is_replaced(const pl_replacements *all, const pl_func *func) {
  for (size_t i = 0; i < all->n; i++)
    if (all->items[i].range.begin < func->range.end &&
        all->items[i].range.end > func->range.begin)
      return true;
  return false;
}

/* (What has stages in dynamic shared memory, or other threads that load, changes its
 * launches, too.) */
static bool has_loops(const pl_attempt *a, const pl_func *func) {
  bool found = false;
  for (size_t i = 0; i < a->loops.n; i++) {
    const pl_loop *loop = a->loops.items[i];
    if (loop->func == func && (loop->dynamic || pl_has_roles(loop)))
      return false;
    found = found || loop->func == func;
  }
  return found;
}

static void choose_functions(pl_taken_over *t) {
  const pl_unit *unit = t->first->unit;
  pl_replacements all = pl_all_replacements(t->first);
  for (uint32_t i = 0; all.n && i < unit->nfuncs; i++)
    if (has_loops(t->first, unit->funcs[i]) &&
        !is_replaced(&all, unit->funcs[i]) &&
        stands_alone(unit, unit->funcs[i]))
      PL_PUSH(t->first->arena, t->funcs, t->n, t->cap, unit->funcs[i]);
}

/* ---- the text without them ------------------------------------------------- */

/* Their lines stay: what stands below is where it was. */
static pl_str text_without(const pl_taken_over *t, pl_str text) {
  pl_str out = pl_arena_str(t->first->arena, text.p, text.n);
  for (size_t i = 0; i < t->n; i++) {
    pl_range body = t->funcs[i]->body->range;
    for (uint32_t k = body.begin + 1; k < body.end - 1; k++)
      if (!strchr("\r\n", out.p[k]))
        ((char *)out.p)[k] = ' ';
  }
  return out;
}

/* The attempt as one on those kernels, or on the others. */
static pl_attempt part_of(const pl_taken_over *t, bool taken_over) {
  pl_attempt part = *t->first;
  part.loops = (pl_loops){0};
  for (size_t i = 0; i < t->first->loops.n; i++) {
    pl_loop *loop = t->first->loops.items[i];
    if (pl_is_among(loop->func, t->funcs, t->n) == taken_over)
      PL_PUSH(part.arena, part.loops.items, part.loops.n, part.loops.cap, loop);
  }
  return part;
}

/* Whether an #if chooses between texts. */
static bool has_builds(const pl_unit *unit) {
  for (size_t i = 0; i < unit->ndirectives; i++)
    if (pl_str_starts(pl_directive_at(unit, unit->directives[i]), "if"))
      return true;
  return false;
}

bool pl_take_over(const pl_attempt *first, const pl_expanded *source,
                  pl_taken_over *t) {
  const pl_options *options = first->options;
  *t = (pl_taken_over){.first = first};
  if (!first->unit || options->dump_after || options->only != PL_SIDE_BOTH ||
      has_builds(first->unit))
    return false;
  choose_functions(t);
  if (!t->n)
    return false;
  t->source = *source;
  t->source.text = text_without(t, source->text);
  t->rest = part_of(t, false);
  return true;
}

/* ---- joined ---------------------------------------------------------------- */

/* The bodies back in their places; false: one has no place any more. */
static bool put_back(const pl_taken_over *t, pl_expanded *e) {
  pl_str out = pl_arena_str(t->first->arena, e->text.p, e->text.n);
  for (size_t i = 0; i < t->n; i++) {
    pl_range body = t->funcs[i]->body->range;
    uint32_t at = pl_offset_in(e, body.begin), length = body.end - body.begin;
    if (pl_offset_in(e, body.end - 1) != at + length - 1)
      return false;
    memcpy((char *)out.p + at, e->source.p + body.begin, length);
  }
  e->text = out;
  return true;
}

static const pl_func *func_around(const pl_attempt *a, const pl_edit *edit) {
  pl_range range = {edit->offset, edit->offset + edit->length};
  for (uint32_t i = 0; i < a->unit->nfuncs; i++)
    if (a->unit->funcs[i]->in_main &&
        pl_range_inside(range, a->unit->funcs[i]->range))
      return a->unit->funcs[i];
  return NULL;
}

/* The words of the form whose header an edit includes, NULL: it does not. */
static const pl_copy_words *included_by(const pl_edit *edit) {
  pl_str text = {edit->text, edit->text_length};
  size_t n;
  const pl_form_row *rows = pl_form_rows(&n);
  for (size_t i = 0; i < n; i++)
    if (rows[i].form->words && pl_str_has(text, "#include ") &&
        pl_str_has(text, rows[i].form->words->header))
      return rows[i].form->words;
  return NULL;
}

static bool needs(const pl_attempt *part, const pl_copy_words *words) {
  for (size_t i = 0; i < part->loops.n; i++)
    if (!part->loops.items[i]->settled &&
        pl_form_of(part->loops.items[i])->words == words)
      return true;
  return false;
}

static bool is_included(const pl_edit *edits, size_t n,
                        const pl_copy_words *words) {
  for (size_t i = 0; i < n; i++)
    if (included_by(&edits[i]) == words)
      return true;
  return false;
}

/* Adds the edits of the kernels that were taken over; false: one is of the file as a
 * whole. */
static bool add_edits(const pl_taken_over *t, const pl_attempt *taken,
                      pl_attempt *a) {
  size_t n = a->nedits;
  pl_edit *edits = PL_NEW_ARRAY(a->arena, pl_edit, n + t->first->nedits + 1);
  for (size_t i = 0; i < n; i++)
    edits[i] = a->edits[i];
  for (size_t i = 0; i < t->first->nedits; i++) {
    pl_edit edit = t->first->edits[i];
    const pl_func *func = func_around(t->first, &edit);
    const pl_copy_words *words = func ? NULL : included_by(&edit);
    if (!func && !words)
      return false;
    if (func ? !pl_is_among(func, t->funcs, t->n)
             : is_included(edits, n, words) || !needs(taken, words))
      continue;
    edit.offset = pl_offset_in(a->expanded, edit.offset);
    edits[n++] = edit;
  }
  a->edits = edits;
  a->nedits = n;
  pl_sort_edits(edits, n);
  return !pl_edits_overlap(edits, n);
}

pl_attempt *pl_join(const pl_taken_over *t, const pl_attempt *second,
                    pl_expanded *of) {
  pl_attempt taken = part_of(t, true), *a = PL_NEW(second->arena, pl_attempt);
  *of = *second->expanded;
  if (!put_back(t, of))
    return NULL;
  *a = *second;
  a->source = of->text;
  a->expanded = of;
  a->joined = t;
  for (size_t i = 0; i < taken.loops.n; i++)
    PL_PUSH(a->arena, a->loops.items, a->loops.n, a->loops.cap,
            taken.loops.items[i]);
  if (!add_edits(t, &taken, a))
    return NULL;
  a->text = pl_apply_edits(a->arena, of->text, a->edits, a->nedits);
  return a;
}

static bool is_of(const pl_taken_over *t, const pl_kernel_report *report) {
  for (size_t i = 0; i < t->n; i++) {
    pl_str name = t->funcs[i]->qualified.n ? t->funcs[i]->qualified
                                           : t->funcs[i]->name;
    if (pl_str_is(name, report->name))
      return true;
  }
  return false;
}

pl_kernel_report *pl_report_attempt(const pl_attempt *a, size_t *count) {
  pl_kernel_report *list =
      pl_report_unit(a->arena, a->unit, &a->loops, a->options, count);
  if (!a->joined)
    return list;
  const pl_attempt *first = a->joined->first;
  size_t others = 0;
  pl_kernel_report *taken = pl_report_unit(a->arena, first->unit, &first->loops,
                                           first->options, &others);
  for (size_t i = 0; i < *count; i++)
    for (size_t k = 0; list[i].name && k < others; k++)
      if (is_of(a->joined, &list[i]) && taken[k].name &&
          strcmp(list[i].name, taken[k].name) == 0)
        list[i] = taken[k];
  return list;
}

/* What became of a loop of the first attempt. */
static pl_loop *outcome_of(const pl_attempt *a, const pl_loop *loop) {
  pl_loop *outcome = PL_NEW(a->arena, pl_loop);
  *outcome = *loop;
  for (size_t i = 0; i < a->loops.n; i++) {
    const pl_loop *other = a->loops.items[i];
    unsigned line, column;
    if (other->unit == a->unit &&
        pl_unit_place(a->unit, other->node->range, &line, &column).begin ==
            loop->node->range.begin)
      outcome->verdict = other->verdict;
  }
  return outcome;
}

void pl_check_pragmas_of(const pl_attempt *a, pl_pragma_list *out) {
  if (!a->joined) {
    pl_check_pragmas(a->unit, &a->loops, out);
    return;
  }
  const pl_attempt *first = a->joined->first;
  pl_loops loops = {0};
  for (size_t i = 0; i < first->loops.n; i++)
    PL_PUSH(a->arena, loops.items, loops.n, loops.cap,
            pl_is_among(first->loops.items[i]->func, a->joined->funcs, a->joined->n)
                ? first->loops.items[i]
                : outcome_of(a, first->loops.items[i]));
  pl_check_pragmas(first->unit, &loops, out);
}
