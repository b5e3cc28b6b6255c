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
  LAW_CAPPED, /* on by one, or (a clock) by all its writers, a round, up to T, or `by`
                 ahead of it */
  LAW_ROTATES, /* one a round (`down`: one less), modulo `by` */
  LAW_AS,     /* moves by `by` whenever `other` moves */
  LAW_BEHIND, /* what `other` was a round ago, and `by` */
  LAW_ASKS,   /* whether `other` is below T */
  LAW_MORE,   /* flag and clock of loads, which are counted by nothing else: whether */
  LAW_LOADED, /* ... there is one more, and how many are ahead of it */
  LAW_SEARCHES, /* flag and clock of searches: whether none has found nothing */
  LAW_SEARCHED, /* ... how far they have come */
  LAW_FOUND     /* ... and how often they have found something */
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
  size_t head;           /* statements of the body that belong to the condition */
  const pl_node *stays;  /* ... and the `if` that asks for the last of it */
  bool is_late;          /* the condition is asked behind the body */
  bool ends;             /* ... and is a break's */
  const pl_node *leaves; /* a break that a vote takes, at the end of the body */
  pl_env before;         /* ahead of the loop */
  const pl_iset *where;  /* ... and for which T */
  const pl_iform **names, **after; /* of the dry run */
  law *laws;
  int64_t *last_step;    /* what the step adds to each number, that is not made behind
                            the last round */
  const pl_iform *first; /* the tile that round 0 begins with */
  const pl_iform *rounds;
  const pl_iset *voted;  /* where the last one ends by a vote */
} main_loop;

static const pl_iform *number(const main_loop *m, int64_t value) {
  return pl_number_in(m->w, value);
}

/* How many iterations there are by the condition. */
static const pl_iform *T(const main_loop *m) {
  return pl_iform_name(m->w->ints, pl_asked_bound(m->w->source));
}

/* By which the dry run knows a number: its kind, and which one of those it is. What is
 * asked of other loops' numbers is asked by the same names. */
static const char *name_of(const main_loop *m, size_t i) {
  const pl_entry *all = m->before.items;
  size_t before = 0;
  for (size_t k = 0; k < i; k++)
    before += all[k].decl && all[k].value.kind == all[i].value.kind;
  return all[i].decl ? pl_arena_printf(m->w->arena, "x%d.%zu", all[i].value.kind, before).p
                     : pl_arena_printf(m->w->arena, "n%zu", all[i].counter).p;
}

static bool has_number(const pl_value *v) {
  return v->n && (v->kind == PL_VALUE_NUMBER || v->kind == PL_VALUE_CLOCK ||
                  v->kind == PL_VALUE_TEMPORARY);
}

/* ---- a round ------------------------------------------------------------------ */

/* What the head declares, it declares for the iteration that it has found. */
static void do_body(const main_loop *m) {
  bool searches = m->head || m->stays;
  for (size_t i = 0; searches && i < m->body->nkids; i++) {
    pl_node *kid = m->body->kids[i];
    if (kid && (i >= m->head || kid->kind == PL_NODE_DECL_STMT))
      pl_do_statement(m->w, kid == m->stays ? kid->kids[1] : kid);
  }
  if (!searches)
    pl_do_statement(m->w, m->body);
}

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
  if (!m->is_late)
    pl_do_test(m->w, m->condition);
  do_body(m);
  if (m->is_late)
    pl_do_test(m->w, m->condition);
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

static int64_t writers_of(const main_loop *m, size_t i) {
  return is_clock(m, i) ? m->w->source->vars[m->before.items[i].value.of].writers : 1;
}

static bool has_names(const main_loop *m, const pl_iform *form) {
  for (size_t k = 0; k < m->before.n; k++)
    if (m->names[k] && pl_iform_has(form, name_of(m, k)))
      return true;
  return false;
}

static bool is_plus(const main_loop *m, size_t i, law *found) {
  const pl_value *v = &m->before.items[i].value;
  int64_t most = is_clock(m, i) ? m->w->source->vars[v->of].writers : 8;
  int64_t least = is_clock(m, i) ? most : 0;
  for (int64_t by = least; by <= most; by++)
    if (m->after[i] == pl_iform_add(m->names[i], number(m, by))) {
      *found = (law){.kind = LAW_PLUS, .by = by};
      return true;
    }
  const pl_iform *moved = pl_iform_sub(m->after[i], m->names[i]);
  if (has_names(m, moved))
    return false;
  for (int64_t by = least; by <= most; by++)
    if (always_equal(moved, number(m, by))) {
      *found = (law){.kind = LAW_PLUS, .by = by};
      return true;
    }
  return false;
}

static const pl_iform *cap_of(const main_loop *m, size_t i, const law *l) {
  return pl_iform_scale(l->by ? pl_iform_sub(T(m), number(m, l->by)) : T(m),
                        writers_of(m, i));
}

