/* launch.c - see launch.h.
 *
 * Lines first (comment markers stripped, position kept), then one function per
 * kind of line, found by its first word in LINES. */
#include "launch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A stretch of one line and where it stands. */
typedef struct piece {
  const char *p, *end;
  int line;
  const char *line_start;
} piece;

typedef struct reader {
  pl_arena *arena;
  pl_launch_list *list;
  size_t cap;
  pl_launch *now; /* the description being read, or NULL */
  pl_launch_error *error;
  bool failed;
} reader;

/* Reports at `at`; always false, so that callers can return it. */
static bool fail(reader *r, const piece *pc, const char *at, const char *why) {
  if (!r->failed) {
    r->error->line = pc->line;
    r->error->column = (int)(at - pc->line_start) + 1;
    snprintf(r->error->text, sizeof r->error->text, "%s", why);
  }
  r->failed = true;
  return false;
}

static bool fail_name(reader *r, const piece *pc, const char *at,
                      const char *format, const char *name) {
  return fail(r, pc, at, pl_arena_printf(r->arena, format, name).p);
}

static bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r'; }

static bool is_name(char c) {
  return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         (c >= '0' && c <= '9');
}

static void trim(piece *pc) {
  while (pc->p < pc->end && is_space(*pc->p))
    pc->p++;
  while (pc->end > pc->p && is_space(pc->end[-1]))
    pc->end--;
}

/* The identifier that `pc` goes on with; empty when there is none. */
static pl_str take_name(piece *pc) {
  trim(pc);
  const char *from = pc->p;
  while (pc->p < pc->end && is_name(*pc->p))
    pc->p++;
  return (pl_str){from, (size_t)(pc->p - from)};
}

static bool take_char(piece *pc, char c) {
  trim(pc);
  if (pc->p == pc->end || *pc->p != c)
    return false;
  pc->p++;
  return true;
}

static const char *closing(const char *p, const char *end) {
  int depth = 0;
  for (; p < end; p++) {
    if (strchr("([{", *p))
      depth++;
    else if (strchr(")]}", *p) && --depth == 0)
      return p;
  }
  return NULL;
}

/* The text up to a comma outside brackets; the comma is taken. */
static piece take_item(piece *pc) {
  piece item = *pc;
  int depth = 0;
  for (; pc->p < pc->end; pc->p++) {
    if (strchr("([", *pc->p))
      depth++;
    else if (strchr(")]", *pc->p))
      depth--;
    else if (*pc->p == ',' && depth == 0)
      break;
  }
  item.end = pc->p;
  if (pc->p < pc->end)
    pc->p++;
  trim(&item);
  return item;
}

static const pl_expr *read_expr(reader *r, piece pc) {
  const char *why;
  size_t at;
  trim(&pc);
  pl_str text = {pc.p, (size_t)(pc.end - pc.p)};
  text = pl_arena_str(r->arena, text.p, text.n);
  const pl_expr *e = pl_expr_parse(r->arena, text, &why, &at);
  if (!e)
    fail(r, &pc, pc.p + at, why);
  return e;
}

static bool read_int(reader *r, piece *pc, int64_t *value) {
  trim(pc);
  char *end;
  const char *from = pc->p;
  if (from == pc->end || !strchr("-0123456789", *from))
    return fail(r, pc, from, "expected an integer");
  *value = strtoll(from, &end, 10);
  if (end > pc->end || end == from || (end < pc->end && is_name(*end)))
    return fail(r, pc, from, "expected an integer");
  pc->p = end;
  return true;
}

static bool read_real(reader *r, piece pc, double *value) {
  trim(&pc);
  char *text = pl_arena_cstr(r->arena,
                             (pl_str){pc.p, (size_t)(pc.end - pc.p)});
  char *end;
  *value = strtod(text, &end);
  if (*end == 'f' || *end == 'F')
    end++;
  if (end == text || *end)
    return fail(r, &pc, pc.p, "expected a number");
  return true;
}

