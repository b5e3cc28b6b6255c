/* emudrop.c - see emudrop.h.
 *
 * Namespace scopes are walked declaration by declaration: one begins behind the
 * last and ends with `;`, or with the `}` of a function's body. */
#include "emudrop.h"

#include "token.h"

#include <string.h>

typedef struct dropper {
  const pl_emudrop *what;
  pl_str source;
  char *text; /* the copy that becomes blank here and there */
  size_t dropped;
} dropper;

static const char *line_end(const char *p, const char *end) {
  for (; p < end && *p != '\n'; p++)
    if (*p == '\\' && p + 1 < end)
      p++;
  return p < end ? p : end;
}

static const char *source_end(const dropper *d) {
  return d->source.p + d->source.n;
}

/* Is `#` at `p` a directive's? */
static bool starts_line(const dropper *d, const char *p) {
  while (p > d->source.p && (p[-1] == ' ' || p[-1] == '\t'))
    p--;
  return p == d->source.p || p[-1] == '\n';
}

/* The next token outside directives; its end. */
static const char *next(const dropper *d, const char *p, const char *end,
                        pl_str *token) {
  for (;;) {
    p = pl_tok_next(p, end, token);
    if (!pl_str_is(*token, "#") || !starts_line(d, token->p))
      return p;
    p = line_end(p, end);
  }
}

/* Makes a stretch blank but for its line ends and directives. */
static void blank(dropper *d, const char *p, const char *end) {
  while (p < end) {
    if (*p == '#' && starts_line(d, p)) {
      p = line_end(p, end);
      continue;
    }
    if (*p != '\n')
      d->text[p - d->source.p] = ' ';
    p++;
  }
}

static unsigned line_of(const dropper *d, const char *place) {
  unsigned line = 1;
  for (const char *p = d->source.p; p < place; p++)
    line += *p == '\n';
  return line;
}

static bool has_error(const dropper *d, pl_str declaration) {
  unsigned first = line_of(d, declaration.p);
  unsigned last = line_of(d, declaration.p + declaration.n);
  for (size_t i = 0; i < d->what->n_lines; i++)
    if (d->what->lines[i] >= first && d->what->lines[i] <= last)
      return true;
  return false;
}

static const char *const DEVICE_WORDS[] = {"__device__", "__global__",
                                           "__constant__", "__shared__"};

static bool is_device_word(const pl_emudrop_macros *macros, pl_str token) {
  for (size_t i = 0; i < sizeof DEVICE_WORDS / sizeof *DEVICE_WORDS; i++)
    if (pl_str_is(token, DEVICE_WORDS[i]))
      return true;
  for (size_t i = 0; i < macros->n; i++)
    if (pl_str_eq(macros->names[i], token))
      return true;
  return false;
}

static bool has_device_word(const pl_emudrop_macros *macros, pl_str text) {
  const char *p = text.p, *end = text.p + text.n;
  while (p < end) {
    pl_str token;
    p = pl_tok_next(p, end, &token);
    if (is_device_word(macros, token))
      return true;
  }
  return false;
}

/* `directive` begins with its `#`. */
static void note_macro(pl_arena *arena, pl_str directive,
                       pl_emudrop_macros *macros) {
  pl_str word, name;
  const char *end = directive.p + directive.n;
  const char *p = pl_tok_next(directive.p + 1, end, &word);
  if (!pl_str_is(word, "define"))
    return;
  p = pl_tok_next(p, end, &name);
  if (has_device_word(macros, pl_tok_between(p, end)))
    PL_PUSH(arena, macros->names, macros->n, macros->cap, name);
}

void pl_emudrop_note_macros(pl_arena *arena, pl_str source,
                            pl_emudrop_macros *macros) {
  dropper d = {.source = source};
  const char *end = source_end(&d);
  for (const char *p = source.p; p < end;) {
    pl_str token;
    p = pl_tok_next(p, end, &token);
    if (!pl_str_is(token, "#") || !starts_line(&d, token.p))
      continue;
    p = line_end(p, end);
    note_macro(arena, pl_tok_between(token.p, p), macros);
  }
}

/* A kernel that nobody launches. */
static bool is_idle_kernel(const dropper *d, pl_str declaration) {
  if (!pl_tok_in(declaration, "__global__"))
    return false;
  for (size_t i = 0; i < d->what->n_kernels; i++)
    if (pl_tok_in(declaration, d->what->kernels[i]))
      return false;
  return true;
}

