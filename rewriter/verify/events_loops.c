/* events_loops.c - the pipelined main loop, for any number of rounds.
 *
 * Needs: a walker that stands ahead of the loop. Gives: its state behind the loop,
 * with the accesses of round k noted. Raises: nothing.
 *
 * A dry run, with a name for each number that the state holds, shows what a round
 * does to it. A guess is made of that: the number after k rounds, in closed form. The
 * round is then executed from the guess, and has to lead from the one of k to the one
 * of k + 1: that is the proof, by induction. */
#include "events_state.h"

typedef enum law_kind {
  LAW_NONE,   /* not known */
  LAW_SAME,
  LAW_PLUS,   /* `by` a round */
  LAW_CAPPED, /* one a round, up to `by` times T */
  LAW_ROTATES, /* one a round (`down`: one less), modulo `by` */
  LAW_AS,     /* moves as `other` does */
  LAW_BEHIND, /* what `other` was a round ago, and `by` */
  LAW_ASKS    /* whether `other` is below T */
} law_kind;

typedef struct law {
  law_kind kind;
  int64_t by;
  bool down;
  size_t other;
} law;

typedef struct main_loop {
  pl_walker *w;
  pl_node *node, *condition, *body, *step;
  bool is_do;
  pl_env before;         /* ahead of the loop */
  const pl_iset *where;  /* ... and for which T */
  const pl_iform **names, **after; /* of the dry run */
  law *laws;
  const pl_iform *first; /* the tile that the condition asks for at first */
  const pl_iform *rounds;
} main_loop;

static const pl_iform *number(const main_loop *m, int64_t value) {
  return pl_number_in(m->w, value);
}

static const pl_iform *T(const main_loop *m) {
  return pl_iform_name(m->w->ints, "T");
}

static bool has_number(const pl_value *v) {
  return v->n && (v->kind == PL_VALUE_NUMBER || v->kind == PL_VALUE_CLOCK ||
                  v->kind == PL_VALUE_TEMPORARY);
}

/* ---- a round ------------------------------------------------------------------ */

static void do_step(pl_walker *w, pl_node *node) {
  if (!node)
    return;
  if (node->kind == PL_NODE_BINARY && node->op == PL_OP_COMMA) {
    do_step(w, node->kids[0]);
    do_step(w, node->kids[1]);
  } else {
    pl_do_statement(w, node);
  }
}

static void do_round(const main_loop *m) {
  pl_do_statement(m->w, m->body);
  do_step(m->w, m->step);
}

/* ---- laws --------------------------------------------------------------------- */

static bool never(const pl_iset *set) { return pl_iset_is_empty(set) == PL_YES; }

static bool always_equal(const pl_iform *a, const pl_iform *b) {
  return never(pl_iset_compare(a, PL_OP_NE, b));
}

static const pl_iset *between(const main_loop *m, const pl_iform *x, int64_t least,
                              int64_t end) {
  return pl_iset_and(pl_iset_compare(x, PL_OP_GE, number(m, least)),
                     pl_iset_compare(x, PL_OP_LT, number(m, end)));
}

static bool is_clock(const main_loop *m, size_t i) {
  return m->before.items[i].value.kind == PL_VALUE_CLOCK;
}

static bool is_plus(const main_loop *m, size_t i, law *found) {
  const pl_value *v = &m->before.items[i].value;
  int64_t most = is_clock(m, i) ? m->w->source->vars[v->of].writers : 8;
  for (int64_t by = is_clock(m, i) ? most : 1; by <= most; by++)
    if (always_equal(m->after[i], pl_iform_add(m->names[i], number(m, by)))) {
      *found = (law){.kind = LAW_PLUS, .by = by};
      return true;
    }
  return false;
}

static bool is_capped(const main_loop *m, size_t i, law *found) {
  const pl_iform *x = m->names[i];
  for (int64_t by = 1; by <= 1; by++) {
    const pl_iform *most = pl_iform_scale(T(m), by);
    const pl_iset *below = pl_iset_compare(x, PL_OP_LT, most);
    const pl_iset *at = pl_iset_compare(x, PL_OP_EQ, most);
    const pl_iform *next = pl_iform_add(x, number(m, 1));
    if (never(pl_iset_and(below, pl_iset_compare(m->after[i], PL_OP_NE, next))) &&
        never(pl_iset_and(at, pl_iset_compare(m->after[i], PL_OP_NE, x)))) {
      *found = (law){.kind = LAW_CAPPED, .by = by};
      return true;
    }
  }
  return false;
}

