/* parsed_body.h - the body of one function k, as the frontend gives it, for the tests
 * of what is asked of bodies. a() to h() are there to be called. */
#ifndef PL_PARSED_BODY_H
#define PL_PARSED_BODY_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "frontend.h"

#include <stdlib.h>
#include <string.h>

static const char prelude[] =
    "__device__ int a(), b(), c(), d(), e(), f(), g(), h();\n";

typedef struct graph {
  pl_arena *arena;
  pl_unit *unit;
  pl_func *func;
} graph;

static graph parse(const char *head, const char *body) {
  graph t = {.arena = pl_arena_new(abort)};
  pl_str text = pl_arena_printf(t.arena, "%s%s {\n%s\n}\n", prelude, head, body);
  pl_parse_request request = {.path = "test.cu", .text = text, .arch = 80};
  pl_str error;
  t.unit = pl_parse(t.arena, &request, &error);
  assert_non_null(t.unit);
  assert_int_equal(t.unit->nproblems, 0);
  for (uint32_t i = 0; i < t.unit->nfuncs; i++)
    if (pl_str_is(t.unit->funcs[i]->name, "k"))
      t.func = t.unit->funcs[i]; /* of a template the last instantiation */
  assert_non_null(t.func);
  return t;
}

static inline graph read(const char *body) {
  return parse("__global__ void k(int n, int *p)", body);
}

typedef struct node_search {
  const graph *t;
  pl_node_kind kind;
  const char *text;
  pl_node *node;
} node_search;

static bool find(pl_node *node, void *context) {
  node_search *w = context;
  pl_str text = pl_unit_slice(w->t->unit, node->range);
  if (node->kind == w->kind && !w->node && pl_str_starts(text, w->text))
    w->node = node;
  return !w->node;
}

/* The first node of a kind whose text begins so. */
static pl_node *node_at(const graph *t, pl_node_kind kind, const char *text) {
  node_search w = {t, kind, text, NULL};
  pl_node_walk(t->func->body, find, &w);
  if (!w.node)
    fail_msg("no '%s'", text);
  return w.node;
}

/* The call of a function of one letter. */
static inline pl_node *call(const graph *t, char name) {
  return node_at(t, PL_NODE_CALL, (char[]){name, '(', ')', '\0'});
}

#endif