/* `name = int {, int}` */
static bool read_dim(reader *r, piece *pc, pl_dim_values *dim) {
  pl_str name = take_name(pc);
  if (name.n == 0)
    return fail(r, pc, pc->p, "expected a dimension's name");
  dim->name = pl_arena_cstr(r->arena, name);
  if (!take_char(pc, '='))
    return fail(r, pc, pc->p, "expected '='");
  size_t cap = 0;
  do {
    int64_t value = 0;
    if (!read_int(r, pc, &value))
      return false;
    PL_PUSH(r->arena, dim->values, dim->n, cap, value);
  } while (take_char(pc, ','));
  return true;
}

static bool read_dims(reader *r, piece pc, pl_dim_values **dims, size_t *n) {
  size_t cap = 0;
  *n = 0;
  for (trim(&pc); pc.p < pc.end; trim(&pc)) {
    pl_dim_values dim = {0};
    if (!read_dim(r, &pc, &dim))
      return false;
    PL_PUSH(r->arena, *dims, *n, cap, dim);
  }
  return *n > 0 || fail(r, &pc, pc.p, "expected NAME=VALUES");
}

static bool has_dim(const pl_dim_values *dims, size_t n, const char *name) {
  for (size_t i = 0; i < n; i++)
    if (strcmp(dims[i].name, name) == 0)
      return true;
  return false;
}

/* Every `sizes` line names the same dimensions as the first, in any order. */
static bool same_dims(reader *r, piece pc, const pl_dim_values *dims, size_t n) {
  const pl_sizes *first = &r->now->sizes[0];
  for (size_t i = 0; i < first->n; i++)
    if (!has_dim(dims, n, first->dims[i].name))
      return fail_name(r, &pc, pc.p, "dimension '%s' has no value here",
                       first->dims[i].name);
  for (size_t i = 0; i < n; i++)
    if (!has_dim(first->dims, first->n, dims[i].name))
      return fail_name(r, &pc, pc.p,
                       "dimension '%s' is not in the first sizes line",
                       dims[i].name);
  return true;
}

static bool read_sizes(reader *r, piece pc) {
  pl_launch *l = r->now;
  pl_sizes sizes = {.line = pc.line};
  if (!read_dims(r, pc, &sizes.dims, &sizes.n))
    return false;
  if (l->n_sizes && !same_dims(r, pc, sizes.dims, sizes.n))
    return false;
  size_t cap = l->n_sizes;
  PL_PUSH(r->arena, l->sizes, l->n_sizes, cap, sizes);
  return true;
}

static bool read_target(reader *r, piece pc) {
  pl_launch *l = r->now;
  if (!read_dims(r, pc, &l->target, &l->n_target))
    return false;
  for (size_t i = 0; i < l->n_target; i++)
    if (l->target[i].n != 1)
      return fail(r, &pc, pc.p, "a target dimension has one value");
  return true;
}

static bool read_let(reader *r, piece pc) {
  pl_launch *l = r->now;
  pl_let let = {0};
  pl_str name = take_name(&pc);
  if (name.n == 0 || !take_char(&pc, '='))
    return fail(r, &pc, pc.p, "expected NAME = EXPRESSION");
  let.name = pl_arena_cstr(r->arena, name);
  let.value = read_expr(r, pc);
  size_t cap = l->n_lets;
  PL_PUSH(r->arena, l->lets, l->n_lets, cap, let);
  return let.value != NULL;
}

static bool read_requires(reader *r, piece pc) {
  pl_launch *l = r->now;
  const pl_expr *e = read_expr(r, pc);
  size_t cap = l->n_needs;
  PL_PUSH(r->arena, l->needs, l->n_needs, cap, e);
  return e != NULL;
}

static bool read_shape(reader *r, piece pc, const pl_expr **shape) {
  trim(&pc);
  for (int i = 0; i < 3 && (i == 0 || pc.p < pc.end); i++)
    if (!(shape[i] = read_expr(r, take_item(&pc))))
      return false;
  return pc.p == pc.end || fail(r, &pc, pc.p, "at most three extents");
}

