/* alike.c - do two statements do the same, where a counter is a number?
 *
 * Needs: trees. Gives: a form of a statement that another one has as well, if it does the
 * same: sums of products in one order, variables that it declares by number, and a counter
 * by a value that it is given. Raises nothing.
 *
 * A sum is exact where its parts have one type, or are signed, which do not overflow; an
 * unsigned part that is widened is no more taken apart than a call is. */
#include "alike.h"
#include "expansions.h"
#include "values.h"

#include <stdlib.h>
#include <string.h>

#define MOST_TERMS 32
#define MOST_LOCALS 32
#define MOST_DEPTH 64

typedef struct term {
  int64_t by;
  pl_str of; /* factors in order; empty: a number */
  const pl_type *type; /* of the one factor; NULL: a number, or there are several */
} term;

typedef struct sum {
  term items[MOST_TERMS];
  size_t n;
} sum;

typedef struct forming {
  const pl_alike *how;
  const pl_decl *locals[MOST_LOCALS];
  size_t nlocals;
  int depth;
  bool fine;
} forming;

static void write_form(forming *f, pl_text *out, pl_node *node);

static pl_str form_text(forming *f, pl_node *node) {
  pl_text out = {.arena = f->how->arena};
  write_form(f, &out, node);
  return pl_text_view(&out);
}

/* ---- sums ------------------------------------------------------------------------ */

static int in_order(pl_str a, pl_str b) {
  size_t n = a.n < b.n ? a.n : b.n;
  int first = n ? memcmp(a.p, b.p, n) : 0;
  return first ? first : (a.n > b.n) - (a.n < b.n);
}

static int by_factors(const void *x, const void *y) {
  return in_order(((const term *)x)->of, ((const term *)y)->of);
}

static void add_term(forming *f, sum *s, int64_t by, pl_str of, const pl_type *type) {
  for (size_t i = 0; i < s->n; i++)
    if (pl_str_eq(s->items[i].of, of)) {
      f->fine = f->fine && !__builtin_add_overflow(s->items[i].by, by, &s->items[i].by);
      return;
    }
  f->fine = f->fine && s->n < MOST_TERMS;
  if (s->n < MOST_TERMS)
    s->items[s->n++] = (term){by, of, type};
}

static pl_str product(forming *f, pl_str a, pl_str b) {
  if (!a.n || !b.n)
    return a.n ? a : b;
  bool first = in_order(a, b) <= 0;
  return pl_arena_printf(f->how->arena, "%.*s*%.*s", PL_FMT(first ? a : b), PL_FMT(first ? b : a));
}

static bool is_sum_type(const pl_type *type) {
  return type && (type->kind == PL_TYPE_INT || type->kind == PL_TYPE_POINTER);
}

/* Whether what a part comes to is the same in the type of the whole. */
static bool is_exact(const pl_type *part, const pl_type *whole) {
  bool widened = whole->kind == PL_TYPE_POINTER || whole->size > part->size;
  return part->kind == PL_TYPE_POINTER || (part->kind == PL_TYPE_INT && part->size >= 4 &&
                                           !(part->is_unsigned && widened) &&
                                           (whole->kind == PL_TYPE_POINTER || whole->size >= part->size));
}

/* Whether what is below zero is a large number before it is a part of the whole: a counter
 * that is unsigned, one step before its first value, where it is widened. */
static bool wraps_before(const pl_type *part, const pl_type *whole) {
  return part->is_unsigned && (whole->kind != PL_TYPE_INT || whole->size != part->size);
}

static void add_to_sum(forming *f, sum *s, pl_node *node, const pl_type *whole, int64_t by);

/* `a * b` of sums. */
static void add_product(forming *f, sum *s, pl_node *node, const pl_type *whole, int64_t by) {
  sum a = {.n = 0}, b = {.n = 0};
  add_to_sum(f, &a, node->kids[0], whole, 1);
  add_to_sum(f, &b, node->kids[1], whole, 1);
  for (size_t i = 0; i < a.n; i++)
    for (size_t k = 0; k < b.n; k++) {
      int64_t times = 0;
      f->fine = f->fine && !__builtin_mul_overflow(a.items[i].by, b.items[k].by, &times) &&
                !__builtin_mul_overflow(times, by, &times);
      pl_str of = product(f, a.items[i].of, b.items[k].of);
      add_term(f, s, times, of, NULL);
    }
}