static bool is_capped_at(const main_loop *m, size_t i, const law *l) {
  int64_t by = writers_of(m, i);
  const pl_iform *x = m->names[i], *end = cap_of(m, i, l);
  const pl_iset *at = pl_iset_compare(x, PL_OP_EQ, end);
  const pl_iset *below = pl_iset_compare(x, PL_OP_LT, end);
  const pl_iform *next = pl_iform_add(x, number(m, by));
  if (by > 1)
    below = pl_iset_and(below, pl_iset_compare(pl_iform_mod(x, by), PL_OP_EQ, number(m, 0)));
  return never(pl_iset_and(below, pl_iset_compare(m->after[i], PL_OP_NE, next))) &&
         never(pl_iset_and(at, pl_iset_compare(m->after[i], PL_OP_NE, x)));
}

static bool is_capped(const main_loop *m, size_t i, law *found) {
  for (int by = 0; by <= m->w->source->is_late; by++) {
    const law made = {.kind = LAW_CAPPED, .by = by};
    if (is_capped_at(m, i, &made)) {
      *found = made;
      return true;
    }
  }
  return false;
}

static bool rotates_by(const main_loop *m, size_t i, int64_t by, bool down) {
  const pl_iform *x = m->names[i];
  const pl_iform *next =
      pl_iform_mod(pl_iform_add(x, number(m, down ? by - 1 : 1)), by);
  return never(pl_iset_and(between(m, x, 0, by),
                           pl_iset_compare(m->after[i], PL_OP_NE, next)));
}

/* Modulo how many slots some object has. */
static bool is_rotating(const main_loop *m, size_t i, law *found) {
  const pl_source_loop *l = m->w->source;
  for (size_t k = 1; k < l->nobjects; k++) {
    int64_t by = l->objects[k].slots;
    bool again = by < 2 || by > PL_MOST_SLOTS;
    for (size_t j = 1; j < k; j++)
      again |= l->objects[j].slots == by;
    for (int down = 0; down < 2 && !again; down++)
      if (rotates_by(m, i, by, down)) {
        *found = (law){.kind = LAW_ROTATES, .by = by, .down = down};
        return true;
      }
  }
  return false;
}

/* Whether a round makes something of one number of another. */
static bool follows(const main_loop *m, size_t i, size_t k) {
  return k != i && m->names[k] && pl_iform_has(m->after[i], name_of(m, k));
}

/* ... or of a flag that asks whether that is below T. */
static bool follows_flag(const main_loop *m, size_t i, size_t k) {
  for (size_t flag = 0; flag < m->before.n; flag++)
    if ((m->laws[flag].kind == LAW_ASKS || m->laws[flag].kind == LAW_MORE ||
         m->laws[flag].kind == LAW_SEARCHES) &&
        m->laws[flag].other == k && follows(m, i, flag))
      return true;
  return false;
}

static bool is_as_another(const main_loop *m, size_t i, law *found) {
  const pl_iform *moved = pl_iform_sub(m->after[i], m->names[i]);
  int64_t by = writers_of(m, i);
  for (size_t k = 0; k < m->before.n; k++)
    if ((m->laws[k].kind == LAW_CAPPED || m->laws[k].kind == LAW_LOADED ||
         (m->laws[k].kind == LAW_SEARCHED && by == writers_of(m, k))) &&
        (follows(m, i, k) || follows_flag(m, i, k)) &&
        always_equal(pl_iform_scale(moved, writers_of(m, k)),
                     pl_iform_scale(pl_iform_sub(m->after[k], m->names[k]), by))) {
      *found = (law){.kind = LAW_AS, .other = k, .by = by};
      return true;
    }
  return false;
}