static bool read_grid(reader *r, piece pc) {
  return read_shape(r, pc, r->now->grid);
}

static bool read_block(reader *r, piece pc) {
  return read_shape(r, pc, r->now->block);
}

static bool read_smem(reader *r, piece pc) {
  return (r->now->smem = read_expr(r, pc)) != NULL;
}

static bool read_work(reader *r, piece pc) {
  const char *at = pc.p;
  pl_str what = take_name(&pc);
  if (pl_str_is(what, "flops"))
    return (r->now->flops = read_expr(r, pc)) != NULL;
  if (pl_str_is(what, "bytes"))
    return (r->now->bytes = read_expr(r, pc)) != NULL;
  return fail(r, &pc, at, "expected 'flops' or 'bytes'");
}

/* The bracketed text behind `pc`'s position, brackets taken off. */
static bool take_bracketed(reader *r, piece *pc, char open, piece *inside) {
  trim(pc);
  if (pc->p == pc->end || *pc->p != open)
    return fail(r, pc, pc->p, open == '[' ? "expected '['" : "expected '('");
  const char *close = closing(pc->p, pc->end);
  if (!close)
    return fail(r, pc, pc->p, "no closing bracket");
  *inside = *pc;
  inside->p++;
  inside->end = close;
  pc->p = close + 1;
  return true;
}

static bool read_fill_range(reader *r, piece inside, pl_arg *arg) {
  const char *at = inside.p;
  arg->fill = PL_FILL_RANGE;
  if (!read_real(r, take_item(&inside), &arg->low) ||
      !read_real(r, take_item(&inside), &arg->high))
    return false;
  return arg->low < arg->high ||
         fail(r, &inside, at, "an empty range");
}

static bool read_fill(reader *r, piece pc, pl_arg *arg) {
  piece inside;
  trim(&pc);
  if (pc.p == pc.end)
    return true;
  const char *at = pc.p;
  pl_str what = take_name(&pc);
  if (pl_str_is(what, "random")) {
    trim(&pc);
    return pc.p == pc.end || fail(r, &pc, pc.p, "unexpected text");
  }
  bool known = pl_str_is(what, "range") || pl_str_is(what, "below") ||
               pl_str_is(what, "const");
  if (!known)
    return fail(r, &pc, at, "expected random, range, below or const");
  if (!take_bracketed(r, &pc, '(', &inside))
    return false;
  trim(&pc);
  if (pc.p != pc.end)
    return fail(r, &pc, pc.p, "unexpected text");
  if (pl_str_is(what, "range"))
    return read_fill_range(r, inside, arg);
  arg->fill = pl_str_is(what, "below") ? PL_FILL_BELOW : PL_FILL_CONST;
  if (arg->fill == PL_FILL_CONST)
    return read_real(r, inside, &arg->low);
  return (arg->below = read_expr(r, inside)) != NULL;
}

static bool read_buffer(reader *r, piece pc, pl_arg *arg, const char *word) {
  piece inside;
  arg->kind = PL_ARG_BUFFER;
  arg->direction = strcmp(word, "in") == 0    ? PL_ARG_IN
                   : strcmp(word, "out") == 0 ? PL_ARG_OUT
                                              : PL_ARG_INOUT;
  if (!take_bracketed(r, &pc, '[', &inside))
    return false;
  if (!(arg->count = read_expr(r, inside)))
    return false;
  return read_fill(r, pc, arg);
}

/* A literal with a point or an exponent, and nothing but a sign before it. */
static bool looks_real(piece pc) {
  if (pc.p < pc.end && strchr("+-", *pc.p))
    pc.p++;
  trim(&pc);
  if (pc.p == pc.end || !strchr(".0123456789", *pc.p))
    return false;
  while (pc.p < pc.end && *pc.p >= '0' && *pc.p <= '9')
    pc.p++;
  return pc.p < pc.end && strchr(".eEfF", *pc.p);
}