static bool is_rotating(const main_loop *m, size_t i, law *found) {
  const pl_iform *x = m->names[i];
  for (int64_t by = 2; by <= PL_MOST_SLOTS; by++)
    for (int down = 0; down < 2; down++) {
      const pl_iform *next =
          pl_iform_mod(pl_iform_add(x, number(m, down ? by - 1 : 1)), by);
      if (never(pl_iset_and(between(m, x, 0, by),
                            pl_iset_compare(m->after[i], PL_OP_NE, next)))) {
        *found = (law){.kind = LAW_ROTATES, .by = by, .down = down};
        return true;
      }
    }
  return false;
}

static bool is_as_another(const main_loop *m, size_t i, law *found) {
  const pl_iform *moved = pl_iform_sub(m->after[i], m->names[i]);
  for (size_t k = 0; k < m->before.n; k++)
    if (m->laws[k].kind == LAW_CAPPED &&
        always_equal(moved, pl_iform_sub(m->after[k], m->names[k]))) {
      *found = (law){.kind = LAW_AS, .other = k};
      return true;
    }
  return false;
}

static bool is_behind_another(const main_loop *m, size_t i, law *found) {
  for (size_t k = 0; k < m->before.n; k++)
    for (int64_t by = -1; by <= 1; by++)
      if (k != i && m->names[k] && m->laws[k].kind != LAW_NONE &&
          m->laws[k].kind != LAW_BEHIND &&
          always_equal(m->after[i], pl_iform_add(m->names[k], number(m, by)))) {
        *found = (law){.kind = LAW_BEHIND, .other = k, .by = by};
        return true;
      }
  return false;
}

/* 1 where a number is below T, else 0. */
static const pl_iform *asks(const main_loop *m, const pl_iform *n) {
  return pl_iform_choose(pl_iset_compare(n, PL_OP_LT, T(m)), number(m, 1),
                         number(m, 0));
}

/* `if (more) { ... more = ++t_load < n; }`: a flag and the clock that it is of hold
 * each other up. */
static bool is_flag_of(main_loop *m, size_t flag, size_t clock) {
  const pl_iform *x = m->names[clock];
  const pl_iset *so = pl_iset_and(
      pl_iset_compare(x, PL_OP_LE, T(m)),
      pl_iset_compare(m->names[flag], PL_OP_EQ, asks(m, x)));
  const pl_iform *next = pl_iform_choose(pl_iset_compare(x, PL_OP_LT, T(m)),
                                         pl_iform_add(x, number(m, 1)), x);
  if (!never(pl_iset_and(so, pl_iset_compare(m->after[clock], PL_OP_NE, next))) ||
      !never(pl_iset_and(so, pl_iset_compare(m->after[flag], PL_OP_NE,
                                             asks(m, next)))))
    return false;
  m->laws[flag] = (law){.kind = LAW_ASKS, .other = clock};
  m->laws[clock] = (law){.kind = LAW_CAPPED, .by = 1};
  return true;
}

static bool has_no_law(const main_loop *m, size_t i) {
  return m->names[i] && m->after[i] && m->laws[i].kind == LAW_NONE;
}

static void find_flags(main_loop *m) {
  for (size_t i = 0; i < m->before.n; i++)
    for (size_t k = 0; k < m->before.n; k++)
      if (i != k && has_no_law(m, i) &&
          m->before.items[i].value.kind == PL_VALUE_NUMBER &&
          (has_no_law(m, k) || m->laws[k].kind == LAW_CAPPED) &&
          m->before.items[k].value.kind == PL_VALUE_CLOCK)
        is_flag_of(m, i, k);
}

static void find_laws(main_loop *m) {
  for (size_t i = 0; i < m->before.n; i++)
    if (m->names[i] && m->after[i] == m->names[i])
      m->laws[i].kind = LAW_SAME;
    else if (m->names[i] && m->after[i] && !is_plus(m, i, &m->laws[i]) &&
             (is_clock(m, i) || !is_rotating(m, i, &m->laws[i])))
      is_capped(m, i, &m->laws[i]);
  find_flags(m);
  for (size_t i = 0; i < m->before.n; i++)
    if (has_no_law(m, i))
      is_as_another(m, i, &m->laws[i]);
  for (size_t i = 0; i < m->before.n; i++)
    if (has_no_law(m, i))
      is_behind_another(m, i, &m->laws[i]);
}