static bool is_behind_another(const main_loop *m, size_t i, law *found) {
  for (size_t k = 0; k < m->before.n; k++)
    for (int64_t by = -1; by <= 1; by++)
      if (follows(m, i, k) && m->laws[k].kind != LAW_NONE &&
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
  m->laws[clock] = (law){.kind = LAW_CAPPED};
  return true;
}

/* `more = ++t < n;`, whether there is one or not. */
static bool is_flag_behind(main_loop *m, size_t flag, size_t clock) {
  if (m->laws[clock].kind != LAW_PLUS || m->laws[clock].by != 1 ||
      !always_equal(m->after[flag], asks(m, m->after[clock])))
    return false;
  m->laws[flag] = (law){.kind = LAW_ASKS, .other = clock};
  return true;
}

/* `if (more) { ... more = k + 1 < n; if (more) ++k; }`, of y loads: the clock stays at
 * the last one. */
static const pl_iform *clock_of_loads(const main_loop *m, const pl_iform *y) {
  return pl_iform_choose(pl_iset_compare(y, PL_OP_LT, T(m)), y,
                         pl_iform_sub(T(m), number(m, 1)));
}

static bool is_more_of(main_loop *m, size_t flag, size_t clock) {
  const pl_iform *y = pl_iform_name(m->w->ints, "y");
  const pl_iset *so = pl_iset_and(
      pl_iset_and(pl_iset_compare(y, PL_OP_GE, number(m, 0)),
                  pl_iset_compare(y, PL_OP_LE, T(m))),
      pl_iset_and(pl_iset_compare(m->names[flag], PL_OP_EQ, asks(m, y)),
                  pl_iset_compare(m->names[clock], PL_OP_EQ, clock_of_loads(m, y))));
  const pl_iform *next = pl_iform_choose(pl_iset_compare(y, PL_OP_LT, T(m)),
                                         pl_iform_add(y, number(m, 1)), y);
  so = pl_iset_and(so, pl_iset_compare(T(m), PL_OP_GE, number(m, 1)));
  if (!never(pl_iset_and(so, pl_iset_compare(m->after[clock], PL_OP_NE,
                                             clock_of_loads(m, next)))) ||
      !never(pl_iset_and(so, pl_iset_compare(m->after[flag], PL_OP_NE,
                                             asks(m, next)))))
    return false;
  m->laws[flag] = (law){.kind = LAW_MORE, .other = clock};
  m->laws[clock] = (law){.kind = LAW_LOADED, .other = flag};
  return true;
}

/* `if (more) { more = false; for (...) { ...; more = true; break; } }`, `if (more) ++k;`, of
 * y such times: the clock stays behind the search that has found nothing. */
static const pl_iform *clock_of_searches(const main_loop *m, size_t clock,
                                         const pl_iform *y) {
  int64_t writers = m->w->source->vars[m->before.items[clock].value.of].writers;
  return pl_iform_choose(pl_iset_compare(y, PL_OP_LE, T(m)), pl_iform_scale(y, writers),
                         pl_iform_add(pl_iform_scale(T(m), writers), number(m, 1)));
}

static const pl_iform *is_found(const main_loop *m, const pl_iform *y) {
  return pl_iform_choose(pl_iset_compare(y, PL_OP_LE, T(m)), number(m, 1), number(m, 0));
}

static bool is_search_of(main_loop *m, size_t flag, size_t clock) {
  const pl_iform *y = pl_iform_name(m->w->ints, "y");
  const pl_iform *next = pl_iform_choose(pl_iset_compare(y, PL_OP_LE, T(m)),
                                         pl_iform_add(y, number(m, 1)), y);
  const pl_iset *so = pl_iset_and(
      pl_iset_and(pl_iset_compare(y, PL_OP_GE, number(m, 0)),
                  pl_iset_compare(y, PL_OP_LE, pl_iform_add(T(m), number(m, 1)))),
      pl_iset_and(pl_iset_compare(m->names[flag], PL_OP_EQ, is_found(m, y)),
                  pl_iset_compare(m->names[clock], PL_OP_EQ,
                                  clock_of_searches(m, clock, y))));
  if (!m->w->source->has_test || m->w->source->is_late ||
      !never(pl_iset_and(so, pl_iset_compare(m->after[clock], PL_OP_NE,
                                             clock_of_searches(m, clock, next)))) ||
      !never(pl_iset_and(so, pl_iset_compare(m->after[flag], PL_OP_NE,
                                             is_found(m, next)))))
    return false;
  m->laws[flag] = (law){.kind = LAW_SEARCHES, .other = clock};
  m->laws[clock] = (law){.kind = LAW_SEARCHED, .other = flag};
  return true;
}

/* ... or (`by`) is done ahead of it, when the one before has found something. */
static const pl_iform *found_by(const main_loop *m, size_t i, int64_t by, const pl_iform *y) {
  const pl_iform *n = pl_iform_sub(y, number(m, by));
  return pl_iform_scale(pl_iform_choose(pl_iset_compare(n, PL_OP_LE, T(m)), n, T(m)),
                        writers_of(m, i));
}

/* What is done once for each search that finds something, as long as one does. */
static bool is_count_of(main_loop *m, size_t i, size_t flag, int64_t by) {
  size_t clock = m->laws[flag].other;
  const pl_iform *y = pl_iform_name(m->w->ints, "y");
  const pl_iform *most = pl_iform_add(T(m), number(m, 1));
  const pl_iform *next = pl_iform_add(y, number(m, 1));
  const pl_iset *so = pl_iset_and(
      pl_iset_and(pl_iset_compare(m->names[i], PL_OP_EQ, found_by(m, i, by, y)),
                  pl_iset_compare(y, PL_OP_GE, number(m, by))),
      pl_iset_and(pl_iset_compare(m->names[flag], PL_OP_EQ, is_found(m, y)),
                  pl_iset_compare(m->names[clock], PL_OP_EQ,
                                  clock_of_searches(m, clock, y))));
  next = pl_iform_choose(pl_iset_compare(next, PL_OP_LE, most), next, most);
  if (!never(pl_iset_and(so, pl_iset_compare(m->after[i], PL_OP_NE,
                                             found_by(m, i, by, next)))))
    return false;
  m->laws[i] = (law){.kind = LAW_FOUND, .other = flag, .by = by};
  return true;
}

/* What a local function is handed is set whenever it is called. */
static bool has_no_law(const main_loop *m, size_t i) {
  const pl_decl *decl = m->before.items[i].decl;
  return m->names[i] && m->after[i] && m->laws[i].kind == LAW_NONE &&
         !(decl && decl->kind == PL_DECL_PARAM && pl_is_in_region(m->w, decl));
}

static void find_flags(main_loop *m) {
  for (size_t i = 0; i < m->before.n; i++)
    for (size_t k = 0; k < m->before.n; k++)
      if (i != k && has_no_law(m, i) &&
          m->before.items[i].value.kind == PL_VALUE_NUMBER &&
          (has_no_law(m, k) || m->laws[k].kind == LAW_CAPPED ||
           m->laws[k].kind == LAW_PLUS) &&
          m->before.items[k].value.kind == PL_VALUE_CLOCK)
        (void)(is_flag_behind(m, i, k) ||
               (m->laws[k].kind != LAW_PLUS && is_flag_of(m, i, k)) ||
               (has_no_law(m, k) && (is_more_of(m, i, k) || is_search_of(m, i, k))));
}

/* Whether a round makes of a number what it is ahead of the loop. */
static bool is_as_before(const main_loop *m, size_t i) {
  return m->leaves && m->after[i] && !has_names(m, m->after[i]) &&
         never(pl_iset_and(m->where, pl_iset_compare(m->after[i], PL_OP_NE,
                                                     m->before.items[i].value.n)));
}

static void find_laws(main_loop *m) {
  for (size_t i = 0; i < m->before.n; i++)
    if (m->names[i] && (m->after[i] == m->names[i] || is_as_before(m, i)))
      m->laws[i].kind = LAW_SAME;
    else if (m->names[i] && m->after[i] && !is_plus(m, i, &m->laws[i]) &&
             (is_clock(m, i) || !is_rotating(m, i, &m->laws[i])))
      is_capped(m, i, &m->laws[i]);
  find_flags(m);
  for (size_t i = 0; i < m->before.n; i++)
    for (size_t k = 0; k < m->before.n && has_no_law(m, i); k++)
      if (m->laws[k].kind == LAW_SEARCHES)
        (void)(is_count_of(m, i, k, 0) || is_count_of(m, i, k, 1));
  for (size_t i = 0; i < m->before.n; i++)
    if (has_no_law(m, i))
      is_as_another(m, i, &m->laws[i]);
  for (size_t i = 0; i < m->before.n; i++)
    if (has_no_law(m, i))
      is_behind_another(m, i, &m->laws[i]);
}

/* How many loads there have been after k rounds, and ahead of them. */
static const pl_iform *loads_after(const main_loop *m, size_t flag, size_t clock,
                                   const pl_iform *k) {
  const pl_iform *ahead = pl_iform_choose(
      pl_iset_compare(m->before.items[flag].value.n, PL_OP_NE, number(m, 0)),
      m->before.items[clock].value.n, T(m));
  const pl_iform *sum = pl_iform_add(ahead, k);
  return pl_iform_choose(pl_iset_compare(sum, PL_OP_LE, T(m)), sum, T(m));
}

static const pl_iform *searches_after(const main_loop *m, size_t flag, size_t clock,
                                      const pl_iform *k) {
  int64_t writers = m->w->source->vars[m->before.items[clock].value.of].writers;
  const pl_iform *most = pl_iform_add(T(m), number(m, 1));
  const pl_iform *ahead = pl_iform_choose(
      pl_iset_compare(m->before.items[flag].value.n, PL_OP_NE, number(m, 0)),
      pl_iform_floor(m->before.items[clock].value.n, writers), most);
  const pl_iform *sum = pl_iform_add(ahead, k);
  return pl_iform_choose(pl_iset_compare(sum, PL_OP_LE, most), sum, most);
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
    sum = pl_iform_add(start, pl_iform_scale(k, writers_of(m, i)));
    return pl_iform_choose(pl_iset_compare(sum, PL_OP_LE, cap_of(m, i, l)), sum,
                           cap_of(m, i, l));
  case LAW_ROTATES:
    return pl_iform_mod(l->down ? pl_iform_sub(start, k) : sum, l->by);
  case LAW_AS:
    sum = pl_iform_sub(closed(m, l->other, k), m->before.items[l->other].value.n);
    if (l->by != writers_of(m, l->other))
      sum = pl_iform_scale(pl_iform_floor(sum, writers_of(m, l->other)), l->by);
    return pl_iform_add(start, sum);
  case LAW_BEHIND:
    return pl_iform_choose(
        pl_iset_compare(k, PL_OP_GE, number(m, 1)),
        pl_iform_add(closed(m, l->other, pl_iform_sub(k, number(m, 1))),
                     number(m, l->by)),
        start);
  case LAW_ASKS:
    return asks(m, closed(m, l->other, k));
  case LAW_MORE:
    return asks(m, loads_after(m, i, l->other, k));
  case LAW_LOADED:
    return clock_of_loads(m, loads_after(m, l->other, i, k));
  case LAW_SEARCHES:
    return is_found(m, searches_after(m, i, l->other, k));
  case LAW_FOUND:
    return found_by(m, i, l->by, searches_after(m, l->other, m->laws[l->other].other, k));
  case LAW_SEARCHED:
    return clock_of_searches(m, i, searches_after(m, l->other, i, k));
  }
  return NULL;
}

