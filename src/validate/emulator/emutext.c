/* emutext.c - see emutext.h.
 *
 * One walk over the tokens. Declarations are told apart by their heads: the
 * text between the last `;`, `{` or `}` and the next `{`. token.c takes text
 * apart, emuptx.c writes the calls of inline PTX. */
#include "emutext.h"

#include "emuptx.h"
#include "token.h"

#include <string.h>

typedef struct walker {
  pl_arena *arena;
  const char *p, *end;
  const char *head; /* where the declaration being read begins */
  const char *body_end; /* of the function body being walked, or NULL */
  pl_text out;
  pl_emutext_include include;
  void *context;
  pl_str *launchers; /* macros whose text has <<< in it */
  size_t n_launchers, cap_launchers;
  pl_emutext result;
} walker;

static void put(walker *w, const char *p, const char *end) {
  pl_text_add(&w->out, pl_tok_between(p, end));
}

/* The line ends of a stretch that is left out, with those of macros kept. */
static void put_newlines(walker *w, const char *p, const char *end) {
  for (const char *c = p; c < end; c++)
    if (*c == '\n')
      pl_text_add(&w->out, c > p && c[-1] == '\\' ? PL_STR("\\\n")
                                                  : PL_STR("\n"));
}

/* Handles `asm` and its kin at `token`; NULL where it is no statement. */
static const char *walk_asm(walker *w, pl_str token) {
  pl_str word;
  const char *p = token.p + token.n;
  do
    p = pl_tok_next(p, w->end, &word);
  while (pl_str_is(word, "volatile") || pl_str_is(word, "__volatile__") ||
         pl_str_is(word, "__volatile"));
  if (!pl_str_is(word, "("))
    return NULL;
  const char *close = pl_tok_closing(word.p, w->end);
  if (!close)
    return NULL;
  if (!pl_emuptx_put(&w->out, word.p, close))
    w->result.has_strange_asm = true;
  w->result.has_asm = true;
  put_newlines(w, token.p, close);
  return close + 1;
}

/* `extern __shared__ T name[];` where the compiler may be told a symbol. */
static void put_extern_symbol(walker *w, pl_str whole) {
  const char *p = whole.p, *end = whole.p + whole.n;
  while (p < end) {
    const char *from = p;
    pl_str word;
    p = pl_tok_next(p, end, &word);
    if (pl_str_is(word, "__shared__"))
      put(w, from, word.p);
    else if (pl_str_is(word, "alignas"))
      pl_text_printf(&w->out, "%.*s__align__", (int)(word.p - from), from);
    else
      put(w, from, p);
  }
  pl_text_add(&w->out, PL_STR(" __asm__(\"pl_dynamic_shared\")"));
}

/* The pieces of `extern __shared__ __align__(16) T name[][8]`. */
typedef struct array_words {
  pl_text type;
  pl_str name, rest; /* "name", "[][8]" */
} array_words;

/* Takes one word of the type; alignment and storage are left out. */
static const char *add_type_word(array_words *a, pl_str word, const char *p,
                                 const char *end) {
  static const char *const LEFT_OUT[] = {"extern", "__shared__"};
  static const char *const ALIGN[] = {"__align__", "alignas", "__attribute__"};
  for (size_t i = 0; i < sizeof LEFT_OUT / sizeof *LEFT_OUT; i++)
    if (pl_str_is(word, LEFT_OUT[i]))
      return p;
  for (size_t i = 0; i < sizeof ALIGN / sizeof *ALIGN; i++)
    if (pl_str_is(word, ALIGN[i])) {
      const char *open = pl_tok_skip_blank(p, end);
      const char *close =
          open < end && *open == '(' ? pl_tok_closing(open, end) : NULL;
      return close ? close + 1 : p;
    }
  pl_text_printf(&a->type, pl_str_is(word, ":") ? "%.*s" : "%.*s ",
                 PL_FMT(word));
  return p;
}

static bool split_array(walker *w, pl_str whole, array_words *a) {
  const char *p = whole.p, *end = whole.p + whole.n;
  *a = (array_words){.type = {.arena = w->arena}};
  size_t before = 0;
  while (p < end) {
    pl_str word;
    p = pl_tok_next(p, end, &word);
    if (pl_str_is(word, "[")) {
      a->rest = pl_tok_between(word.p, end);
      a->type.n = before;
      return a->name.n && pl_tok_is_name(*a->name.p) && before > 0 &&
             !memchr(a->rest.p, ',', a->rest.n);
    }
    before = a->type.n;
    a->name = word;
    p = add_type_word(a, word, p, end);
  }
  return false;
}

