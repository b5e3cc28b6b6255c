/* host_tokens.c - a source as tokens, preprocessed as far as the file itself
 * says: its own macros, -D, and the #ifs that hang on them. See host.h.
 *
 * Needs: nothing. Gives: pl_host_text. Raises: nothing; a directive that is not
 * understood leaves its lines out. */
#include "host.h"

#include <string.h>

#include "token.h"
#include "expr.h"

typedef struct macro {
  pl_str name;
  bool has_params, variadic, gone;
  pl_str *params;
  size_t n_params;
  pl_host_token *body;
  size_t n_body;
  bool active;
} macro;

typedef struct list {
  pl_host_token *items;
  size_t n, cap;
} list;

enum { NESTED = 64 };

typedef struct reader {
  pl_arena *arena;
  macro *macros;
  size_t n_macros, cap_macros;
  list out;
  struct {
    bool live, taken; /* these lines count; some branch has counted */
  } ifs[NESTED];
  int n_ifs;
  const char *end;
} reader;

static const char *const long_marks[] = {
    "<<<", "<<=", "...", "::", "->", "++", "--", "+=", "-=", "*=", "/=", "%=",
    "&=",  "|=",  "^=",  "<<", "<=", "==", "!=", "&&", "||"};

/* The end of the token at `p`; `>` is always a token of its own. */
static const char *token_end(const char *p, const char *end) {
  for (size_t i = 0; i < sizeof long_marks / sizeof *long_marks; i++)
    if (pl_tok_at(p, end, long_marks[i]))
      return p + strlen(long_marks[i]);
  bool number = pl_tok_is_digit(*p) ||
                (*p == '.' && p + 1 < end && pl_tok_is_digit(p[1]));
  if (!number)
    return pl_tok_skip(p, end);
  while (p < end && (pl_tok_is_name(*p) || *p == '.' || *p == '\'' ||
                     (strchr("+-", *p) && strchr("eE", p[-1]))))
    p++;
  return p;
}

static char kind_of(pl_str s) {
  if (*s.p == '"' || *s.p == '\'' || pl_str_starts(s, "R\""))
    return '"';
  if (pl_tok_is_digit(*s.p) || (*s.p == '.' && s.n > 1 && s.p[1] != '.'))
    return '0';
  return pl_tok_is_name(*s.p) ? 'n' : 'p';
}

static void push(reader *r, list *l, pl_host_token t) {
  PL_PUSH(r->arena, l->items, l->n, l->cap, t);
}

/* The tokens of [p, end), all of one line. */
static list read_tokens(reader *r, const char *p, const char *end,
                        unsigned line) {
  list l = {0};
  const char *before = p;
  while ((p = pl_tok_skip_blank(p, end)) < end) {
    const char *to = token_end(p, end);
    pl_str s = pl_tok_between(p, to);
    push(r, &l, (pl_host_token){s, kind_of(s), p == before, line, 0});
    before = p = to;
  }
  return l;
}

static macro *find_macro(reader *r, pl_str name) {
  for (size_t i = r->n_macros; i-- > 0;)
    if (pl_str_eq(r->macros[i].name, name))
      return r->macros[i].gone ? NULL : &r->macros[i];
  return NULL;
}

/* NAME, NAME(a, b) and the body behind it. */
static void define(reader *r, list l, size_t from) {
  if (from >= l.n)
    return;
  macro m = {.name = l.items[from++].s};
  if (from < l.n && l.items[from].glued && pl_str_is(l.items[from].s, "(")) {
    size_t cap = 0;
    m.has_params = true;
    for (from++; from < l.n && !pl_str_is(l.items[from].s, ")"); from++) {
      if (pl_str_is(l.items[from].s, "..."))
        m.variadic = true;
      else if (l.items[from].kind == 'n')
        PL_PUSH(r->arena, m.params, m.n_params, cap, l.items[from].s);
    }
    from++;
  }
  m.body = l.items + (from < l.n ? from : l.n);
  m.n_body = from < l.n ? l.n - from : 0;
  PL_PUSH(r->arena, r->macros, r->n_macros, r->cap_macros, m);
}

static void expand(reader *r, const list *from, list *to);

typedef struct argument {
  list tokens;
} argument;

/* Behind the `(` at `*at`; *at is moved behind the `)`. */
static argument *read_arguments(reader *r, const list *l, size_t *at,
                                const macro *m, size_t *n) {
  argument *args = NULL;
  size_t cap = 0;
  int depth = 0;
  list now = {0};
  for (++*at; *at < l->n; ++*at) {
    pl_str s = l->items[*at].s;
    bool open = s.n == 1 && strchr("([{", *s.p);
    bool close = s.n == 1 && strchr(")]}", *s.p);
    if (close && depth == 0)
      break;
    depth += open - close;
    bool comma = pl_str_is(s, ",") && depth == 0 &&
                 !(m->variadic && *n >= m->n_params);
    if (!comma) {
      push(r, &now, l->items[*at]);
      continue;
    }
    PL_PUSH(r->arena, args, *n, cap, (argument){now});
    now = (list){0};
  }
  PL_PUSH(r->arena, args, *n, cap, (argument){now});
  ++*at;
  return args;
}