/* A number after k rounds. NULL: not known. */
static const pl_iform *closed(const main_loop *m, size_t i, const pl_iform *k) {
  const pl_iform *start = m->before.items[i].value.n;
  const law *l = &m->laws[i];
  const pl_iform *sum = pl_iform_add(start, k);
  switch (l->kind) {
  case LAW_NONE: return NULL;
  case LAW_SAME: return start;
  case LAW_PLUS: return pl_iform_add(start, pl_iform_scale(k, l->by));
  case LAW_CAPPED:
    return pl_iform_choose(pl_iset_compare(sum, PL_OP_LE, T(m)), sum, T(m));
  case LAW_ROTATES:
    return pl_iform_mod(l->down ? pl_iform_sub(start, k) : sum, l->by);
  case LAW_AS:
    return pl_iform_add(start,
                        pl_iform_sub(closed(m, l->other, k),
                                     m->before.items[l->other].value.n));
  case LAW_BEHIND:
    return pl_iform_choose(
        pl_iset_compare(k, PL_OP_GE, number(m, 1)),
        pl_iform_add(closed(m, l->other, pl_iform_sub(k, number(m, 1))),
                     number(m, l->by)),
        start);
  case LAW_ASKS:
    return asks(m, closed(m, l->other, k));
  }
  return NULL;
}

/* ---- states ------------------------------------------------------------------- */

/* ... for those rounds. */
static void set_state(const main_loop *m, const pl_iform *k,
                      const pl_iset *where) {
  pl_walker *w = m->w;
  w->env = m->before;
  w->env = pl_copy_env(w);
  for (size_t i = 0; i < w->env.n; i++) {
    pl_value *v = &w->env.items[i].value;
    const pl_iform *n = has_number(v) ? closed(m, i, k) : NULL;
    if (m->laws[i].kind == LAW_NONE && has_number(v))
      *v = (pl_value){PL_VALUE_UNKNOWN};
    else if (has_number(v))
      v->n = pl_iform_within(n, where);
  }
}

static void dry_run(main_loop *m) {
  pl_walker *w = m->w;
  int run = w->run;
  size_t last = w->last;
  w->env = pl_copy_env(w);
  for (size_t i = 0; i < w->env.n; i++)
    if (has_number(&w->env.items[i].value)) {
      pl_str name = pl_arena_printf(w->arena, "x%zu", i);
      m->names[i] = w->env.items[i].value.n = pl_iform_name(w->ints, name.p);
    }
  w->is_dry = true;
  do_round(m);
  w->is_dry = false;
  w->run = run;
  w->last = last;
  for (size_t i = 0; i < m->before.n; i++) {
    const pl_value *was = &m->before.items[i].value, *is = &w->env.items[i].value;
    bool kept = was->kind == is->kind && was->of == is->of &&
                was->writers == is->writers && was->to == is->to &&
                was->leads == is->leads &&
                (was->kind != PL_VALUE_FETCHED ||
                 was->parts.items == is->parts.items);
    m->after[i] = kept && m->names[i] ? is->n : NULL;
    if (!kept)
      m->before.items[i].value = (pl_value){PL_VALUE_UNKNOWN};
    if (!kept)
      m->names[i] = NULL;
  }
}

/* Whether a round has led from what the laws say of k to what they say of k + 1. */
static bool keeps_laws(const main_loop *m) {
  pl_walker *w = m->w;
  const pl_iform *next =
      pl_iform_add(pl_iform_name(w->ints, "k"), number(m, 1));
  for (size_t i = 0; i < m->before.n; i++)
    if (m->names[i] && m->laws[i].kind != LAW_NONE &&
        !pl_holds(w, w->env.items[i].value.n, PL_OP_EQ, closed(m, i, next)))
      return false;
  return true;
}

/* ---- rounds ------------------------------------------------------------------- */