/* In a function: a reference, which unlike a symbol survives templates. */
static bool put_extern_reference(walker *w, pl_str whole) {
  array_words a;
  if (!split_array(w, whole, &a))
    return false;
  pl_str type = pl_text_view(&a.type), rest = a.rest;
  const char *close = pl_tok_closing(rest.p, rest.p + rest.n);
  pl_str after = pl_tok_between(close + 1, rest.p + rest.n);
  pl_text_printf(&w->out,
                 "static %.*s(&%.*s)[1 << 20]%.*s = "
                 "*(%.*s(*)[1 << 20]%.*s)(void *)pl_dynamic_shared",
                 PL_FMT(type), PL_FMT(a.name), PL_FMT(after), PL_FMT(type),
                 PL_FMT(after));
  put_newlines(w, whole.p, rest.p);
  return true;
}

/* `extern __shared__` gets the runner's dynamic shared memory. */
static const char *walk_extern(walker *w, pl_str token) {
  const char *semicolon = memchr(token.p, ';', (size_t)(w->end - token.p));
  if (!semicolon)
    return NULL;
  pl_str whole = pl_tok_between(token.p, semicolon);
  if (!pl_tok_in(whole, "__shared__") || memchr(whole.p, '{', whole.n))
    return NULL;
  if (token.p > w->body_end || !put_extern_reference(w, whole))
    put_extern_symbol(w, whole);
  return semicolon;
}

/* `__shared__ alignas(x)`: the compiler ignores an alignas in that place. */
static const char *walk_shared(walker *w, pl_str token) {
  pl_str word, open;
  const char *p = pl_tok_next(token.p + token.n, w->end, &word);
  if (pl_str_is(word, "static")) {
    pl_text_add(&w->out, PL_STR("__shared__"));
    put_newlines(w, token.p, p);
    return p;
  }
  if (!pl_str_is(word, "alignas"))
    return NULL;
  pl_tok_next(p, w->end, &open);
  const char *close =
      pl_str_is(open, "(") ? pl_tok_closing(open.p, w->end) : NULL;
  if (!close)
    return NULL;
  pl_text_printf(&w->out, "__shared__ __align__(pl_align_of<%.*s>())",
                 (int)(close - open.p - 1), open.p + 1);
  return close + 1;
}

static const char *walk_static(walker *w, pl_str token) {
  pl_str word;
  pl_tok_next(token.p + token.n, w->end, &word);
  return pl_str_is(word, "__shared__") && w ? token.p + token.n : NULL;
}

static bool is_api_name(pl_str token) {
  static const char *const PREFIXES[] = {"cuda", "cublas", "cudnn", "curand",
                                         "nvrtc", "cusparse", "cusolver"};
  for (size_t i = 0; i < sizeof PREFIXES / sizeof *PREFIXES; i++)
    if (pl_str_starts(token, PREFIXES[i]))
      return true;
  return token.n > 2 && pl_str_starts(token, "cu") && token.p[2] >= 'A' &&
         token.p[2] <= 'Z';
}

static bool is_launcher(const walker *w, pl_str token) {
  for (size_t i = 0; i < w->n_launchers; i++)
    if (pl_str_eq(w->launchers[i], token))
      return true;
  return false;
}

/* Does a host function's body need a GPU? */
static bool needs_gpu(const walker *w, const char *p, const char *end) {
  while (p < end) {
    pl_str token;
    p = pl_tok_next(p, end, &token);
    if (pl_tok_at(token.p, end, "<<<") || is_api_name(token) ||
        is_launcher(w, token))
      return true;
  }
  return false;
}

/* Does the head name the function main? */
static bool is_main(pl_str head) {
  const char *p = head.p, *end = head.p + head.n;
  pl_str before = {0};
  while (p < end) {
    pl_str token;
    p = pl_tok_next(p, end, &token);
    if (pl_str_is(token, "("))
      return pl_str_is(before, "main");
    before = token;
  }
  return false;
}

/* A host function whose body is left out. `open` is its `{`. */
static bool is_left_out(const walker *w, const char *open, const char *close) {
  pl_str head = pl_tok_between(w->head, open);
  if (!pl_tok_in(head, ")") || pl_tok_in(head, "__global__") ||
      pl_tok_in(head, "__device__") || pl_tok_in(head, "constexpr"))
    return false;
  if (pl_tok_in(head, "namespace") || pl_tok_in(head, "enum"))
    return false;
  return is_main(head) || needs_gpu(w, open, close);
}

/* Namespaces, extern "C" and classes are walked into with a fresh head. */
static bool is_scope(pl_str head) {
  return pl_tok_in(head, "namespace") || pl_tok_in(head, "struct") ||
         pl_tok_in(head, "class") || pl_tok_in(head, "extern");
}

static const char *walk_brace(walker *w, const char *open) {
  if (open < w->body_end)
    return NULL;
  const char *close = pl_tok_closing(open, w->end);
  pl_str head = pl_tok_between(w->head, open);
  bool function = pl_tok_in(head, ")");
  if (!close || (!function && is_scope(head))) {
    w->head = open + 1;
    return NULL;
  }
  if (!is_left_out(w, open, close)) {
    w->body_end = close;
    return NULL;
  }
  pl_text_add(&w->out, PL_STR("{ __builtin_trap();"));
  put_newlines(w, open, close);
  return close;
}

