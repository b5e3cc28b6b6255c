/* host_run.c - statements of the host program. See host.h.
 *
 * Needs: expressions. Gives: the launches on the way. Raises: nothing; a
 * statement that is beyond us makes the variables that it names unknown. */
#include "host.h"

#include <string.h>

enum { ROUNDS = 256, STEPS = 200000 };

static size_t closing(const pl_host *h) { return PL_HOST_TOKEN(h)->match; }

/* Behind the statement at `i`. */
static size_t statement_end(const pl_host *h, size_t i) {
  if (pl_host_is(h, i, "{"))
    return h->text.tokens[i].match + 1;
  bool head = pl_host_is(h, i, "if") || pl_host_is(h, i, "for") ||
              pl_host_is(h, i, "while") || pl_host_is(h, i, "switch");
  if (head) {
    size_t open = i + 1 + pl_host_is(h, i + 1, "constexpr");
    size_t end = statement_end(h, h->text.tokens[open].match + 1);
    if (pl_host_is(h, i, "if") && pl_host_is(h, end, "else"))
      end = statement_end(h, end + 1);
    return end;
  }
  if (pl_host_is(h, i, "do"))
    i = statement_end(h, i + 1);
  for (; i < h->text.n - 1 && !pl_host_is(h, i, ";") &&
         !pl_host_is(h, i, "}"); i++)
    if (h->text.tokens[i].match > i)
      i = h->text.tokens[i].match;
  return i + pl_host_is(h, i, ";");
}

/* What [from, end) may set is unknown afterwards. */
static void forget_assigned(pl_host *h, size_t from, size_t end, bool all) {
  static const char *const sets[] = {"=", "+=", "-=", "*=", "/=", "%=", "++",
                                     "--", "<<=", "&=", "|=", "^=", NULL};
  for (size_t i = from; i < end; i++) {
    if (h->text.tokens[i].kind != 'n')
      continue;
    bool set = all || (i && (pl_host_is(h, i - 1, "++") ||
                             pl_host_is(h, i - 1, "--") ||
                             pl_host_is(h, i - 1, "&")));
    for (int k = 0; sets[k]; k++)
      set |= pl_host_is(h, i + 1, sets[k]);
    set |= pl_host_is(h, i + 1, ">") && pl_host_is(h, i + 2, ">") &&
           pl_host_is(h, i + 3, "=");
    if (!set)
      continue;
    pl_host_cell *cell = pl_host_look_up(
        h, pl_arena_cstr(h->arena, h->text.tokens[i].s));
    if (cell && cell->value.kind != PL_HOST_LAMBDA &&
        !(all && cell->is_constant))
      pl_host_assign(h, cell, (pl_host_value){0});
  }
}

void pl_host_lose_statement(pl_host *h, size_t from) {
  size_t end = statement_end(h, from);
  forget_assigned(h, from, end, true);
  h->p = end > from ? end : from + 1;
  h->lost = false;
}

/* ---- branches ------------------------------------------------------------ */

static pl_host_flow skip_statement(pl_host *h) {
  h->p = statement_end(h, h->p);
  return PL_HOST_GOES_ON;
}

static void add_condition(pl_host *h, const pl_host_value *test, bool holds) {
  if (test->kind != PL_HOST_INT || !pl_sym_has_dims(test->sym))
    return;
  const pl_sym *s = holds ? test->sym
                          : pl_sym_make(h, PL_SYM_NOT, test->sym, NULL);
  PL_PUSH(h->arena, h->conditions, h->n_conditions, h->cap_conditions, s);
}

static void join(pl_host *h, const pl_host_trail *changed, size_t n,
                 bool certain) {
  for (size_t i = 0; i < n; i++) {
    pl_host_value v = changed[i].old;
    bool same = certain || pl_host_same(&v, &changed[i].cell->value);
    pl_host_assign(h, changed[i].cell, same ? v : (pl_host_value){0});
  }
}

/* Walks the branch at h->p; what it changed is undone and given. */
static pl_host_trail *walk(pl_host *h, size_t at, pl_host_flow *flow,
                           size_t *n) {
  size_t mark = h->n_trail;
  bool exits = h->exits;
  h->p = at;
  h->doubt++;
  *flow = pl_host_statement(h);
  h->doubt--;
  if (h->exits && !exits) {
    h->exits = false;
    *flow = PL_HOST_RETURNS;
  }
  return pl_host_undo(h, mark, n);
}