/* The end of `<...>` at `p`; `p` itself where there is none. */
static const char *skip_parameters(const char *p, const char *end) {
  pl_str token;
  const char *to = pl_tok_next(p, end, &token);
  if (!pl_str_is(token, "<"))
    return p;
  for (int depth = 1; depth > 0 && to < end;) {
    to = pl_tok_next(to, end, &token);
    depth += pl_str_is(token, "<") - pl_str_is(token, ">");
  }
  return to;
}

/* The next token that is in no brackets, nor a template's parameter; its end. */
static const char *next_outside(const char *p, const char *end,
                                pl_str *token) {
  p = pl_tok_next(p, end, token);
  if (pl_str_is(*token, "template"))
    return skip_parameters(p, end);
  if (!pl_str_is(*token, "(") && !pl_str_is(*token, "["))
    return p;
  const char *close = pl_tok_closing(token->p, end);
  return close ? close + 1 : end;
}

static bool stands_outside(pl_str text, const char *word) {
  const char *p = text.p, *end = p + text.n;
  while (p < end) {
    pl_str token;
    p = next_outside(p, end, &token);
    if (pl_str_is(token, word))
      return true;
  }
  return false;
}

/* What stands in front of a class's body, a function's or an initialiser. */
static pl_str head_of(pl_str declaration) {
  const char *p = declaration.p, *end = p + declaration.n;
  pl_str token = {0};
  while (p < end && !pl_str_is(token, "{") && !pl_str_is(token, "="))
    p = next_outside(p, end, &token);
  return pl_tok_between(declaration.p, p);
}

static bool is_class(pl_str head) {
  return stands_outside(head, "struct") || stands_outside(head, "class") ||
         stands_outside(head, "union");
}

/* Could a kernel come to mean something else without it? Then another overload
 * would be taken, another specialisation, a name of another namespace. */
static bool may_be_missed(const dropper *d, pl_str declaration) {
  pl_str head = head_of(declaration);
  return has_device_word(d->what->macros, declaration) ||
         pl_tok_in(head, "constexpr") ||
         (pl_tok_in(head, "template") && is_class(head)) ||
         (pl_tok_in(head, "using") && pl_tok_in(head, "namespace"));
}

/* The declaration ends at `end`. */
static void judge(dropper *d, const char *p, const char *end) {
  pl_str declaration = pl_tok_between(pl_tok_skip_blank(p, end), end);
  if (!has_error(d, declaration) ||
      (may_be_missed(d, declaration) && !is_idle_kernel(d, declaration)))
    return;
  blank(d, declaration.p, end);
  d->dropped++;
}

/* Is the `{` behind `head` the body of a function? Nothing follows it then. */
static bool opens_function(pl_str head) {
  return stands_outside(head, "(") && !stands_outside(head, "=");
}

static bool opens_namespace(pl_str head) {
  return pl_tok_in(head, "namespace") ||
         (pl_tok_in(head, "extern") && !stands_outside(head, "("));
}

/* What is between directives stands in the same declaration, so that a head
 * begins behind them. */
static const char *skip_directives(const dropper *d, const char *p,
                                   const char *end) {
  for (;;) {
    p = pl_tok_skip_blank(p, end);
    if (p == end || *p != '#' || !starts_line(d, p))
      return p;
    p = line_end(p, end);
  }
}

/* One token of a namespace's scope; *head is where the declaration began. */
static const char *step(dropper *d, const char *p, const char **head) {
  pl_str token;
  const char *end = source_end(d);
  p = next(d, p, end, &token);
  pl_str before = pl_tok_between(*head, token.p);
  bool ends = pl_str_is(token, ";") || pl_str_is(token, "}");
  if (pl_str_is(token, "{") && opens_namespace(before)) {
    *head = skip_directives(d, p, end);
    return p;
  }
  if (pl_str_is(token, "{") || pl_str_is(token, "(")) {
    const char *close = pl_tok_closing(token.p, end);
    p = close ? close + 1 : end;
    ends = pl_str_is(token, "{") && opens_function(before);
  }
  if (!ends)
    return p;
  if (!pl_str_is(token, "}"))
    judge(d, *head, p);
  *head = skip_directives(d, p, end);
  return p;
}

pl_str pl_emudrop_text(pl_arena *arena, pl_str source, const pl_emudrop *what,
                       size_t *dropped) {
  dropper d = {.what = what, .source = source};
  if (!what->n_lines)
    return source;
  d.text = pl_arena_cstr(arena, source);
  const char *end = source_end(&d);
  const char *head = skip_directives(&d, source.p, end);
  for (const char *p = source.p; p < end;)
    p = step(&d, p, &head);
  *dropped += d.dropped;
  return (pl_str){d.text, source.n};
}