static void add_to_sum(forming *f, sum *s, pl_node *node, const pl_type *whole, int64_t by) {
  pl_node *bare = pl_node_bare(node);
  const pl_type *type = pl_no_reference(bare->type);
  int64_t value = 0;
  if (pl_alike_number(f->how, bare, &value)) {
    f->fine = f->fine && (value >= 0 || !wraps_before(type, whole)) &&
              !__builtin_mul_overflow(value, by, &value);
    add_term(f, s, value, PL_STR(""), NULL);
    return;
  }
  bool binary = bare->kind == PL_NODE_BINARY && is_sum_type(type) && is_exact(type, whole);
  if (binary && (bare->op == PL_OP_ADD || bare->op == PL_OP_SUB)) {
    add_to_sum(f, s, bare->kids[0], type, by);
    add_to_sum(f, s, bare->kids[1], type, bare->op == PL_OP_SUB ? -by : by);
  } else if (binary && bare->op == PL_OP_MUL) {
    add_product(f, s, bare, type, by);
  } else if (bare->kind == PL_NODE_UNARY && bare->op == PL_OP_ADDR &&
             pl_node_bare(bare->kids[0])->kind == PL_NODE_SUBSCRIPT &&
             whole->kind == PL_TYPE_POINTER) {
    pl_node *cell = pl_node_bare(bare->kids[0]);
    add_to_sum(f, s, cell->kids[0], whole, by);
    add_to_sum(f, s, cell->kids[1], whole, by);
  } else {
    add_term(f, s, by, form_text(f, bare), type);
  }
}

static void write_terms(sum *s, pl_text *out) {
  qsort(s->items, s->n, sizeof *s->items, by_factors);
  for (size_t i = 0; i < s->n; i++)
    if (s->items[i].by)
      pl_text_printf(out, "%+lld.%.*s", (long long)s->items[i].by, PL_FMT(s->items[i].of));
}

/* A sum of one part, or of none, is that: `(t + 1) * T + x` where t is -1. */
static bool write_alone(const sum *s, pl_text *out, const pl_type *type) {
  const term *one = NULL;
  for (size_t i = 0; i < s->n; i++) {
    if (s->items[i].by && one)
      return false;
    one = s->items[i].by ? &s->items[i] : one;
  }
  bool number = !one || !one->of.n;
  if (number)
    pl_text_printf(out, "%lld", one ? (long long)one->by : 0);
  else if (one->by == 1 && one->type && pl_same_type(one->type, type))
    pl_text_add(out, one->of);
  else
    return false;
  return true;
}

static void write_sum(forming *f, pl_text *out, pl_node *node, const pl_type *type) {
  sum s = {.n = 0};
  add_to_sum(f, &s, node, type, 1);
  if (write_alone(&s, out, type))
    return;
  pl_text_printf(out, "(");
  write_terms(&s, out);
  pl_text_printf(out, ")");
}

/* ---- the rest ----------------------------------------------------------------------- */

static void write_name(forming *f, pl_text *out, const pl_node *node) {
  for (size_t i = 0; i < f->nlocals; i++)
    if (f->locals[i] == node->decl) {
      pl_text_printf(out, "#%zu", i);
      return;
    }
  if (node->decl)
    pl_text_printf(out, "@%p", (const void *)node->decl);
  else
    pl_text_printf(out, "'%.*s'", PL_FMT(node->name));
}

static void write_type(pl_text *out, const pl_type *type) {
  if (type)
    pl_text_printf(out, ":%.*s", PL_FMT(pl_no_reference(type)->spelling));
}