/* A way of the branch, where what leads into it holds. */
static pl_host_trail *walk_where(pl_host *h, const pl_host_value *test,
                                 bool holds, size_t at, pl_host_flow *flow,
                                 size_t *n) {
  size_t before = h->n_conditions;
  add_condition(h, test, holds);
  pl_host_trail *changed = walk(h, at, flow, n);
  h->n_conditions = before;
  return changed;
}

/* Both ways; a way that leaves says nothing of what comes behind. */
static pl_host_flow both_ways(pl_host *h, const pl_host_value *test,
                              size_t yes, size_t no) {
  pl_host_flow first, second = PL_HOST_GOES_ON;
  size_t n, m = 0;
  pl_host_value returned = h->returned;
  pl_host_trail *a = walk_where(h, test, true, yes, &first, &n), *b = NULL;
  if (no)
    b = walk_where(h, test, false, no, &second, &m);
  if (first != second && (first == PL_HOST_GOES_ON ||
                          second == PL_HOST_GOES_ON))
    add_condition(h, test, first == PL_HOST_GOES_ON);
  if (first != PL_HOST_GOES_ON && second != PL_HOST_GOES_ON) {
    h->returned = (pl_host_value){0};
    return first;
  }
  h->returned = returned;
  if (first == PL_HOST_GOES_ON)
    join(h, a, n, second != PL_HOST_GOES_ON);
  if (second == PL_HOST_GOES_ON) {
    for (size_t i = 0; i < n && first == PL_HOST_GOES_ON; i++) {
      bool both = false;
      for (size_t k = 0; k < m; k++)
        both |= a[i].cell == b[k].cell && pl_host_same(&a[i].old, &b[k].old);
      if (both)
        pl_host_assign(h, a[i].cell, a[i].old);
    }
    for (size_t k = 0; k < m; k++)
      join(h, &b[k], 1, first != PL_HOST_GOES_ON ||
                            pl_host_same(&b[k].old, &b[k].cell->value));
  }
  return PL_HOST_GOES_ON;
}

static pl_host_flow if_statement(pl_host *h) {
  h->p++;
  pl_host_take(h, "constexpr");
  size_t end = closing(h), yes = end + 1, no = statement_end(h, yes);
  size_t behind = pl_host_is(h, no, "else") ? statement_end(h, no + 1) : no;
  no = behind > no ? no + 1 : 0;
  h->p++;
  pl_host_scope inner = {.up = h->scope}, *outer = h->scope;
  h->scope = PL_NEW(h->arena, pl_host_scope);
  *h->scope = inner;
  if (pl_host_declares(h, h->p)) {
    size_t back = h->p;
    pl_host_declaration(h);
    if (h->p > end)
      h->p = back;
  }
  pl_host_value test = pl_host_expression(h);
  if (h->lost || h->p != end)
    test = (pl_host_value){0};
  int truth = pl_sym_is_open(test.sym) ? -1 : pl_host_truth(&test);
  h->lost = false;
  pl_host_flow flow = PL_HOST_GOES_ON;
  if (truth < 0) {
    flow = both_ways(h, &test, yes, no);
  } else {
    add_condition(h, &test, truth);
    h->p = truth ? yes : no;
    if (h->p)
      flow = pl_host_statement(h);
  }
  h->scope = outer;
  h->p = behind;
  return flow;
}

/* ---- loops --------------------------------------------------------------- */

static bool calls_into(pl_host *h, size_t i) {
  if (h->text.tokens[i].kind != 'n')
    return false;
  pl_host_cell *cell =
      pl_host_look_up(h, pl_arena_cstr(h->arena, h->text.tokens[i].s));
  if (cell && cell->value.kind == PL_HOST_LAMBDA)
    return true;
  for (size_t k = 0; k < h->n_functions; k++)
    if (h->functions[k].launches && !h->functions[k].is_kernel &&
        pl_str_is(h->text.tokens[i].s, h->functions[k].name))
      return true;
  return false;
}

/* Launches, allocations, copies: loops without them are not walked. */
static bool matters(pl_host *h, size_t from, size_t end) {
  for (size_t i = from; i < end; i++)
    if (pl_host_is(h, i, "<<<") || calls_into(h, i) ||
        pl_str_starts(h->text.tokens[i].s, "cudaM") ||
        pl_host_is_launch_call(h, i) ||
        pl_host_is(h, i, "swap"))
      return true;
  return false;
}

/* The objects that the loop writes through pointers have contents. */
static void note_filled(pl_host *h, size_t from, size_t end) {
  for (size_t i = from; i < end; i++) {
    if (!pl_host_is(h, i + 1, "[") || h->text.tokens[i].kind != 'n')
      continue;
    pl_host_cell *cell =
        pl_host_look_up(h, pl_arena_cstr(h->arena, h->text.tokens[i].s));
    if (cell && cell->value.kind == PL_HOST_POINTER)
      cell->value.object->filled = true;
  }
}

