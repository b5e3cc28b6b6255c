/* emutext.c - see emutext.h.
 *
 * One walk over the tokens. Declarations are told apart by their heads: the
 * text between the last `;`, `{` or `}` and the next `{`. */
#include "emutext.h"

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

static bool is_name(char c) {
  return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         (c >= '0' && c <= '9');
}

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

static bool is_space(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f';
}

static pl_str between(const char *p, const char *end) {
  return (pl_str){p, (size_t)(end - p)};
}

static bool at_text(const char *p, const char *end, const char *text) {
  size_t n = strlen(text);
  return (size_t)(end - p) >= n && memcmp(p, text, n) == 0;
}

static const char *skip_quoted(const char *p, const char *end) {
  char quote = *p++;
  while (p < end && *p != quote && *p != '\n')
    p += *p == '\\' && p + 1 < end ? 2 : 1;
  return p < end ? p + 1 : end;
}

/* R"tag( ... )tag" */
static const char *skip_raw(const char *p, const char *end) {
  const char *tag = p + 2;
  const char *open = memchr(tag, '(', (size_t)(end - tag));
  if (!open)
    return end;
  size_t n = (size_t)(open - tag);
  for (p = open + 1; p + n + 1 < end; p++)
    if (*p == ')' && memcmp(p + 1, tag, n) == 0 && p[n + 1] == '"')
      return p + n + 2;
  return end;
}

static const char *skip_line_comment(const char *p, const char *end) {
  while (p < end && *p != '\n')
    p++;
  return p;
}

static const char *skip_block_comment(const char *p, const char *end) {
  for (p += 2; p + 1 < end; p++)
    if (p[0] == '*' && p[1] == '/')
      return p + 2;
  return end;
}

/* The end of the comment or space at `p`; `p` itself where there is neither. */
static const char *skip_blank(const char *p, const char *end) {
  for (;;) {
    const char *from = p;
    while (p < end && (is_space(*p) || at_text(p, end, "\\\n")))
      p++;
    if (at_text(p, end, "//"))
      p = skip_line_comment(p, end);
    else if (at_text(p, end, "/*"))
      p = skip_block_comment(p, end);
    if (p == from)
      return p;
  }
}

/* The end of the token at `p`. Numbers keep their digit separators. */
static const char *skip_token(const char *p, const char *end) {
  if (at_text(p, end, "R\""))
    return skip_raw(p, end);
  if (*p == '"' || *p == '\'')
    return skip_quoted(p, end);
  if (!is_name(*p))
    return p + 1;
  bool number = is_digit(*p);
  while (p < end && (is_name(*p) || (number && *p == '\'' && p + 1 < end &&
                                     is_name(p[1]))))
    p++;
  return p;
}

static const char *next_token(const char *p, const char *end, pl_str *token) {
  p = skip_blank(p, end);
  const char *to = p < end ? skip_token(p, end) : p;
  *token = between(p, to);
  return to;
}

/* The bracket that closes the one at `p`; NULL where none does. */
static const char *closing(const char *p, const char *end) {
  int depth = 0;
  while (p < end) {
    pl_str token;
    p = next_token(p, end, &token);
    if (token.n != 1)
      continue;
    if (strchr("([{", *token.p))
      depth++;
    else if (strchr(")]}", *token.p) && --depth == 0)
      return token.p;
  }
  return NULL;
}

static bool has_token(pl_str text, const char *word) {
  const char *p = text.p, *end = text.p + text.n;
  while (p < end) {
    pl_str token;
    p = next_token(p, end, &token);
    if (pl_str_is(token, word))
      return true;
  }
  return false;
}

static void put(walker *w, const char *p, const char *end) {
  pl_text_add(&w->out, between(p, end));
}

/* The line ends of a stretch that is left out, with those of macros kept. */
static void put_newlines(walker *w, const char *p, const char *end) {
  for (const char *c = p; c < end; c++)
    if (*c == '\n')
      pl_text_add(&w->out, c > p && c[-1] == '\\' ? PL_STR("\\\n")
                                                  : PL_STR("\n"));
}

/* --- inline PTX ---------------------------------------------------------- */

typedef struct ptx {
  walker *w;
  pl_str code;
  pl_str operands[64];
  pl_str names[64];
  size_t n;
} ptx;

static void unescape(pl_text *to, pl_str literal) {
  for (size_t i = 1; i + 1 < literal.n; i++) {
    char c = literal.p[i];
    if (c == '\\' && i + 2 < literal.n) {
      c = literal.p[++i];
      c = c == 'n' || c == 't' || c == 'r' || c == '\n' ? ' ' : c;
    }
    pl_text_add(to, (pl_str){&c, 1});
  }
}