static void write_form(forming *f, pl_text *out, pl_node *node) {
  node = node ? pl_node_bare(node) : NULL;
  if (!node || ++f->depth > MOST_DEPTH) {
    f->fine = f->fine && !node;
    pl_text_printf(out, "-");
    return;
  }
  const pl_type *type = pl_no_reference(node->type);
  pl_node *kept = f->how->stands_for ? f->how->stands_for(f->how, node) : NULL;
  int64_t value = 0;
  if (kept) {
    write_name(f, out, kept);
  } else if (pl_alike_number(f->how, node, &value)) {
    pl_text_printf(out, "%lld", (long long)value);
  } else if (is_sum_type(type) &&
             ((node->kind == PL_NODE_BINARY &&
               (node->op == PL_OP_ADD || node->op == PL_OP_SUB || node->op == PL_OP_MUL)) ||
              (node->kind == PL_NODE_UNARY && node->op == PL_OP_ADDR))) {
    if (node->kind == PL_NODE_UNARY && pl_node_bare(node->kids[0])->kind != PL_NODE_SUBSCRIPT) {
      pl_text_printf(out, "&");
      write_form(f, out, node->kids[0]);
    } else {
      write_sum(f, out, node, type);
    }
  } else if (node->kind == PL_NODE_REF) {
    write_name(f, out, node);
  } else if (node->kind == PL_NODE_SUBSCRIPT &&
             pl_no_reference(node->kids[0]->type)->kind == PL_TYPE_POINTER) {
    sum s = {.n = 0};
    add_to_sum(f, &s, node->kids[0], pl_no_reference(node->kids[0]->type), 1);
    add_to_sum(f, &s, node->kids[1], pl_no_reference(node->kids[0]->type), 1);
    pl_text_printf(out, "[");
    write_terms(&s, out);
    pl_text_printf(out, "]");
  } else {
    bool says = node->kind == PL_NODE_INT || node->kind == PL_NODE_FLOATING ||
                node->kind == PL_NODE_STRING ||
                node->kind == PL_NODE_ASM || node->kind == PL_NODE_OTHER_DECL;
    f->fine = f->fine && node->kind != PL_NODE_LAMBDA && node->kind != PL_NODE_UNKNOWN &&
              node->kind != PL_NODE_OTHER_DECL;
    pl_text_printf(out, "%d.%d%.*s(", (int)node->kind, (int)node->op, PL_FMT(node->name));
    if (says)
      pl_text_add(out, pl_unit_slice(f->how->unit, node->range));
    if (node->kind == PL_NODE_VAR && node->decl) {
      f->fine = f->fine && f->nlocals < MOST_LOCALS && !node->decl->is_static;
      if (f->nlocals < MOST_LOCALS)
        f->locals[f->nlocals++] = node->decl;
      write_type(out, node->decl->type);
    } else if (node->kind == PL_NODE_CAST || node->kind == PL_NODE_CONSTRUCT) {
      write_type(out, node->type);
    }
    if (node->kind == PL_NODE_SIZEOF)
      pl_text_add(out, pl_unit_slice(f->how->unit, node->range));
    for (uint32_t i = 0; i < node->nkids; i++) {
      pl_text_printf(out, i ? "," : "");
      write_form(f, out, node->kids[i]);
    }
    pl_text_printf(out, ")");
  }
  f->depth--;
}

bool pl_alike_number(const pl_alike *how, pl_node *node, int64_t *value) {
  node = pl_node_bare(node);
  if (node->kind == PL_NODE_REF && node->decl && node->decl == how->counter) {
    *value = how->is_known ? how->is : *value;
    return how->is_known;
  }
  const pl_type *type = pl_no_reference(node->type);
  bool number = type && type->kind == PL_TYPE_INT && (node->kind == PL_NODE_INT || node->has_ival) &&
                !pl_build_may_change(how->unit, node);
  *value = number ? node->ival : *value;
  return number;
}

/* Whether the statement that a node is a part of says nothing more in another build, by a
 * macro that may be empty here. */
static bool is_one_build(const pl_alike *how, const pl_node *node) {
  const pl_unit *unit = how->unit;
  while (node->parent && !pl_node_is_statement(node))
    node = node->parent;
  pl_run run = pl_tokens_in(unit, node->range);
  for (uint32_t t = run.first; t < unit->ntokens; t++) {
    if (unit->tokens[t].kind == PL_TOK_IDENT && pl_is_open_macro(unit, how->arena, t))
      return false;
    if (t + 1 >= run.end && (pl_token_is(unit, t, ";") || pl_token_is(unit, t, "}")))
      break;
  }
  return true;
}

bool pl_alike_form(const pl_alike *how, pl_node *const *stmts, size_t n, pl_str *form) {
  forming f = {.how = how, .fine = true};
  pl_text out = {.arena = how->arena};
  for (size_t i = 0; i < n; i++) {
    f.fine = f.fine && is_one_build(how, stmts[i]);
    write_form(&f, &out, stmts[i]);
    pl_text_printf(&out, ";");
  }
  *form = pl_text_view(&out);
  return f.fine;
}

bool pl_alike_difference(const pl_alike *how, pl_node *const plus[2], pl_node *const minus[2],
                         int64_t *number) {
  forming f = {.how = how, .fine = true};
  sum s = {.n = 0};
  for (int i = 0; i < 2; i++) {
    const pl_type *a = pl_no_reference(plus[i]->type), *b = pl_no_reference(minus[i]->type);
    if (!a || !b || a->kind != PL_TYPE_INT || b->kind != PL_TYPE_INT)
      return false;
    add_to_sum(&f, &s, plus[i], a, i ? -1 : 1);
    add_to_sum(&f, &s, minus[i], b, i ? 1 : -1);
  }
  *number = 0;
  for (size_t i = 0; i < s.n; i++) {
    if (s.items[i].by && s.items[i].of.n)
      return false;
    *number += s.items[i].of.n ? 0 : s.items[i].by;
  }
  return f.fine;
}