/* The rounds of a loop that begins with tile `first`: one for each from there on. */
static bool find_rounds(main_loop *m) {
  pl_walker *w = m->w;
  set_state(m, number(m, 0), m->where);
  w->is_dry = true; /* the range is asked for later, with k */
  m->first = pl_asked_tile(w, pl_node_bare(m->condition));
  w->is_dry = false;
  if (!m->first)
    return false;
  const pl_iform *left = pl_iform_sub(T(m), m->first);
  m->rounds = pl_iform_within(
      pl_iform_choose(pl_iset_compare(left, PL_OP_GE, number(m, 0)), left,
                      number(m, 0)),
      m->where);
  return !m->is_do ||
         pl_iset_is_subset(m->where,
                           pl_iset_compare(left, PL_OP_GE, number(m, 1))) == PL_YES;
}

/* Whether the condition asks in round k for tile first + k, behind a do's body for the
 * next one. */
static bool asks_for_each(const main_loop *m) {
  pl_walker *w = m->w;
  const pl_iform *tile = pl_asked_tile(w, pl_node_bare(m->condition));
  const pl_iform *k = pl_iform_name(w->ints, "k");
  const pl_iform *due = pl_iform_add(m->first, k);
  if (m->is_do)
    due = pl_iform_add(due, number(m, 1));
  return tile && pl_holds(w, tile, PL_OP_EQ, due);
}

static const pl_iset *rounds_below(const main_loop *m, pl_op op) {
  const pl_iform *k = pl_iform_name(m->w->ints, "k");
  return pl_iset_joined(
      pl_iset_and(m->where, pl_iset_and(pl_iset_compare(k, PL_OP_GE, number(m, 0)),
                                        pl_iset_compare(k, op, m->rounds))));
}

static void run_rounds(main_loop *m) {
  pl_walker *w = m->w;
  w->where = rounds_below(m, PL_OP_LE);
  set_state(m, pl_iform_name(w->ints, "k"), w->where);
  if (!m->is_do && !asks_for_each(m)) {
    pl_emitted_fail(w->out, '?', m->condition,
                    "how often the main loop runs is not known");
    return;
  }
  w->where = rounds_below(m, PL_OP_LT);
  w->moment = (pl_moment){1, 0};
  w->run++;
  do_round(m);
  if (!w->out->claim && m->is_do && !asks_for_each(m))
    pl_emitted_fail(w->out, '?', m->condition,
                    "how often the main loop runs is not known");
  if (!w->out->claim && !keeps_laws(m))
    pl_emitted_fail(w->out, '?', m->node,
                    "what a round does to its variables has no form that is known");
}

/* ---- the loop ----------------------------------------------------------------- */

static bool take_apart(main_loop *m) {
  pl_node *node = m->node;
  bool is_for = node->kind == PL_NODE_FOR;
  m->is_do = node->kind == PL_NODE_DO;
  m->body = pl_node_loop_body(node);
  m->condition = is_for ? node->kids[1] : node->kids[m->is_do ? 1 : 0];
  m->step = is_for ? node->kids[2] : NULL;
  return m->body && m->condition && !(is_for && node->kids[0]);
}

void pl_do_main_loop(pl_walker *w, pl_node *node) {
  main_loop m = {.w = w, .node = node, .where = w->where};
  if (w->is_dry || w->had_loop || !take_apart(&m)) {
    pl_emitted_fail(w->out, '?', node, "it is no main loop that is known");
    return;
  }
  w->had_loop = true;
  for (size_t i = 0; i < w->env.n; i++)
    if (has_number(&w->env.items[i].value))
      w->env.items[i].value.n = pl_iform_within(w->env.items[i].value.n, w->where);
  m.before = pl_copy_env(w);
  m.names = PL_NEW_ARRAY(w->arena, const pl_iform *, m.before.n + 1);
  m.after = PL_NEW_ARRAY(w->arena, const pl_iform *, m.before.n + 1);
  m.laws = PL_NEW_ARRAY(w->arena, law, m.before.n + 1);
  dry_run(&m);
  if (w->out->claim)
    return;
  find_laws(&m);
  if (!find_rounds(&m)) {
    pl_emitted_fail(w->out, '?', m.condition,
                    "how often the main loop runs is not known");
    return;
  }
  run_rounds(&m);
  w->where = m.where;
  w->moment = (pl_moment){2, 0};
  w->run++;
  set_state(&m, m.rounds, m.where);
}