/* The string literals at the front of an asm; NULL where something else is. */
static const char *read_code(ptx *x, const char *p, const char *end) {
  pl_text code = {.arena = x->w->arena};
  pl_str token;
  const char *next = next_token(p, end, &token);
  while (token.n && *token.p == '"') {
    unescape(&code, token);
    p = next;
    next = next_token(p, end, &token);
  }
  x->code = pl_text_view(&code);
  return token.n == 0 || *token.p == ':' ? p : NULL;
}

/* One `[name] "constraint"(expression)`; false at anything else. */
static bool read_operand(ptx *x, const char **at, const char *end) {
  pl_str token, name = {0};
  const char *p = next_token(*at, end, &token);
  if (pl_str_is(token, "[")) {
    p = next_token(p, end, &name);
    p = next_token(p, end, &token);
    p = next_token(p, end, &token);
  }
  if (token.n == 0 || *token.p != '"' || x->n == 64)
    return false;
  next_token(p, end, &token);
  if (!pl_str_is(token, "("))
    return false;
  const char *close = closing(token.p, end);
  if (!close)
    return false;
  x->names[x->n] = name;
  x->operands[x->n++] = between(token.p + 1, close);
  *at = close + 1;
  return true;
}

/* Outputs and inputs, in order; clobbers are skipped. */
static bool read_operands(ptx *x, const char *p, const char *end) {
  for (int section = 0; section < 2; section++) {
    pl_str token;
    const char *next = next_token(p, end, &token);
    if (token.n == 0)
      return true;
    if (!pl_str_is(token, ":"))
      return false;
    p = next;
    next = next_token(p, end, &token);
    if (token.n == 0 || pl_str_is(token, ":"))
      continue;
    do {
      if (!read_operand(x, &p, end))
        return false;
      next = next_token(p, end, &token);
      if (pl_str_is(token, ","))
        p = next;
    } while (pl_str_is(token, ","));
  }
  return true;
}

static bool put_place(ptx *x, const char **at, const char *end) {
  const char *p = *at + 1;
  pl_text *out = &x->w->out;
  if (p < end && *p == '%')
    p++;
  if (p < end && *p == '[')
    p++;
  const char *from = p;
  while (p < end && is_name(*p))
    p++;
  pl_str name = between(from, p);
  if (p < end && *p == ']' && from[-1] == '[')
    p++;
  *at = p;
  if (name.n && is_digit(*name.p)) {
    size_t which = 0;
    for (size_t i = 0; i < name.n; i++)
      which = which * 10 + (size_t)(name.p[i] - '0');
    if (which >= x->n)
      return false;
    pl_text_printf(out, "(%.*s)", PL_FMT(x->operands[which]));
    return true;
  }
  for (size_t i = 0; i < x->n; i++)
    if (x->names[i].n && pl_str_eq(x->names[i], name)) {
      pl_text_printf(out, "(%.*s)", PL_FMT(x->operands[i]));
      return true;
    }
  pl_text_printf(out, "pl_ptx_register_%.*s()", PL_FMT(name));
  return name.n > 0;
}

/* Operand text with places filled in and brackets of groups dropped. */
static bool put_arguments(ptx *x, const char *p, const char *end) {
  while (p < end) {
    if (*p == '%') {
      if (!put_place(x, &p, end))
        return false;
      continue;
    }
    if (!strchr("{}[]", *p))
      pl_text_add(&x->w->out, (pl_str){p, 1});
    p++;
  }
  return true;
}

static const struct {
  const char *ptx, *type;
} REGISTERS[] = {
    {".pred", "bool"},     {".b16", "unsigned short"}, {".u16", "unsigned short"},
    {".f16", "unsigned short"}, {".s16", "short"},     {".b32", "unsigned"},
    {".u32", "unsigned"},  {".s32", "int"},            {".f32", "float"},
    {".b64", "unsigned long long"}, {".u64", "unsigned long long"},
    {".s64", "long long"}, {".f64", "double"},         {".f16x2", "unsigned"},
};

static const char *skip_word(const char *p, const char *end) {
  while (p < end && !is_space(*p))
    p++;
  return p;
}

static const char *skip_spaces(const char *p, const char *end) {
  while (p < end && is_space(*p))
    p++;
  return p;
}