/* Where an induction begins: a law has to give what a number is ahead of the loop. */
static void drop_laws_without_base(main_loop *m) {
  bool dropped = true;
  while (dropped) {
    dropped = false;
    for (size_t i = 0; i < m->before.n; i++) {
      law *l = &m->laws[i];
      if (!m->names[i] || l->kind == LAW_NONE || l->kind == LAW_SAME ||
          l->kind == LAW_PLUS)
        continue;
      const pl_iset *differs = pl_iset_and(
          m->where, pl_iset_compare(closed(m, i, number(m, 0)), PL_OP_NE,
                                    m->before.items[i].value.n));
      if (never(differs))
        continue;
      l->kind = LAW_NONE;
      dropped = true;
    }
  }
}

/* ---- states ------------------------------------------------------------------- */

/* The state after k rounds, where that is `where`. */
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

static void try_round(main_loop *m) {
  pl_walker *w = m->w;
  int run = w->run;
  size_t last = w->last;
  w->env = m->before;
  w->env = pl_copy_env(w);
  for (size_t i = 0; i < w->env.n; i++)
    if (has_number(&w->env.items[i].value))
      m->names[i] = w->env.items[i].value.n =
          pl_iform_name(w->ints, name_of(m, i));
  w->is_dry = true;
  do_round(m);
  w->is_dry = false;
  w->run = run;
  w->last = last;
}