/* Which argument the name stands for; -1: none. */
static int parameter_of(const macro *m, pl_str name) {
  for (size_t i = 0; i < m->n_params; i++)
    if (pl_str_eq(m->params[i], name))
      return (int)i;
  return m->variadic && pl_str_is(name, "__VA_ARGS__") ? (int)m->n_params : -1;
}

static list substitute(reader *r, const macro *m, const argument *args,
                       size_t n, unsigned line) {
  list l = {0};
  for (size_t i = 0; i < m->n_body; i++) {
    int which = m->body[i].kind == 'n' ? parameter_of(m, m->body[i].s) : -1;
    if (pl_str_is(m->body[i].s, "#"))
      continue;
    if (which < 0) {
      pl_host_token t = m->body[i];
      t.line = line;
      push(r, &l, t);
      continue;
    }
    list full = {0};
    if ((size_t)which < n)
      expand(r, &args[which].tokens, &full);
    for (size_t k = 0; k < full.n; k++)
      push(r, &l, full.items[k]);
  }
  return l;
}

/* The macro at `*at` of `l`, if its use is whole. */
static bool use_macro(reader *r, const list *l, size_t *at, macro *m,
                      list *to) {
  unsigned line = l->items[*at].line;
  argument *args = NULL;
  size_t n = 0, next = *at + 1;
  if (m->has_params) {
    if (next >= l->n || !pl_str_is(l->items[next].s, "("))
      return false;
    args = read_arguments(r, l, &next, m, &n);
  }
  list body = substitute(r, m, args, n, line);
  size_t index = (size_t)(m - r->macros);
  m->active = true;
  expand(r, &body, to);
  r->macros[index].active = false;
  *at = next;
  return true;
}

static void expand(reader *r, const list *from, list *to) {
  for (size_t i = 0; i < from->n;) {
    macro *m = from->items[i].kind == 'n' ? find_macro(r, from->items[i].s)
                                          : NULL;
    if (m && !m->active && use_macro(r, from, &i, m, to))
      continue;
    push(r, to, from->items[i++]);
  }
}

static bool is_live(const reader *r) {
  return r->n_ifs == 0 || r->ifs[r->n_ifs - 1].live;
}

/* `defined(X)` and names that nothing defines, as numbers. */
static bool condition(reader *r, list l, size_t from) {
  list plain = {0}, full = {0};
  for (size_t i = from; i < l.n; i++) {
    if (!pl_str_is(l.items[i].s, "defined")) {
      push(r, &plain, l.items[i]);
      continue;
    }
    bool round = i + 1 < l.n && pl_str_is(l.items[i + 1].s, "(");
    i += round ? 2 : 1;
    if (i >= l.n)
      return false;
    pl_host_token t = {find_macro(r, l.items[i].s) ? PL_STR("1") : PL_STR("0"),
                       '0', false, l.items[i].line, 0};
    push(r, &plain, t);
    i += round;
  }
  expand(r, &plain, &full);
  pl_text text = {.arena = r->arena};
  for (size_t i = 0; i < full.n; i++) {
    pl_str s = full.items[i].kind == 'n' ? PL_STR("0") : full.items[i].s;
    pl_text_add(&text, s);
    if (full.items[i].kind == 'n' || full.items[i].kind == '0')
      pl_text_add(&text, PL_STR(" "));
  }
  const char *why;
  size_t at;
  int64_t value;
  pl_names none = {0};
  const pl_expr *e = pl_expr_parse(r->arena, pl_text_view(&text), &why, &at);
  return e && pl_expr_eval(r->arena, e, &none, &value, &why) && value;
}

static void begin_if(reader *r, bool holds) {
  bool outer = is_live(r);
  if (r->n_ifs == NESTED)
    return;
  r->ifs[r->n_ifs].live = outer && holds;
  r->ifs[r->n_ifs++].taken = !outer || holds;
}

static void other_branch(reader *r, bool holds) {
  if (r->n_ifs == 0)
    return;
  r->ifs[r->n_ifs - 1].live = !r->ifs[r->n_ifs - 1].taken && holds;
  r->ifs[r->n_ifs - 1].taken |= holds;
}