static const char *directive_end(const char *p, const char *end) {
  while (p < end && *p != '\n') {
    if (pl_tok_at(p, end, "/*"))
      p = pl_tok_skip_comment(p, end);
    else
      p += *p == '\\' && p + 1 < end ? 2 : 1;
  }
  return p < end ? p : end;
}

static void note_launcher(walker *w, pl_str directive) {
  if (!pl_str_has(directive, "<<<") && !pl_str_has(directive, "cudaLaunch"))
    return;
  pl_str token;
  const char *end = directive.p + directive.n;
  const char *p = pl_tok_next(directive.p + 1, end, &token);
  if (!pl_str_is(token, "define"))
    return;
  pl_tok_next(p, end, &token);
  PL_PUSH(w->arena, w->launchers, w->n_launchers, w->cap_launchers, token);
}

/* The name that an #include gives at `p`; nothing where a macro does. */
static pl_str included_name(const char *p, const char *end, bool *quoted) {
  p = pl_tok_skip_blank(p, end);
  *quoted = p < end && *p == '"';
  if (p == end || (!*quoted && *p != '<'))
    return (pl_str){0};
  const char *close = memchr(p + 1, *quoted ? '"' : '>', (size_t)(end - p - 1));
  return close ? pl_tok_between(p + 1, close) : (pl_str){0};
}

/* `#include "name"`: the translated copy, where there is one. */
static bool put_include(walker *w, pl_str directive) {
  pl_str token;
  bool quoted;
  const char *end = directive.p + directive.n;
  const char *p = pl_tok_next(directive.p + 1, end, &token);
  if (!w->include || !pl_str_is(token, "include"))
    return false;
  pl_str name = included_name(p, end, &quoted);
  const char *file = name.n ? w->include(w->context, name, quoted) : NULL;
  if (!file)
    return false;
  pl_text_printf(&w->out, "#include \"%s\"", file);
  return true;
}

/* A directive is copied, but for inline PTX in the text of a macro. */
static void walk_tokens(walker *w, bool directive);

static void walk_define(walker *w, const char *end) {
  const char *whole_end = w->end, *head = w->head;
  w->end = end;
  walk_tokens(w, true);
  w->end = whole_end;
  w->head = head;
}

static void walk_directive(walker *w) {
  const char *end = directive_end(w->p, w->end);
  pl_str directive = pl_tok_between(w->p, end);
  note_launcher(w, directive);
  if (put_include(w, directive))
    w->p = end;
  else
    walk_define(w, end);
  if (w->head < w->p && pl_tok_skip_blank(w->head, w->p) >= directive.p)
    w->head = w->p;
}

static bool starts_line(const walker *w, const char *start) {
  const char *p = w->p;
  while (p > start && (p[-1] == ' ' || p[-1] == '\t'))
    p--;
  return p == start || p[-1] == '\n';
}

/* Tries the rewrites that begin with `token`; where none applies, NULL. */
static const char *walk_special(walker *w, pl_str token, bool directive) {
  if (pl_str_is(token, "asm") || pl_str_is(token, "__asm__") ||
      pl_str_is(token, "__asm"))
    return walk_asm(w, token);
  if (pl_str_is(token, "__shared__"))
    return walk_shared(w, token);
  if (pl_str_is(token, "static"))
    return walk_static(w, token);
  if (pl_str_is(token, "extern"))
    return walk_extern(w, token);
  if (pl_str_is(token, "{") && !directive)
    return walk_brace(w, token.p);
  return NULL;
}

static void walk_tokens(walker *w, bool directive) {
  const char *start = w->p;
  while (w->p < w->end) {
    const char *from = w->p;
    w->p = pl_tok_skip_blank(from, w->end);
    put(w, from, w->p);
    if (w->p == w->end)
      return;
    if (!directive && *w->p == '#' && starts_line(w, start)) {
      walk_directive(w);
      continue;
    }
    pl_str token = pl_tok_between(w->p, pl_tok_skip(w->p, w->end));
    const char *to = walk_special(w, token, directive);
    if (!to) {
      to = token.p + token.n;
      pl_text_add(&w->out, token);
    }
    w->p = to;
    if (!directive && token.n == 1 && strchr(";}", *token.p))
      w->head = to;
  }
}

pl_emutext pl_emutext_translate(pl_arena *arena, pl_str source,
                                pl_emutext_include include, void *context) {
  if (pl_str_starts(source, "\xEF\xBB\xBF")) {
    source.p += 3; /* a byte order mark: it would stand behind our own lines */
    source.n -= 3;
  }
  walker w = {.arena = arena, .p = source.p, .end = source.p + source.n,
              .head = source.p, .out = {.arena = arena},
              .include = include, .context = context};
  walk_tokens(&w, false);
  w.result.text = pl_text_view(&w.out);
  return w.result;
}