static bool put_declaration(ptx *x, const char *p, const char *end) {
  p = skip_spaces(p, end);
  const char *to = skip_word(p, end);
  for (size_t i = 0; i < sizeof REGISTERS / sizeof *REGISTERS; i++)
    if (pl_str_is(between(p, to), REGISTERS[i].ptx)) {
      pl_text_printf(&x->w->out, "%s", REGISTERS[i].type);
      pl_text_add(&x->w->out, between(to, end));
      pl_text_add(&x->w->out, PL_STR("; "));
      return true;
    }
  return false;
}

/* `@p`, `@!p` in front of an instruction. */
static const char *put_predicate(ptx *x, const char *p, const char *end) {
  if (p == end || *p != '@')
    return p;
  const char *to = skip_word(p, end);
  pl_text_add(&x->w->out, PL_STR("if ("));
  pl_str name = between(p + 1, to);
  if (name.n && *name.p == '!') {
    pl_text_add(&x->w->out, PL_STR("!"));
    name = between(p + 2, to);
  }
  put_arguments(x, name.p, name.p + name.n);
  pl_text_add(&x->w->out, PL_STR(") "));
  return skip_spaces(to, end);
}

/* One instruction: `mma.sync... {a, b}, c` becomes `pl_ptx_mma_sync...(a, b, c)`. */
static bool put_instruction(ptx *x, const char *p, const char *end) {
  p = skip_spaces(p, end);
  if (p == end)
    return true;
  p = put_predicate(x, p, end);
  const char *to = skip_word(p, end);
  if (pl_str_is(between(p, to), ".reg"))
    return put_declaration(x, to, end);
  if (!is_name(*p))
    return false;
  pl_text_add(&x->w->out, PL_STR("pl_ptx_"));
  for (; p < to; p++)
    pl_text_add(&x->w->out, is_name(*p) ? (pl_str){p, 1} : PL_STR("_"));
  pl_text_add(&x->w->out, PL_STR("("));
  if (!put_arguments(x, skip_spaces(to, end), end))
    return false;
  pl_text_add(&x->w->out, PL_STR("); "));
  return true;
}

/* The end of an instruction: its `;`. A `{` or `}` that stands where one could
 * begin is a block of its own. */
static bool put_code(ptx *x) {
  const char *p = x->code.p, *end = p + x->code.n;
  while ((p = skip_spaces(p, end)) < end) {
    if (*p == '{' || *p == '}') {
      pl_text_add(&x->w->out, (pl_str){p++, 1});
      continue;
    }
    if (at_text(p, end, "//"))
      return false;
    const char *semicolon = memchr(p, ';', (size_t)(end - p));
    const char *to = semicolon ? semicolon : end;
    if (!put_instruction(x, p, to))
      return false;
    p = semicolon ? to + 1 : end;
  }
  return true;
}

/* The asm whose `(` is at `open`. What cannot be read becomes a name that does
 * not exist, so that the build fails with it. */
static void put_asm(walker *w, const char *open, const char *close) {
  ptx x = {.w = w};
  const char *p = read_code(&x, open + 1, close);
  size_t before = w->out.n;
  pl_text_add(&w->out, PL_STR("do { "));
  if (!p || !read_operands(&x, p, close) || !put_code(&x)) {
    w->out.n = before;
    pl_text_add(&w->out, PL_STR("do { pl_ptx_unreadable();"));
    w->result.has_strange_asm = true;
  }
  pl_text_add(&w->out, PL_STR(" } while (0)"));
  w->result.has_asm = true;
}

/* Handles `asm` and its kin at `token`; NULL where it is no statement. */
static const char *walk_asm(walker *w, pl_str token) {
  pl_str word;
  const char *p = token.p + token.n;
  do
    p = next_token(p, w->end, &word);
  while (pl_str_is(word, "volatile") || pl_str_is(word, "__volatile__") ||
         pl_str_is(word, "__volatile"));
  if (!pl_str_is(word, "("))
    return NULL;
  const char *close = closing(word.p, w->end);
  if (!close)
    return NULL;
  put_asm(w, word.p, close);
  put_newlines(w, token.p, close);
  return close + 1;
}

/* --- declarations -------------------------------------------------------- */

/* `extern __shared__ T name[];` where the compiler may be told a symbol. */
static void put_extern_symbol(walker *w, pl_str whole) {
  const char *p = whole.p, *end = whole.p + whole.n;
  while (p < end) {
    const char *from = p;
    pl_str word;
    p = next_token(p, end, &word);
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
      const char *open = skip_blank(p, end);
      const char *close = open < end && *open == '(' ? closing(open, end) : NULL;
      return close ? close + 1 : p;
    }
  pl_text_printf(&a->type, "%.*s ", PL_FMT(word));
  return p;
}