static void directive(reader *r, list l) {
  if (l.n < 2)
    return;
  pl_str word = l.items[1].s, name = l.n > 2 ? l.items[2].s : PL_STR("");
  if (pl_str_is(word, "if"))
    begin_if(r, condition(r, l, 2));
  else if (pl_str_is(word, "ifdef"))
    begin_if(r, find_macro(r, name));
  else if (pl_str_is(word, "ifndef"))
    begin_if(r, !find_macro(r, name));
  else if (pl_str_is(word, "elif"))
    other_branch(r, condition(r, l, 2));
  else if (pl_str_is(word, "else"))
    other_branch(r, true);
  else if (pl_str_is(word, "endif"))
    r->n_ifs -= r->n_ifs > 0;
  else if (!is_live(r))
    return;
  else if (pl_str_is(word, "define"))
    define(r, l, 2);
  else if (pl_str_is(word, "undef"))
    PL_PUSH(r->arena, r->macros, r->n_macros, r->cap_macros,
            ((macro){.name = name, .gone = true}));
}

/* Where the line that begins at `p` ends, continued ones taken together. */
static const char *line_end(const char *p, const char *end) {
  while (p < end && *p != '\n') {
    bool spliced = *p == '\\' && p + 1 < end &&
                   (p[1] == '\n' || (p[1] == '\r' && p + 2 < end));
    if (pl_tok_at(p, end, "/*"))
      p = pl_tok_skip_comment(p, end);
    else if (*p == '"')
      p = pl_tok_skip(p, end);
    else
      p += spliced ? 2 + (p[1] == '\r') : 1;
  }
  return p;
}

static unsigned count_lines(const char *p, const char *end) {
  unsigned n = 0;
  for (; p < end; p++)
    n += *p == '\n';
  return n;
}

/* Directives are obeyed; the tokens of live lines come to r->out, those between
 * two directives expanded at once so that macros may span lines. */
static void read_source(reader *r, pl_str source) {
  const char *p = source.p, *end = source.p + source.n;
  unsigned line = 1;
  bool at_start = true;
  list waiting = {0};
  while (p < end) {
    const char *next = pl_tok_skip_blank(p, end);
    unsigned passed = count_lines(p, next);
    line += passed;
    at_start |= passed > 0;
    bool glued = next == p;
    if (next >= end)
      break;
    if (*next == '#' && at_start) {
      const char *to = line_end(next, end);
      list words = read_tokens(r, next, to, line);
      expand(r, &waiting, &r->out);
      waiting = (list){0};
      directive(r, words);
      line += count_lines(next, to);
      p = to;
      continue;
    }
    const char *to = token_end(next, end);
    pl_str s = pl_tok_between(next, to);
    if (is_live(r))
      push(r, &waiting, (pl_host_token){s, kind_of(s), glued, line, 0});
    line += count_lines(next, to);
    at_start = false;
    p = to;
  }
  expand(r, &waiting, &r->out);
}

static void define_option(reader *r, const char *define_text) {
  size_t n = strcspn(define_text, "=");
  bool given = define_text[n] == '=';
  pl_str text = pl_arena_printf(r->arena, "%.*s %s", (int)n, define_text,
                                given ? define_text + n + 1 : "1");
  define(r, read_tokens(r, text.p, text.p + text.n, 0), 0);
}

/* Both ends of each pair know each other. */
static bool match_brackets(reader *r) {
  size_t *open = NULL, n = 0, cap = 0;
  for (size_t i = 0; i < r->out.n; i++) {
    pl_host_token *t = &r->out.items[i];
    if (t->kind != 'p' || t->s.n != 1)
      continue;
    if (strchr("([{", *t->s.p)) {
      PL_PUSH(r->arena, open, n, cap, i);
    } else if (strchr(")]}", *t->s.p)) {
      if (n == 0)
        return false;
      size_t from = open[--n];
      char wanted = *r->out.items[from].s.p == '(' ? ')'
                    : *r->out.items[from].s.p == '[' ? ']' : '}';
      if (wanted != *t->s.p)
        return false;
      t->match = from;
      r->out.items[from].match = i;
    }
  }
  return n == 0;
}

bool pl_host_tokenize(pl_arena *arena, pl_str source,
                      const char *const *defines, size_t n_defines,
                      pl_host_text *text) {
  reader r = {.arena = arena};
  define_option(&r, "__CUDACC__");
  define_option(&r, "__NVCC__");
  define_option(&r, "__cplusplus=201703");
  for (size_t i = 0; i < n_defines; i++)
    define_option(&r, defines[i]);
  read_source(&r, source);
  bool whole = match_brackets(&r);
  push(&r, &r.out, (pl_host_token){.s = PL_STR("")});
  *text = (pl_host_text){r.out.items, r.out.n};
  return whole;
}