/* Once, knowing nothing of what it changes. */
static void walk_once(pl_host *h, size_t from, size_t end, size_t body) {
  forget_assigned(h, from, end, false);
  pl_host_flow flow;
  size_t n;
  pl_host_trail *changed = walk(h, body, &flow, &n);
  join(h, changed, n, false);
}

typedef struct loop {
  size_t test, step, step_end, body, end, from;
  size_t test_end;
} loop;

/* False: it is not known how it goes on. */
static bool runs_on(pl_host *h, const loop *l, bool *goes) {
  if (l->test == l->test_end) {
    *goes = true;
    return true;
  }
  h->p = l->test;
  pl_host_value v = pl_host_expression(h);
  int truth = h->lost || h->p != l->test_end ? -1 : pl_host_truth(&v);
  h->lost = false;
  *goes = truth == 1;
  if (*goes)
    add_condition(h, &v, true);
  return truth >= 0;
}

static pl_host_flow run_loop(pl_host *h, const loop *l, bool first_unasked) {
  pl_host_flow flow = PL_HOST_GOES_ON;
  for (int round = 0; round < ROUNDS && !h->exits; round++) {
    bool goes = true;
    bool known = first_unasked && round == 0 ? true : runs_on(h, l, &goes);
    if (!known) {
      walk_once(h, l->from, l->end, l->body);
      break;
    }
    if (!goes)
      break;
    h->p = l->body;
    flow = pl_host_statement(h);
    if (flow == PL_HOST_BREAKS || flow == PL_HOST_RETURNS)
      break;
    h->p = l->step;
    while (h->p < l->step_end && !h->lost) {
      pl_host_expression(h);
      if (!pl_host_take(h, ","))
        break;
    }
    h->lost = false;
  }
  h->p = l->end;
  return flow == PL_HOST_RETURNS ? flow : PL_HOST_GOES_ON;
}

static pl_host_flow skip_loop(pl_host *h, const loop *l) {
  note_filled(h, l->from, l->end);
  forget_assigned(h, l->from, l->end, false);
  h->p = l->end;
  return PL_HOST_GOES_ON;
}

static size_t find_semicolon(const pl_host *h, size_t i, size_t end) {
  for (; i < end && !pl_host_is(h, i, ";"); i++)
    if (h->text.tokens[i].match > i)
      i = h->text.tokens[i].match;
  return i;
}

/* The fields of a list, in their order; 0: it is none, or a long one. */
static size_t list_items(const pl_host_value *list, pl_host_value *items,
                         size_t room) {
  size_t n = 0;
  for (const pl_host_cell *f = list->fields; f; f = f->next)
    n++;
  if (list->kind != PL_HOST_RECORD || list->of || n > room)
    return 0;
  size_t i = n;
  for (const pl_host_cell *f = list->fields; f; f = f->next)
    items[--i] = f->value;
  return n;
}

/* for (auto x : list) */
static pl_host_flow for_each(pl_host *h, const loop *l, size_t start) {
  enum { ITEMS = 16 };
  pl_host_value items[ITEMS];
  size_t name = pl_host_declared_at(h, start), n = 0;
  bool walked = name && matters(h, l->body, l->end);
  if (walked && pl_host_is(h, name + 1, ":")) {
    h->p = name + 2;
    pl_host_value list = pl_host_expression(h);
    n = h->lost ? 0 : list_items(&list, items, ITEMS);
    h->lost = false;
  }
  pl_host_param p = name ? pl_host_read_param(h, start, name + 1)
                         : (pl_host_param){0};
  pl_host_cell *cell = name ? pl_host_declare(h, p.name) : NULL;
  if (cell)
    cell->type = strcmp(p.type, "auto") ? p.type : NULL;
  for (size_t i = 0; i < n && !h->exits; i++) {
    pl_host_assign(h, cell, pl_host_stored(h, cell, items[i]));
    h->p = l->body;
    pl_host_flow flow = pl_host_statement(h);
    if (flow == PL_HOST_RETURNS)
      return flow;
    if (flow == PL_HOST_BREAKS)
      break;
  }
  if (n == 0) {
    note_filled(h, l->from, l->end);
    forget_assigned(h, l->from, l->end, false);
    if (walked)
      walk_once(h, l->from, l->end, l->body);
  }
  h->p = l->end;
  return PL_HOST_GOES_ON;
}