/* Whether a round has what the loop begins with lead where it did not: then the rounds begin with
 * both (the least fixed point of a may-analysis). Of which of several stages an address is, a
 * round changes. */
static bool leads_on(main_loop *m) {
  bool more = false;
  for (size_t i = 0; i < m->before.n; i++) {
    pl_value *was = &m->before.items[i].value;
    const pl_led_to *is = m->w->env.items[i].value.leads;
    bool one = true;
    for (const pl_led_to *at = is; at; at = at->next)
      one &= m->w->source->objects[at->object].slots == 1;
    if (!one || pl_has_leads(was->leads, is))
      continue;
    was->leads = pl_joined_leads(m->w, was->leads, is);
    more = true;
  }
  return more;
}

static void dry_run(main_loop *m) {
  const pl_walker *w = m->w;
  do
    try_round(m);
  while (!w->out->claim && leads_on(m));
  for (size_t i = 0; i < m->before.n; i++) {
    const pl_value *was = &m->before.items[i].value, *is = &w->env.items[i].value;
    bool kept = was->kind == is->kind && was->of == is->of &&
                was->writers == is->writers && was->to == is->to &&
                pl_has_leads(was->leads, is->leads) &&
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

/* The tile that a flag asks for by its law; NULL: it has another one. */
static const pl_iform *asked_by_flag(const main_loop *m, const pl_node *node) {
  for (size_t i = 0; node->kind == PL_NODE_REF && i < m->before.n; i++)
    if (m->before.items[i].decl && m->before.items[i].decl == node->decl &&
        m->laws[i].kind == LAW_ASKS)
      return m->w->env.items[m->laws[i].other].value.n;
  return NULL;
}

static const pl_iform *asked(const main_loop *m) {
  pl_node *node = pl_node_bare(m->condition);
  const pl_iform *tile = m->ends || m->is_late ? NULL : asked_by_flag(m, node);
  if (tile)
    return tile;
  return m->ends ? pl_asked_tile_of_break(m->w, node) : pl_asked_tile(m->w, node);
}

static const pl_iform *k_of(const main_loop *m) {
  return pl_iform_name(m->w->ints, "k");
}

static const pl_iset *rounds_below(const main_loop *m, pl_op op,
                                   const pl_iform *end) {
  const pl_iset *own = pl_iset_and(
      pl_iset_compare(k_of(m), PL_OP_GE, number(m, 0)),
      end ? pl_iset_compare(k_of(m), op, end) : pl_iset_all(m->w->ints));
  return pl_iset_joined(pl_iset_and(m->where, own));
}

/* Whether a form has one value whatever k is, where that is a round. */
static bool is_constant(const main_loop *m, const pl_iform *form) {
  const pl_iset *rounds = rounds_below(m, PL_OP_LT, NULL);
  const pl_iset *both = pl_iset_and(rounds, pl_iset_renamed(rounds, "k", "q"));
  return never(pl_iset_and(
      both, pl_iset_compare(form, PL_OP_NE, pl_iform_renamed(form, "k", "q"))));
}

/* The tile that round 0 begins with; the condition asks for it, or, behind the body,
 * for the one behind it. What the condition asks is looked at without its range: that
 * is asked for later, when it is known how many rounds there are. */
static bool find_first(main_loop *m) {
  pl_walker *w = m->w;
  set_state(m, k_of(m), rounds_below(m, PL_OP_LT, NULL));
  size_t last = w->last;
  w->is_dry = true;
  if (m->is_late)
    do_body(m);
  const pl_iform *tile = asked(m);
  w->is_dry = false;
  w->last = last;
  const pl_iform *first =
      pl_iform_sub(pl_iform_sub(tile, k_of(m)), number(m, m->is_late));
  m->first = pl_iform_within(first, rounds_below(m, PL_OP_LT, NULL));
  return m->first && is_constant(m, m->first);
}

static const pl_iform *at_least_none(const main_loop *m, const pl_iform *n) {
  return pl_iform_choose(pl_iset_compare(n, PL_OP_GE, number(m, 0)), n, number(m, 0));
}

/* The break at the end of a round is taken where that is the last one before iteration T, or
 * some ahead of it. */
static bool find_voted_rounds(main_loop *m) {
  pl_walker *w = m->w;
  size_t last = w->last;
  const pl_iset *where = w->where, *rounds = rounds_below(m, PL_OP_LT, m->rounds);
  w->where = rounds;
  set_state(m, k_of(m), rounds);
  w->is_dry = true;
  w->left = NULL;
  do_body(m);
  w->is_dry = false;
  w->last = last;
  w->where = where;
  for (int64_t ahead = -1; w->left && ahead <= 2; ahead++) {
    const pl_iform *t = pl_iform_add(pl_iform_add(m->first, k_of(m)), number(m, ahead));
    const pl_iset *ends = pl_iset_compare(t, PL_OP_GE, pl_iform_name(w->ints, "T"));
    if (!never(pl_iset_and(rounds, pl_iset_minus(ends, w->left))) ||
        !never(pl_iset_and(rounds, pl_iset_minus(w->left, ends))))
      continue;
    const pl_iform *voted = pl_iform_add(
        at_least_none(m, pl_iform_sub(pl_iform_sub(pl_iform_name(w->ints, "T"), m->first),
                                      number(m, ahead))),
        number(m, 1));
    m->voted = pl_iset_and(m->where, pl_iset_compare(voted, PL_OP_LE, m->rounds));
    m->rounds = pl_iform_within(pl_iform_choose(m->voted, voted, m->rounds), m->where);
    return true;
  }
  return false;
}

/* One round for each tile from the first on. */
static bool find_rounds(main_loop *m) {
  if (!find_first(m))
    return false;
  const pl_iform *left = pl_iform_sub(T(m), m->first);
  m->rounds = pl_iform_within(at_least_none(m, left), m->where);
  if (m->leaves && !find_voted_rounds(m))
    return false;
  return !m->is_late ||
         pl_iset_is_subset(m->where,
                           pl_iset_compare(left, PL_OP_GE, number(m, 1))) == PL_YES;
}

/* Whether the condition asks in round k for tile first + k, behind the body for the
 * next one. */
static bool asks_for_each(const main_loop *m) {
  const pl_iform *tile = asked(m);
  const pl_iform *due = pl_iform_add(pl_iform_add(m->first, k_of(m)),
                                     number(m, m->is_late));
  return tile && pl_holds(m->w, tile, PL_OP_EQ, due);
}

/* What the step adds to a number in each round; -1: that is not known. */
static int64_t added(const pl_iform *before, const pl_iform *after,
                     const main_loop *m) {
  if (before == after)
    return 0;
  for (int64_t by = 1; by <= 4; by++)
    if (always_equal(after, pl_iform_add(before, number(m, by))))
      return by;
  return -1;
}

/* The step, which is not made behind the last round. */
static bool do_late_step(main_loop *m) {
  pl_walker *w = m->w;
  pl_env before = pl_copy_env(w);
  const pl_iset *where = w->where;
  w->where = rounds_below(m, PL_OP_LT, pl_iform_sub(m->rounds, number(m, 1)));
  do_step(w, m->step);
  w->where = where;
  for (size_t i = 0; i < m->before.n; i++) {
    const pl_value *v = &w->env.items[i].value;
    if (m->names[i] && has_number(v) && has_number(&before.items[i].value))
      m->last_step[i] = added(before.items[i].value.n, v->n, m);
    if (m->last_step[i] < 0)
      return false;
  }
  return true;
}

static void unknown_rounds(const main_loop *m) {
  pl_emitted_fail(m->w->out, '?', m->node,
                  "how often the main loop runs is not known");
}

/* From the state of round k to that of the next one. */
static void run_rounds(main_loop *m) {
  pl_walker *w = m->w;
  w->where = rounds_below(m, PL_OP_LE, m->rounds);
  set_state(m, k_of(m), w->where);
  if (!m->is_late && !asks_for_each(m)) {
    unknown_rounds(m);
    return;
  }
  w->where = rounds_below(m, PL_OP_LT, m->rounds);
  w->moment = (pl_moment){1, 0};
  w->run++;
  if (!m->is_late)
    pl_do_test(w, m->condition);
  do_body(m);
  if (!w->out->claim && m->is_late && !asks_for_each(m))
    unknown_rounds(m);
  if (m->is_late)
    pl_do_test(w, m->condition);
  if (!m->is_late)
    do_step(w, m->step);
  else if (!w->out->claim && !do_late_step(m))
    unknown_rounds(m);
  if (!w->out->claim && !keeps_laws(m))
    pl_emitted_fail(w->out, '?', m->node,
                    "what a round does to its variables has no form that is known");
}

/* A vote ends the last round ahead of its step. */
static void leave_both_ways(main_loop *m) {
  pl_walker *w = m->w;
  size_t last = w->last;
  int run = w->run;
  w->where = pl_iset_minus(m->where, m->voted);
  pl_do_test(w, m->condition);
  pl_env asked = w->env;
  w->where = m->voted;
  set_state(m, pl_iform_sub(m->rounds, number(m, 1)), m->voted);
  w->is_dry = true;
  w->leaves = NULL;
  w->exit = m->leaves;
  pl_do_test(w, m->condition);
  do_body(m);
  w->is_dry = false;
  w->last = last;
  w->run = run;
  w->moment = (pl_moment){2, 0};
  w->where = m->where;
  for (size_t i = 0; i < w->env.n; i++)
    if (has_number(&w->env.items[i].value))
      w->env.items[i].value.n = pl_iform_within(w->env.items[i].value.n, m->voted);
  pl_env voted = w->env;
  pl_join_envs(w, m->voted, &voted, &asked);
}

/* Behind the last round: the condition has been asked once more, or the step has not
 * been made. */
static void leave(main_loop *m) {
  pl_walker *w = m->w;
  w->where = m->where;
  w->moment = (pl_moment){2, 0};
  w->run++;
  set_state(m, m->rounds, m->where);
  if (m->leaves) {
    leave_both_ways(m);
    return;
  }
  if (!m->is_late)
    pl_do_test(w, m->condition);
  for (size_t i = 0; m->is_late && i < m->before.n; i++)
    if (m->last_step[i] && has_number(&w->env.items[i].value))
      w->env.items[i].value.n = pl_iform_sub(w->env.items[i].value.n,
                                             number(m, m->last_step[i]));
}

/* ---- the loop ----------------------------------------------------------------- */

/* `if (c) break;` at the end of a body. */
static pl_node *exit_of(const pl_node *body) {
  pl_node *last = body->kind == PL_NODE_COMPOUND && body->nkids
                      ? body->kids[body->nkids - 1] : NULL;
  return last && pl_is_plain_break(last) ? last : NULL;
}

/* `more = false;`, `bool more = false;`: the variable; NULL: it is another statement. */
static const pl_decl *set_false(const pl_node *node) {
  const pl_node *var = node->kind == PL_NODE_DECL_STMT && node->nkids == 1 ? node->kids[0]
                                                                           : NULL;
  const pl_node *value = var && var->nkids ? pl_node_bare(var->kids[0])
                         : node->kind == PL_NODE_ASSIGN && node->op == PL_OP_ASSIGN
                             ? pl_node_bare(node->kids[1]) : NULL;
  const pl_node *left = value && !var ? pl_node_bare(node->kids[0]) : NULL;
  if (!value || !value->has_ival || value->ival)
    return NULL;
  return var ? var->decl : left->kind == PL_NODE_REF ? left->decl : NULL;
}

/* `while (true) { more = false; for (...) ...; if (!more) break; ... }`: how many of them
 * ask; NULL: they ask nothing. */
static pl_node *asked_inside(const pl_node *body) {
  pl_search search;
  bool is = body->kind == PL_NODE_COMPOUND && body->nkids > 3 &&
            set_false(body->kids[0]) && pl_node_is_loop(body->kids[1]) &&
            pl_read_search(body->kids[1], &search) && pl_is_plain_break(body->kids[2]);
  const pl_node *found = is ? pl_search_found(&search) : NULL;
  if (!found)
    return NULL;
  const pl_node *none = pl_node_bare(body->kids[2]->kids[0]);
  const pl_node *asked = none->kind == PL_NODE_UNARY && none->op == PL_OP_LNOT
                             ? pl_node_bare(none->kids[0]) : NULL;
  bool one = found->kids[1]->has_ival &&
             found->kids[1]->ival == 1 && asked && asked->kind == PL_NODE_REF &&
             set_false(body->kids[0]) == asked->decl &&
             pl_names_var(found->kids[0], asked->decl);
  return one ? body->kids[1] : NULL;
}

/* The head of the source's loop, word for word, as that of this one. */
static void take_search(main_loop *m) {
  pl_search search;
  pl_node *inside = m->body ? asked_inside(m->body) : NULL;
  if (inside) {
    m->condition = inside;
    m->head = 3;
  } else if (pl_read_search(m->node, &search)) {
    m->condition = m->node;
    m->head = search.nhead;
    m->stays = search.stays;
  }
}

static bool take_apart(main_loop *m) {
  pl_node *node = m->node;
  bool is_for = node->kind == PL_NODE_FOR;
  m->is_late = node->kind == PL_NODE_DO;
  m->body = pl_node_loop_body(node);
  m->condition = is_for ? node->kids[1] : node->kids[m->is_late ? 1 : 0];
  m->step = is_for ? node->kids[2] : NULL;
  if (m->w->source->has_search && !m->is_late)
    take_search(m);
  const pl_node *bare = m->condition ? pl_node_bare(m->condition) : NULL;
  pl_node *exit = m->body ? exit_of(m->body) : NULL;
  if (exit && !m->is_late && (!bare || (bare->has_ival && bare->ival))) {
    m->is_late = m->ends = true;
    m->condition = exit->kids[0];
    m->w->exit = exit;
  }
  if (exit && !m->is_late && m->w->source->has_vote)
    m->leaves = m->w->leaves = exit;
  if (is_for && node->kids[0] && node->kids[0]->kind != PL_NODE_DECL_STMT)
    do_step(m->w, node->kids[0]);
  else if (is_for && node->kids[0] && !pl_try_init(m->w, node->kids[0]))
    return false;
  return m->body && m->condition;
}

/* Whether a loop in the body commits copies: its first time is not as the others. */
static bool find_fetch(pl_node *node, void *context) {
  bool *found = context;
  *found |= node->kind == PL_NODE_CALL &&
            pl_str_is(pl_last_name(pl_callee_name(node)), "producer_commit");
  return !*found;
}

static bool has_fetch_loop(const pl_node *body) {
  bool found = false;
  for (uint32_t i = 0; body->kind == PL_NODE_COMPOUND && i < body->nkids; i++)
    if (body->kids[i] && pl_node_is_loop(body->kids[i]))
      pl_node_walk(body->kids[i], find_fetch, &found);
  return found;
}

/* The first round by itself, if there is one, ahead of the others. What asks behind
 * each round asks ahead of those. */
static bool do_first_round(main_loop *m) {
  pl_walker *w = m->w;
  if (m->is_late) {
    w->run++;
    do_body(m);
    m->is_late = false;
    return m->node->kind == PL_NODE_DO;
  }
  const pl_iset *where = w->where;
  const pl_iset *there = m->head || m->stays ? pl_iset_compare(asked(m), PL_OP_LT, T(m))
                                 : pl_eval_set(w, m->condition);
  if (!there)
    return false;
  pl_env start = pl_copy_env(w);
  pl_do_test(w, m->condition);
  w->where = pl_iset_joined(pl_iset_and(where, there));
  w->run++;
  do_body(m);
  do_step(w, m->step);
  w->where = where;
  pl_env taken = w->env;
  pl_join_envs(w, there, &taken, &start);
  return true;
}

void pl_do_main_loop(pl_walker *w, pl_node *node) {
  main_loop m = {.w = w, .node = node, .where = w->where};
  bool known = !w->is_dry && !w->had_loop && take_apart(&m);
  if (known && has_fetch_loop(m.body))
    known = do_first_round(&m);
  if (!known) {
    pl_emitted_fail(w->out, '?', node, "it is no main loop that is known");
    return;
  }
  if (w->out->claim)
    return;
  w->had_loop = true;
  for (size_t i = 0; i < w->env.n; i++)
    if (has_number(&w->env.items[i].value))
      w->env.items[i].value.n = pl_iform_within(w->env.items[i].value.n, w->where);
  m.before = pl_copy_env(w);
  m.names = PL_NEW_ARRAY(w->arena, const pl_iform *, m.before.n + 1);
  m.after = PL_NEW_ARRAY(w->arena, const pl_iform *, m.before.n + 1);
  m.laws = PL_NEW_ARRAY(w->arena, law, m.before.n + 1);
  m.last_step = PL_NEW_ARRAY(w->arena, int64_t, m.before.n + 1);
  dry_run(&m);
  if (w->out->claim)
    return;
  find_laws(&m);
  drop_laws_without_base(&m);
  if (!find_rounds(&m)) {
    unknown_rounds(&m);
    return;
  }
  run_rounds(&m);
  leave(&m);
}