static bool read_argument(reader *r, piece pc, pl_str name) {
  pl_launch *l = r->now;
  pl_arg arg = {.name = pl_arena_cstr(r->arena, name), .line = pc.line};
  trim(&pc);
  piece rest = pc;
  const char *word = pl_arena_cstr(r->arena, take_name(&rest));
  trim(&rest);
  bool bracket = rest.p < rest.end && *rest.p == '[';
  bool ok = true;
  if (bracket && (!strcmp(word, "in") || !strcmp(word, "out") ||
                  !strcmp(word, "inout"))) {
    ok = read_buffer(r, rest, &arg, word);
  } else if (!strcmp(word, "null") && rest.p == rest.end) {
    arg.kind = PL_ARG_NULL;
  } else if (looks_real(pc)) {
    arg.kind = PL_ARG_REAL;
    ok = read_real(r, pc, &arg.real);
  } else {
    arg.kind = PL_ARG_INT;
    ok = (arg.value = read_expr(r, pc)) != NULL;
  }
  size_t cap = l->n_args;
  PL_PUSH(r->arena, l->args, l->n_args, cap, arg);
  return ok;
}

static const struct {
  const char *word;
  bool (*read)(reader *r, piece rest);
} LINES[] = {
    {"sizes", read_sizes},       {"target", read_target}, {"let", read_let},
    {"requires", read_requires}, {"grid", read_grid},     {"block", read_block},
    {"smem", read_smem},         {"work", read_work},
};

/* `name:` makes an argument, whatever the name; else the first word decides. */
static bool read_line(reader *r, piece pc) {
  piece rest = pc;
  const char *at = pc.p;
  pl_str word = take_name(&rest);
  trim(&rest);
  if (word.n && rest.p < rest.end && *rest.p == ':') {
    rest.p++;
    return read_argument(r, rest, word);
  }
  for (size_t i = 0; i < sizeof LINES / sizeof *LINES; i++)
    if (pl_str_is(word, LINES[i].word))
      return LINES[i].read(r, rest);
  return fail(r, &pc, at,
              "expected sizes, target, let, requires, grid, block, smem, "
              "work or 'NAME:'");
}

/* The last identifier before template arguments: "a::b<4>" gives "b". */
static const char *bare_name(pl_arena *arena, const char *kernel) {
  const char *end = strchr(kernel, '<');
  if (!end)
    end = kernel + strlen(kernel);
  while (end > kernel && is_space(end[-1]))
    end--;
  const char *from = end;
  while (from > kernel && is_name(from[-1]))
    from--;
  return pl_arena_cstr(arena, (pl_str){from, (size_t)(end - from)});
}

/* Where the kernel's name ends and "(types)" begins; brackets may nest, as in
 * "f<(1 + 2)>(int)". */
static const char *types_start(const piece *pc) {
  int angle = 0, round = 0;
  for (const char *p = pc->p; p < pc->end; p++) {
    if (*p == '(' && angle == 0)
      return p;
    round += (*p == '(') - (*p == ')');
    if (round == 0)
      angle += (*p == '<') - (*p == '>');
  }
  return pc->end;
}

static bool begin_launch(reader *r, piece pc) {
  trim(&pc);
  if (pc.p == pc.end)
    return fail(r, &pc, pc.p, "expected a kernel's name");
  piece name = pc;
  const char *types = types_start(&pc);
  name.end = types;
  trim(&name);
  pl_launch l = {.line = pc.line};
  l.kernel = pl_arena_cstr(r->arena,
                           (pl_str){name.p, (size_t)(name.end - name.p)});
  l.name = bare_name(r->arena, l.kernel);
  if (!*l.name)
    return fail(r, &pc, pc.p, "expected a kernel's name");
  if (types < pc.end)
    l.types = pl_arena_cstr(r->arena,
                            (pl_str){types, (size_t)(pc.end - types)});
  PL_PUSH(r->arena, r->list->launches, r->list->n, r->cap, l);
  r->now = &r->list->launches[r->list->n - 1];
  return true;
}