static pl_host_flow for_body(pl_host *h, size_t from) {
  size_t end = closing(h), start = h->p + 1;
  size_t first = find_semicolon(h, start, end);
  loop l = {.from = from, .body = end + 1, .end = statement_end(h, from)};
  if (first >= end)
    return for_each(h, &l, start);
  l.test = first + 1;
  l.test_end = find_semicolon(h, l.test, end);
  l.step = l.test_end + 1;
  l.step_end = end;
  h->p = start;
  if (start < first)
    pl_host_statement(h);
  return matters(h, l.body, l.end) ? run_loop(h, &l, false) : skip_loop(h, &l);
}

static pl_host_flow for_statement(pl_host *h) {
  size_t from = h->p++;
  pl_host_scope *outer = h->scope;
  h->scope = PL_NEW(h->arena, pl_host_scope);
  h->scope->up = outer;
  pl_host_flow flow = for_body(h, from);
  h->scope = outer;
  return flow;
}

static pl_host_flow while_statement(pl_host *h) {
  size_t from = h->p++, end = closing(h);
  loop l = {.from = from, .test = h->p + 1, .test_end = end, .body = end + 1,
            .end = statement_end(h, from)};
  return matters(h, l.from, l.end) ? run_loop(h, &l, false) : skip_loop(h, &l);
}

static pl_host_flow do_statement(pl_host *h) {
  size_t from = h->p, body = from + 1, behind = statement_end(h, body);
  if (!pl_host_is(h, behind, "while"))
    return skip_statement(h);
  loop l = {.from = from, .body = body, .test = behind + 2,
            .test_end = h->text.tokens[behind + 1].match};
  l.end = l.test_end + 2;
  bool once = l.test_end == l.test + 1 && pl_host_is(h, l.test, "0");
  if (!once && !matters(h, body, behind))
    return skip_loop(h, &l);
  return run_loop(h, &l, true);
}

/* ---- the rest ------------------------------------------------------------ */

/* From a label on: the labels behind it are read over. */
static pl_host_flow run_cases(pl_host *h, size_t close) {
  pl_host_flow flow = PL_HOST_GOES_ON;
  while (h->p < close && flow == PL_HOST_GOES_ON && !h->exits) {
    if (!pl_host_at(h, "case") && !pl_host_at(h, "default")) {
      flow = pl_host_statement(h);
      continue;
    }
    while (!pl_host_take(h, ":"))
      h->p++;
  }
  return flow;
}

/* One that may be the one: what it changes is unknown afterwards. */
static void doubt_case(pl_host *h, size_t close) {
  size_t mark = h->n_trail, n;
  h->doubt++;
  run_cases(h, close);
  h->doubt--;
  h->exits = false;
  pl_host_trail *changed = pl_host_undo(h, mark, &n);
  join(h, changed, n, false);
}

/* Behind the ':' of the label at `i`; false: there is none. */
static bool take_label(pl_host *h, size_t i, pl_host_value *label) {
  h->p = i + 1;
  *label = pl_host_is(h, i, "default") ? (pl_host_value){0}
                                       : pl_host_expression(h);
  h->lost = false;
  return pl_host_take(h, ":");
}

/* Behind the label of that value, of `default` where `on` is NULL; false: there
 * is none. */
static bool find_case(pl_host *h, const pl_sym *on, size_t open,
                      size_t close) {
  for (size_t i = open + 1; i < close; i++) {
    pl_host_value label;
    if (h->text.tokens[i].match > i)
      i = h->text.tokens[i].match;
    bool wanted = pl_host_is(h, i, on ? "case" : "default") &&
                  take_label(h, i, &label);
    if (wanted && (!on || (label.kind == PL_HOST_INT &&
                           label.sym->v == on->v)))
      return true;
  }
  return false;
}

/* Each case from the same state, all of them in doubt unless it is known which
 * it is. */
static pl_host_flow walk_cases(pl_host *h, const pl_host_value *on,
                               size_t open, size_t close) {
  bool known = on->kind == PL_HOST_INT && !pl_sym_is_open(on->sym);
  if (known) {
    pl_sym_pin(on->sym);
    bool found = find_case(h, on->sym, open, close) ||
                 find_case(h, NULL, open, close);
    return found ? run_cases(h, close) : PL_HOST_GOES_ON;
  }
  for (size_t i = open + 1; i < close; i++) {
    pl_host_value label;
    if (h->text.tokens[i].match > i)
      i = h->text.tokens[i].match;
    else if ((pl_host_is(h, i, "case") || pl_host_is(h, i, "default")) &&
             take_label(h, i, &label))
      doubt_case(h, close);
  }
  return PL_HOST_GOES_ON;
}