static bool split_array(walker *w, pl_str whole, array_words *a) {
  const char *p = whole.p, *end = whole.p + whole.n;
  *a = (array_words){.type = {.arena = w->arena}};
  size_t before = 0;
  while (p < end) {
    pl_str word;
    p = next_token(p, end, &word);
    if (pl_str_is(word, "[")) {
      a->rest = between(word.p, end);
      a->type.n = before;
      return a->name.n && is_name(*a->name.p) && before > 0 &&
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
  const char *close = closing(rest.p, rest.p + rest.n);
  pl_str after = between(close + 1, rest.p + rest.n);
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
  pl_str whole = between(token.p, semicolon);
  if (!has_token(whole, "__shared__") || memchr(whole.p, '{', whole.n))
    return NULL;
  if (token.p > w->body_end || !put_extern_reference(w, whole))
    put_extern_symbol(w, whole);
  return semicolon;
}

/* `__shared__ alignas(x)`: the compiler ignores an alignas in that place. */
static const char *walk_shared(walker *w, pl_str token) {
  pl_str word, open;
  const char *p = next_token(token.p + token.n, w->end, &word);
  if (pl_str_is(word, "static")) {
    pl_text_add(&w->out, PL_STR("__shared__"));
    put_newlines(w, token.p, p);
    return p;
  }
  if (!pl_str_is(word, "alignas"))
    return NULL;
  next_token(p, w->end, &open);
  const char *close = pl_str_is(open, "(") ? closing(open.p, w->end) : NULL;
  if (!close)
    return NULL;
  pl_text_printf(&w->out, "__shared__ __align__(pl_align_of<%.*s>())",
                 (int)(close - open.p - 1), open.p + 1);
  return close + 1;
}

static const char *walk_static(walker *w, pl_str token) {
  pl_str word;
  next_token(token.p + token.n, w->end, &word);
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
    p = next_token(p, end, &token);
    if (at_text(token.p, end, "<<<") || is_api_name(token) ||
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
    p = next_token(p, end, &token);
    if (pl_str_is(token, "("))
      return pl_str_is(before, "main");
    before = token;
  }
  return false;
}

/* A host function whose body is left out. `open` is its `{`. */
static bool is_left_out(const walker *w, const char *open, const char *close) {
  pl_str head = between(w->head, open);
  if (!has_token(head, ")") || has_token(head, "__global__") ||
      has_token(head, "__device__") || has_token(head, "constexpr"))
    return false;
  if (has_token(head, "namespace") || has_token(head, "enum"))
    return false;
  return is_main(head) || needs_gpu(w, open, close);
}

/* Namespaces, extern "C" and classes are walked into with a fresh head. */
static bool is_scope(pl_str head) {
  return has_token(head, "namespace") || has_token(head, "struct") ||
         has_token(head, "class") || has_token(head, "extern");
}

static const char *walk_brace(walker *w, const char *open) {
  if (open < w->body_end)
    return NULL;
  const char *close = closing(open, w->end);
  pl_str head = between(w->head, open);
  bool function = has_token(head, ")");
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

/* --- directives ---------------------------------------------------------- */

static const char *directive_end(const char *p, const char *end) {
  while (p < end && *p != '\n') {
    if (at_text(p, end, "/*"))
      p = skip_block_comment(p, end);
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
  const char *p = next_token(directive.p + 1, end, &token);
  if (!pl_str_is(token, "define"))
    return;
  next_token(p, end, &token);
  PL_PUSH(w->arena, w->launchers, w->n_launchers, w->cap_launchers, token);
}

/* `#include "name"`: the translated copy, where there is one. */
static bool put_include(walker *w, pl_str directive) {
  pl_str token;
  const char *end = directive.p + directive.n;
  const char *p = next_token(directive.p + 1, end, &token);
  if (!w->include || !pl_str_is(token, "include"))
    return false;
  next_token(p, end, &token);
  if (token.n < 2 || *token.p != '"')
    return false;
  const char *file = w->include(w->context, between(token.p + 1,
                                                    token.p + token.n - 1));
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
  pl_str directive = between(w->p, end);
  note_launcher(w, directive);
  if (put_include(w, directive))
    w->p = end;
  else
    walk_define(w, end);
  if (w->head < w->p && skip_blank(w->head, w->p) >= directive.p)
    w->head = w->p;
}

/* --- the walk ------------------------------------------------------------ */

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
    w->p = skip_blank(from, w->end);
    put(w, from, w->p);
    if (w->p == w->end)
      return;
    if (!directive && *w->p == '#' && starts_line(w, start)) {
      walk_directive(w);
      continue;
    }
    pl_str token = between(w->p, skip_token(w->p, w->end));
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