static bool take_word(piece *pc, const char *word) {
  piece rest = *pc;
  pl_str got = take_name(&rest);
  if (!pl_str_is(got, word))
    return false;
  *pc = rest;
  return true;
}

/* Takes `pipelinify :`. */
static bool take_marker(piece *pc) {
  piece rest = *pc;
  if (!take_word(&rest, "pipelinify") || !take_char(&rest, ':'))
    return false;
  *pc = rest;
  return true;
}

static bool take_slashes(piece *pc) {
  trim(pc);
  if (pc->end - pc->p < 2 || pc->p[0] != '/' || pc->p[1] != '/')
    return false;
  pc->p += 2;
  trim(pc);
  return true;
}

/* Each description must say its block and give every dimension a value. */
static bool finish_launch(reader *r) {
  pl_launch *l = r->now;
  r->now = NULL;
  if (!l)
    return true;
  piece pc = {.line = l->line};
  if (!l->block[0])
    return fail_name(r, &pc, pc.p, "launch '%s' has no block", l->kernel);
  return true;
}

/* A line of a source file: only `//` comments count. */
static bool source_line(reader *r, piece pc) {
  if (!take_slashes(&pc))
    return finish_launch(r);
  if (take_marker(&pc)) {
    if (!finish_launch(r))
      return false;
    return take_word(&pc, "launch") ? begin_launch(r, pc) : true;
  }
  if (!r->now || pc.p == pc.end)
    return true;
  return read_line(r, pc);
}

/* A line of a description file or option. `#` begins a comment. */
static bool text_line(reader *r, piece pc) {
  take_slashes(&pc);
  bool marked = take_marker(&pc);
  if (pc.p == pc.end || *pc.p == '#')
    return true;
  piece rest = pc;
  if (take_word(&rest, "launch") && (rest.p == rest.end || *rest.p != ':'))
    return finish_launch(r) && begin_launch(r, rest);
  if (marked)
    return finish_launch(r);
  if (!r->now)
    return fail(r, &pc, pc.p, "expected 'launch KERNEL'");
  return read_line(r, pc);
}

/* Is the `|` at `p` the end of a line, and not one half of `||`? */
static bool is_bar(const char *text, const char *p, const char *end) {
  return *p == '|' && !(p + 1 < end && p[1] == '|') &&
         !(p > text && p[-1] == '|');
}

static pl_launch_list *read_all(const char *text, size_t len, bool bars,
                                bool (*line)(reader *, piece),
                                pl_launch_error *error) {
  pl_arena *arena = pl_arena_new(abort);
  pl_launch_list *list = PL_NEW(arena, pl_launch_list);
  list->arena = arena;
  reader r = {.arena = arena, .list = list, .error = error};
  const char *p = pl_arena_str(arena, text, len).p;
  const char *start = p, *end = p + len;
  if (len >= 3 && memcmp(p, "\xEF\xBB\xBF", 3) == 0)
    p += 3; /* a byte order mark */
  piece pc = {.line = 1, .line_start = p};
  bool ok = true;
  while (ok && p < end) {
    pc.p = p;
    while (p < end && *p != '\n' && !(bars && is_bar(start, p, end)))
      p++;
    pc.end = p;
    ok = line(&r, pc);
    if (p < end && *p++ == '\n') {
      pc.line++;
      pc.line_start = p;
    }
  }
  if (ok && finish_launch(&r))
    return list;
  pl_arena_free(arena);
  return NULL;
}

pl_launch_list *pl_launches_from_source(const char *text, size_t len,
                                        pl_launch_error *error) {
  return read_all(text, len, false, source_line, error);
}

pl_launch_list *pl_launches_from_text(const char *text, size_t len,
                                      pl_launch_error *error) {
  return read_all(text, len, true, text_line, error);
}