static pl_host_flow switch_statement(pl_host *h) {
  h->p++;
  size_t open = closing(h) + 1, close = h->text.tokens[open].match;
  h->p++;
  pl_host_value on = pl_host_expression(h);
  h->lost = false;
  pl_host_flow flow = walk_cases(h, &on, open, close);
  h->p = close + 1;
  return flow == PL_HOST_RETURNS ? flow : PL_HOST_GOES_ON;
}

static pl_host_flow return_statement(pl_host *h) {
  size_t from = h->p++;
  h->returned = pl_host_at(h, ";") ? (pl_host_value){0}
                                   : pl_host_expression(h);
  h->lost = false;
  h->p = statement_end(h, from);
  return PL_HOST_RETURNS;
}

pl_host_flow pl_host_block(pl_host *h) {
  size_t end = closing(h);
  pl_host_scope *outer = h->scope;
  h->scope = PL_NEW(h->arena, pl_host_scope);
  h->scope->up = outer;
  pl_host_flow flow = PL_HOST_GOES_ON;
  for (h->p++; h->p < end && flow == PL_HOST_GOES_ON && !h->exits;)
    flow = pl_host_statement(h);
  h->scope = outer;
  h->p = end + 1;
  return flow;
}

/* enum [class] [name] [: type] { A, B = 2 }: constants of their names. */
static void enumerators(pl_host *h) {
  size_t from = h->p, end = statement_end(h, from);
  while (h->p < end && !pl_host_at(h, "{") && !pl_host_at(h, ";"))
    h->p++;
  size_t close = pl_host_at(h, "{") ? closing(h) : h->p;
  pl_host_value next = pl_host_int(h, 0);
  for (h->p++; h->p < close && PL_HOST_TOKEN(h)->kind == 'n';) {
    pl_host_cell *cell =
        pl_host_declare(h, pl_arena_cstr(h->arena, PL_HOST_TOKEN(h)->s));
    h->p++;
    if (pl_host_take(h, "="))
      next = pl_host_expression(h);
    h->lost = false;
    cell->is_constant = true;
    cell->value = next;
    cell->value.lvalue = NULL;
    next = pl_host_apply(h, "+", next, pl_host_int(h, 1));
    if (!pl_host_take(h, ","))
      break;
  }
  h->p = end;
}

static void local_alias(pl_host *h) {
  size_t from = h->p, end = statement_end(h, from);
  if (pl_host_at(h, "using") && pl_host_ahead(h, 2, "=")) {
    pl_host_alias a = {pl_arena_cstr(h->arena, PL_HOST_TOKEN(h)[1].s),
                       pl_host_words(h, from + 3, end - 1)};
    PL_PUSH(h->arena, h->aliases, h->n_aliases, h->cap_aliases, a);
  }
  h->p = end;
}

static void expression_statement(pl_host *h) {
  size_t from = h->p;
  pl_host_expression(h);
  while (!h->lost && pl_host_take(h, ","))
    pl_host_expression(h);
  if (h->lost || !pl_host_take(h, ";"))
    pl_host_lose_statement(h, from);
}

pl_host_flow pl_host_statement(pl_host *h) {
  if (h->steps++ > STEPS) {
    h->exits = true;
    return PL_HOST_RETURNS;
  }
  if (pl_host_at(h, "{"))
    return pl_host_block(h);
  if (pl_host_take(h, ";"))
    return PL_HOST_GOES_ON;
  if (pl_host_at(h, "if"))
    return if_statement(h);
  if (pl_host_at(h, "for"))
    return for_statement(h);
  if (pl_host_at(h, "while"))
    return while_statement(h);
  if (pl_host_at(h, "do"))
    return do_statement(h);
  if (pl_host_at(h, "switch"))
    return switch_statement(h);
  if (pl_host_at(h, "return"))
    return return_statement(h);
  if (pl_host_at(h, "break") || pl_host_at(h, "continue")) {
    bool breaks = pl_host_at(h, "break");
    skip_statement(h);
    return breaks ? PL_HOST_BREAKS : PL_HOST_CONTINUES;
  }
  if (pl_host_at(h, "throw")) {
    skip_statement(h);
    return PL_HOST_RETURNS;
  }
  if (pl_host_at(h, "enum"))
    enumerators(h);
  else if (pl_host_at(h, "using") || pl_host_at(h, "typedef"))
    local_alias(h);
  else if (pl_host_at(h, "static_assert") || pl_host_at(h, "delete") ||
           pl_host_at(h, "goto"))
    skip_statement(h);
  else if (!pl_host_declaration(h))
    expression_statement(h);
  return h->exits ? PL_HOST_RETURNS : PL_HOST_GOES_ON;
}