void pl_launch_list_free(pl_launch_list *list) {
  if (list)
    pl_arena_free(list->arena);
}

static size_t sizes_count(const pl_sizes *sizes) {
  size_t n = 1;
  for (size_t i = 0; i < sizes->n; i++)
    n *= sizes->dims[i].n;
  return n;
}

size_t pl_launch_case_count(const pl_launch *launch) {
  size_t n = 0;
  for (size_t i = 0; i < launch->n_sizes; i++)
    n += sizes_count(&launch->sizes[i]);
  return launch->n_sizes ? n : 1;
}

/* What the evaluation of one case carries about. */
typedef struct resolver {
  pl_arena *arena;
  const pl_launch *launch;
  const char **names;
  int64_t *values;
  size_t n;
  pl_launch_error *error;
} resolver;

static bool resolve(resolver *rs, const pl_expr *e, int line, int64_t *value) {
  const char *why;
  pl_names names = {rs->names, rs->values, rs->n};
  if (pl_expr_eval(rs->arena, e, &names, value, &why))
    return true;
  rs->error->line = line;
  rs->error->column = 1;
  pl_str text = pl_expr_text_view(e);
  snprintf(rs->error->text, sizeof rs->error->text, "'%.*s': %s", PL_FMT(text),
           why);
  return false;
}

static void add_name(resolver *rs, const char *name, int64_t value) {
  rs->names[rs->n] = name;
  rs->values[rs->n++] = value;
}

static bool resolve_lets(resolver *rs) {
  const pl_launch *l = rs->launch;
  for (size_t i = 0; i < l->n_lets; i++) {
    int64_t value;
    if (!resolve(rs, l->lets[i].value, l->line, &value))
      return false;
    add_name(rs, l->lets[i].name, value);
  }
  return true;
}

static bool resolve_shape(resolver *rs, const pl_expr *const *from,
                          int64_t *to) {
  for (int i = 0; i < 3; i++) {
    to[i] = 1;
    if (from[i] && !resolve(rs, from[i], rs->launch->line, &to[i]))
      return false;
  }
  return true;
}

static bool bad_case(resolver *rs, int line, const char *why) {
  rs->error->line = line;
  rs->error->column = 1;
  snprintf(rs->error->text, sizeof rs->error->text, "%s", why);
  return false;
}

static bool resolve_arg(resolver *rs, const pl_arg *arg, pl_case_arg *out) {
  out->arg = arg;
  if (arg->count && !resolve(rs, arg->count, arg->line, &out->count))
    return false;
  if (out->count < 0)
    return bad_case(rs, arg->line, "a buffer's element count is negative");
  if (arg->below && !resolve(rs, arg->below, arg->line, &out->below))
    return false;
  if (arg->below && out->below < 1)
    out->below = 1;
  return !arg->value || resolve(rs, arg->value, arg->line, &out->value);
}

static bool resolve_args(resolver *rs, pl_case *c) {
  c->n_args = rs->launch->n_args;
  c->args = PL_NEW_ARRAY(rs->arena, pl_case_arg, c->n_args + 1);
  for (size_t i = 0; i < c->n_args; i++)
    if (!resolve_arg(rs, &rs->launch->args[i], &c->args[i]))
      return false;
  return true;
}

static bool resolve_work(resolver *rs, const pl_expr *e, double *out) {
  int64_t value = 0;
  if (e && !resolve(rs, e, rs->launch->line, &value))
    return false;
  *out = (double)value;
  return true;
}

/* Is the case inside the domain that the description's `requires` lines give?
 * PL_CASE_OK, PL_CASE_LEFT_OUT or PL_CASE_ERROR. */
static pl_case_answer in_domain(resolver *rs) {
  const pl_launch *l = rs->launch;
  for (size_t i = 0; i < l->n_needs; i++) {
    int64_t value;
    if (!resolve(rs, l->needs[i], l->line, &value))
      return PL_CASE_ERROR;
    if (!value)
      return PL_CASE_LEFT_OUT;
  }
  return PL_CASE_OK;
}

/* Each factor is looked at first, so that the product cannot overflow. */
static bool is_block(const int64_t *block) {
  for (int i = 0; i < 3; i++)
    if (block[i] < 1 || block[i] > 1024)
      return false;
  return block[0] * block[1] * block[2] <= 1024;
}

/* All but the dimensions, which stand in `rs` already. */
static pl_case_answer resolve_case(resolver *rs, pl_case *c) {
  *c = (pl_case){.n_dims = rs->n};
  if (!resolve_lets(rs))
    return PL_CASE_ERROR;
  c->names = (pl_names){rs->names, rs->values, rs->n};
  pl_case_answer answer = in_domain(rs);
  if (answer != PL_CASE_OK)
    return answer;
  if (!resolve_shape(rs, rs->launch->grid, c->grid) ||
      !resolve_shape(rs, rs->launch->block, c->block))
    return PL_CASE_ERROR;
  if (rs->launch->smem &&
      !resolve(rs, rs->launch->smem, rs->launch->line, &c->smem))
    return PL_CASE_ERROR;
  if (c->grid[0] < 1 || c->grid[1] < 1 || c->grid[2] < 1)
    return PL_CASE_LEFT_OUT;
  if (c->smem < 0) {
    bad_case(rs, rs->launch->line, "the dynamic shared memory is negative");
    return PL_CASE_ERROR;
  }
  if (!is_block(c->block)) {
    bad_case(rs, rs->launch->line, "a block has 1 to 1024 threads");
    return PL_CASE_ERROR;
  }
  if (!resolve_args(rs, c) ||
      !resolve_work(rs, rs->launch->flops, &c->flops) ||
      !resolve_work(rs, rs->launch->bytes, &c->bytes))
    return PL_CASE_ERROR;
  return PL_CASE_OK;
}

static resolver resolver_new(pl_arena *arena, const pl_launch *launch,
                             size_t n_dims, pl_launch_error *error) {
  size_t room = n_dims + launch->n_lets + 1;
  return (resolver){.arena = arena,
                    .launch = launch,
                    .names = PL_NEW_ARRAY(arena, const char *, room),
                    .values = PL_NEW_ARRAY(arena, int64_t, room),
                    .error = error};
}

pl_case_answer pl_launch_case(pl_arena *arena, const pl_launch *launch,
                              size_t index, pl_case *out,
                              pl_launch_error *error) {
  size_t s = 0;
  while (s < launch->n_sizes && index >= sizes_count(&launch->sizes[s]))
    index -= sizes_count(&launch->sizes[s++]);
  const pl_sizes none = {0};
  const pl_sizes *sizes = s < launch->n_sizes ? &launch->sizes[s] : &none;
  resolver rs = resolver_new(arena, launch, sizes->n, error);
  for (size_t i = sizes->n; i-- > 0;) {
    rs.names[i] = sizes->dims[i].name;
    rs.values[i] = sizes->dims[i].values[index % sizes->dims[i].n];
    index /= sizes->dims[i].n;
  }
  rs.n = sizes->n;
  return resolve_case(&rs, out);
}

pl_case_answer pl_launch_target(pl_arena *arena, const pl_launch *launch,
                                pl_case *out, pl_launch_error *error) {
  if (launch->n_target == 0)
    return PL_CASE_LEFT_OUT;
  resolver rs = resolver_new(arena, launch, launch->n_target, error);
  for (size_t i = 0; i < launch->n_target; i++)
    add_name(&rs, launch->target[i].name, launch->target[i].values[0]);
  return resolve_case(&rs, out);
}

pl_str pl_case_sizes_text(pl_arena *arena, const pl_case *c) {
  pl_text text = {.arena = arena};
  for (size_t i = 0; i < c->n_dims; i++)
    pl_text_printf(&text, "%s%s=%lld", i ? " " : "", c->names.names[i],
                   (long long)c->names.values[i]);
  return pl_text_view(&text);
}
