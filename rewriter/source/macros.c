/* macros.c - what stands for the use of a macro?
 *
 * Needs: the tokens of the file. Gives: its plain macros, their uses, and the text
 * that one level of replacement makes of a use, laid out as the statement that it
 * is. Raises nothing.
 *
 * The rest is left to the preprocessor, which makes the same tokens of it where the
 * conditions below hold. */
#include "macros.h"

#include <string.h>

#define MOST_DEPTH 8

/* ---- definitions ----------------------------------------------------------- */

/* Without the backslashes that join lines. */
static pl_str without_splices(pl_arena *arena, pl_str text) {
  pl_text out = {.arena = arena};
  for (size_t i = 0; i < text.n; i++) {
    size_t end = i + 1;
    while (text.p[i] == '\\' && end < text.n && strchr(" \t\r", text.p[end]))
      end++;
    bool splice = text.p[i] == '\\' && end < text.n && text.p[end] == '\n';
    if (!splice && text.p[i] != '\r')
      pl_text_add(&out, (pl_str){text.p + i, 1});
    if (splice)
      i = end - 1;
  }
  return pl_text_view(&out);
}

static bool is_word(const pl_token *token, pl_str text, const char *word) {
  return pl_str_is(pl_token_in(text, token), word);
}

bool pl_macro_token_is(const pl_macro *m, uint32_t token, const char *word) {
  return is_word(&m->tokens[token], m->body, word);
}

/* The parameters of a definition whose '(' is token `at`; the token behind, 0: what
 * stands there is no plain list of names. */
static uint32_t take_params(pl_arena *arena, pl_macro *m, pl_str text,
                            const pl_token *tokens, uint32_t n, uint32_t at) {
  for (uint32_t i = at + 1; i < n; i++) {
    if (is_word(&tokens[i], text, ")"))
      return i + 1;
    if (tokens[i].kind == PL_TOK_IDENT)
      PL_PUSH(arena, m->params, m->nparams, m->params_cap,
              pl_token_in(text, &tokens[i]));
    else if (!is_word(&tokens[i], text, ","))
      return 0;
  }
  return 0;
}

/* A definition as a macro; false: no plain one. */
static bool read_definition(pl_arena *arena, pl_macro_line line, pl_macro *m) {
  uint32_t n, at = 0;
  pl_str text = without_splices(arena, line.body);
  pl_token *tokens = pl_lex(arena, text, &n);
  m->name = line.name;
  m->takes = n && tokens[0].range.begin == 0 && is_word(&tokens[0], text, "(");
  if (m->takes)
    at = take_params(arena, m, text, tokens, n, 0);
  if ((m->takes && !at) || at >= n)
    return false;
  uint32_t begin = tokens[at].range.begin;
  while (begin > 0 && strchr(" \t", text.p[begin - 1]))
    begin--;
  m->own_lines = begin > 0 && text.p[begin - 1] == '\n';
  m->body = (pl_str){text.p + begin, text.n - begin};
  m->tokens = pl_lex(arena, m->body, &m->ntokens);
  return true;
}

bool pl_macro_is_given(const pl_unit *unit, pl_str word) {
  for (size_t k = 0; k < unit->nmacros; k++)
    if (pl_str_eq(unit->macros[k], word))
      return true;
  return false;
}

bool pl_is_word_of_macros(const pl_unit *unit, pl_str word) {
  for (size_t k = 0; k < unit->nmacro_words; k++)
    if (pl_str_eq(unit->macro_words[k], word))
      return true;
  return pl_macro_is_given(unit, word);
}

bool pl_macro_named(const pl_unit *unit, pl_str name, uint32_t offset,
                    pl_macro *m) {
  int depth = 0, found = 0;
  if (pl_macro_is_given(unit, name))
    return false;
  for (size_t i = 0; i < unit->ndirectives; i++) {
    const pl_token *token = &unit->tokens[unit->directives[i]];
    pl_str word = pl_directive_at(unit, unit->directives[i]);
    pl_macro_line line = pl_macro_of(word);
    depth += pl_str_starts(word, "if") ? 1 : pl_str_starts(word, "endif") ? -1 : 0;
    if (!pl_str_eq(line.name, name))
      continue;
    if (!line.defines || depth > 0 || token->range.begin >= offset || found++ ||
        !read_definition(unit->arena, line, m))
      return false;
  }
  return found == 1;
}

/* Whether a name stands for a number in every build: numbers, and signs between
 * them. */
static bool is_number_name(const pl_unit *unit, pl_str name, uint32_t offset,
                           int depth) {
  pl_macro m = {0};
  const pl_macro_line *line = pl_header_macro(unit, name);
  bool named = line ? read_definition(unit->arena, *line, &m)
                    : pl_macro_named(unit, name, offset, &m);
  if (depth > MOST_DEPTH || !named || m.takes)
    return false;
  for (uint32_t i = 0; i < m.ntokens; i++) {
    const pl_token *token = &m.tokens[i];
    bool name_within = token->kind == PL_TOK_IDENT;
    if (name_within &&
        !is_number_name(unit, pl_token_in(m.body, token), offset, depth + 1))
      return false;
    if (!name_within && token->kind != PL_TOK_NUMBER &&
        token->kind != PL_TOK_PUNCT && token->kind != PL_TOK_COMMENT)
      return false;
  }
  return m.ntokens > 0;
}

bool pl_macro_is_number(const pl_unit *unit, pl_range use) {
  return is_number_name(unit, pl_unit_slice(unit, use), use.begin, 0);
}

/* ---- what one level of replacement may miss --------------------------------- */

/* Whether a word of a body is an argument's place, or a member's name. */
static bool stands_for_other(const pl_macro *m, uint32_t i) {
  pl_str word = pl_token_in(m->body, &m->tokens[i]);
  for (size_t k = 0; k < m->nparams; k++)
    if (pl_str_eq(m->params[k], word))
      return true;
  return i && (pl_macro_token_is(m, i - 1, ".") || pl_macro_token_is(m, i - 1, "->") ||
               pl_macro_token_is(m, i - 1, "::"));
}

static bool body_mentions(const pl_unit *unit, const pl_macro *m, pl_str name,
                          uint32_t offset, int depth);

/* Whether a macro of the user's own headers, or of the command line, says a name. */
static bool included_says(const pl_unit *unit, pl_str macro, pl_str name, int depth) {
  for (size_t i = 0; i < unit->ndefinitions; i++) {
    pl_str text = unit->definitions[i], word = pl_first_word(text);
    pl_macro_line line = {.name = word, .body = {text.p + word.n, text.n - word.n}};
    pl_macro m = {0};
    if (pl_str_eq(word, macro) &&
        (read_definition(unit->arena, line, &m)
             ? body_mentions(unit, &m, name, UINT32_MAX, depth + 1)
             : pl_text_says(unit->arena, line.body, name)))
      return true;
  }
  for (size_t i = 0; i < unit->nargs; i++) {
    pl_str text = {unit->args[i], strlen(unit->args[i])};
    if (pl_str_has(text, "=") && pl_text_says(unit->arena, text, name) &&
        (pl_text_says(unit->arena, text, macro) ||
         pl_text_says(unit->arena, text, pl_arena_printf(unit->arena, "D%.*s", PL_FMT(macro)))))
      return true;
  }
  return false;
}

static bool body_mentions(const pl_unit *unit, const pl_macro *m, pl_str name,
                          uint32_t offset, int depth) {
  for (uint32_t i = 0; i < m->ntokens; i++) {
    pl_str word = pl_token_in(m->body, &m->tokens[i]);
    pl_macro inner = {0};
    if (m->tokens[i].kind != PL_TOK_IDENT || stands_for_other(m, i))
      continue;
    if (pl_str_eq(word, name) || depth > MOST_DEPTH)
      return true;
    if (!pl_str_eq(word, m->name) && pl_macro_named(unit, word, offset, &inner) &&
        body_mentions(unit, &inner, name, offset, depth + 1))
      return true;
    if (!pl_str_eq(word, m->name) && pl_macro_is_given(unit, word) &&
        included_says(unit, word, name, depth))
      return true;
  }
  return false;
}

/* Whether a body is nothing but tokens and names of parameters: `#` and `##` make
 * others, and a line comment reaches as far as the lines are joined. */
static bool is_plain_body(const pl_unit *unit, const pl_macro *m, uint32_t offset) {
  for (uint32_t i = 0; i < m->ntokens; i++) {
    pl_str text = pl_token_in(m->body, &m->tokens[i]);
    if (m->tokens[i].kind == PL_TOK_DIRECTIVE || pl_str_starts(text, "#") ||
        pl_str_starts(text, "//") || pl_str_starts(text, "__VA_") ||
        pl_str_is(text, "__COUNTER__") || pl_str_is(text, "__LINE__"))
      return false;
  }
  return m->ntokens && !body_mentions(unit, m, m->name, offset, 0);
}

bool pl_macro_leads_to(const pl_unit *unit, const pl_macro *m, pl_str name) {
  return (m->ntokens && !is_plain_body(unit, m, UINT32_MAX)) ||
         body_mentions(unit, m, name, UINT32_MAX, 0);
}

bool pl_macro_may_say(const pl_unit *unit, pl_str macro, pl_str name) {
  pl_macro m = {0};
  if (pl_macro_definitions(unit, macro, UINT32_MAX))
    return !pl_macro_named(unit, macro, UINT32_MAX, &m) ||
           pl_macro_leads_to(unit, &m, name);
  return pl_macro_is_given(unit, macro) && pl_is_word_of_macros(unit, name);
}

bool pl_macro_says(const pl_unit *unit, pl_str macro, pl_str name) {
  for (size_t i = 0; i < unit->ndirectives; i++) {
    pl_macro_line line = pl_macro_of(pl_directive_at(unit, unit->directives[i]));
    pl_macro m = {0};
    if (line.defines && pl_str_eq(line.name, macro) &&
        read_definition(unit->arena, line, &m) &&
        body_mentions(unit, &m, name, UINT32_MAX, 0))
      return true;
  }
  return pl_macro_is_given(unit, macro) && included_says(unit, macro, name, 0);
}

/* Whether the body calls another macro: its arguments would be told apart before
 * those of the outer one are replaced. */
static bool calls_macros(const pl_unit *unit, const pl_macro *m) {
  for (uint32_t i = 0; i + 1 < m->ntokens; i++)
    if (m->tokens[i].kind == PL_TOK_IDENT &&
        pl_macro_token_is(m, i + 1, "(") &&
        pl_macro_definitions(unit, pl_token_in(m->body, &m->tokens[i]),
                             UINT32_MAX))
      return true;
  return false;
}

/* Whether a name stands for one operand wherever it is handed on, as that of a size
 * does: no comma comes of it. */
static bool stays_one(const pl_unit *unit, pl_str name, uint32_t offset, int depth) {
  pl_macro m = {0};
  if (depth > MOST_DEPTH || !pl_macro_named(unit, name, offset, &m) || m.takes)
    return false;
  for (uint32_t i = 0; i < m.ntokens; i++) {
    pl_str word = pl_token_in(m.body, &m.tokens[i]);
    if (pl_str_is(word, ",") || pl_macro_is_given(unit, word) ||
        (m.tokens[i].kind == PL_TOK_IDENT &&
         pl_macro_definitions(unit, word, UINT32_MAX) &&
         !stays_one(unit, word, offset, depth + 1)))
      return false;
  }
  return m.ntokens > 0;
}

/* Whether an argument may become several: it names a macro. */
static bool names_macro(const pl_unit *unit, pl_str arg, uint32_t offset) {
  uint32_t n;
  pl_token *tokens = pl_lex(unit->arena, arg, &n);
  for (uint32_t i = 0; i < n; i++) {
    pl_str word = pl_token_in(arg, &tokens[i]);
    if (tokens[i].kind != PL_TOK_IDENT)
      continue;
    if (pl_macro_is_given(unit, word) ||
        (pl_macro_definitions(unit, word, UINT32_MAX) &&
         !stays_one(unit, word, offset, 0)))
      return true;
  }
  return false;
}

/* ---- uses ------------------------------------------------------------------ */

/* The use of a macro that begins with token `at`. */
static bool read_use(const pl_unit *unit, const pl_macro *m, uint32_t at, pl_macro_use *u) {
  u->range = unit->tokens[at].range;
  if (!m->takes)
    return true;
  int depth = 0;
  uint32_t begin = 0;
  for (uint32_t i = at + 1; i < unit->ntokens; i++) {
    const pl_token *token = &unit->tokens[i];
    pl_str text = pl_unit_slice(unit, token->range);
    bool opens = pl_str_is(text, "("), closes = pl_str_is(text, ")");
    if ((i == at + 1 && !opens) || token->kind == PL_TOK_DIRECTIVE ||
        (token->kind == PL_TOK_COMMENT && pl_str_starts(text, "//")))
      return false;
    if (opens && depth++ == 0)
      begin = token->range.end;
    bool ends = closes && --depth == 0;
    if (ends || (depth == 1 && pl_str_is(text, ","))) {
      pl_range arg = {begin, token->range.begin};
      PL_PUSH(unit->arena, u->args, u->n, u->cap,
              pl_str_trimmed(pl_unit_slice(unit, arg)));
      begin = token->range.end;
    }
    if (ends) {
      u->range.end = token->range.end;
      return u->n == m->nparams ||
             (m->nparams == 0 && u->n == 1 && !u->args[0].n);
    }
  }
  return false;
}

/* Two characters that would be one token side by side. */
static bool would_join(char a, char b) {
  static const char signs[] = "+-*/&|<>=!%^~.:";
  return a && b && strchr(signs, a) && strchr(signs, b);
}

static void add_apart(pl_text *out, pl_str text) {
  if (out->n && text.n && would_join(out->p[out->n - 1], text.p[0]))
    pl_text_add(out, PL_STR(" "));
  pl_text_add(out, text);
}

static const pl_str *argument_of(const pl_macro *m, const pl_macro_use *u, pl_str name) {
  for (size_t i = 0; i < m->nparams; i++)
    if (pl_str_eq(m->params[i], name))
      return &u->args[i];
  return NULL;
}

/* The body with the arguments for the parameters. */
static pl_str replaced(pl_arena *arena, const pl_macro *m, const pl_macro_use *u) {
  pl_text out = {.arena = arena};
  uint32_t at = 0;
  for (uint32_t i = 0; i < m->ntokens; i++) {
    const pl_token *token = &m->tokens[i];
    const pl_str *arg = token->kind == PL_TOK_IDENT
                            ? argument_of(m, u, pl_token_in(m->body, token))
                            : NULL;
    if (!arg)
      continue;
    pl_text_add(&out, (pl_str){m->body.p + at, token->range.begin - at});
    add_apart(&out, *arg);
    at = token->range.end;
    if (out.n && at < m->body.n && would_join(out.p[out.n - 1], m->body.p[at]))
      pl_text_add(&out, PL_STR(" "));
  }
  pl_text_add(&out, (pl_str){m->body.p + at, m->body.n - at});
  return pl_text_view(&out);
}

/* ---- layout ---------------------------------------------------------------- */

static size_t indent_of(pl_str line) {
  size_t n = 0;
  while (n < line.n && strchr(" \t", line.p[n]))
    n++;
  return n;
}

pl_str pl_indent_at(const pl_unit *unit, uint32_t offset) {
  uint32_t begin = offset;
  while (begin > 0 && unit->text.p[begin - 1] != '\n')
    begin--;
  pl_str line = {unit->text.p + begin, offset - begin};
  return (pl_str){line.p, indent_of(line)};
}

/* The line that begins at `at`, without its end. */
static pl_str line_at(pl_str text, size_t at) {
  const char *end = memchr(text.p + at, '\n', text.n - at);
  return (pl_str){text.p + at, end ? (size_t)(end - text.p) - at : text.n - at};
}

static size_t least_indent(pl_str text, bool with_first) {
  size_t least = SIZE_MAX;
  for (size_t at = 0; at < text.n;) {
    pl_str line = line_at(text, at);
    size_t indent = indent_of(line);
    if ((at || with_first) && indent < line.n && indent < least)
      least = indent;
    at += line.n + 1;
  }
  return least == SIZE_MAX ? 0 : least;
}

/* The lines of a body, indented as the statement that they are: a body that begins
 * behind its #define's own line has all its lines in their places. */
static pl_str laid_out(pl_arena *arena, pl_str body, bool own_lines,
                       pl_str indent) {
  size_t less = least_indent(body, own_lines);
  bool first = true;
  pl_text out = {.arena = arena};
  for (size_t at = 0; at < body.n;) {
    pl_str line = line_at(body, at);
    at += line.n + 1;
    size_t cut = first && !own_lines ? indent_of(line)
                 : less < indent_of(line) ? less : indent_of(line);
    line = (pl_str){line.p + cut, line.n - cut};
    while (line.n && strchr(" \t", line.p[line.n - 1]))
      line.n--;
    if (!line.n)
      continue;
    if (!first)
      pl_text_printf(&out, "\n%.*s", PL_FMT(indent));
    pl_text_add(&out, line);
    first = false;
  }
  return pl_text_view(&out);
}

/* The blanks that the last line of a text begins with, if there is nothing else on
 * it; else those of that line, on a new one. */
static void begin_line(pl_text *out) {
  size_t begin = out->n, end;
  while (begin > 0 && out->p[begin - 1] != '\n')
    begin--;
  for (end = begin; end < out->n && strchr(" \t", out->p[end]);)
    end++;
  if (end == out->n)
    return;
  pl_str indent = {out->p + begin, end - begin};
  pl_text_printf(out, "\n%.*s", PL_FMT(indent));
}

/* `_Pragma("unroll")` as the directive, on a line of its own. */
static pl_str with_directives(pl_arena *arena, pl_str text) {
  uint32_t n, at = 0;
  pl_token *tokens = pl_lex(arena, text, &n);
  pl_text out = {.arena = arena};
  for (uint32_t i = 0; i + 3 < n; i++) {
    pl_str words = pl_token_in(text, &tokens[i + 2]);
    if (!is_word(&tokens[i], text, "_Pragma") || words.n < 2 ||
        words.p[0] != '"' || memchr(words.p, '\\', words.n))
      continue;
    pl_text_add(&out, (pl_str){text.p + at, tokens[i].range.begin - at});
    begin_line(&out);
    pl_text_printf(&out, "#pragma %.*s", (int)words.n - 2, words.p + 1);
    at = tokens[i + 3].range.end;
    while (at < text.n && strchr(" \t", text.p[at]))
      at++;
    if (at < text.n && text.p[at] != '\n')
      begin_line(&out);
  }
  pl_text_add(&out, (pl_str){text.p + at, text.n - at});
  return pl_text_view(&out);
}

bool pl_macro_used(const pl_unit *unit, uint32_t token, pl_macro *m, pl_macro_use *u) {
  uint32_t offset = unit->tokens[token].range.begin;
  pl_str name = pl_unit_slice(unit, unit->tokens[token].range);
  if (unit->tokens[token].kind != PL_TOK_IDENT ||
      !pl_macro_named(unit, name, offset, m) || !is_plain_body(unit, m, offset) ||
      !read_use(unit, m, token, u))
    return false;
  for (size_t i = 0; calls_macros(unit, m) && i < u->n; i++)
    if (names_macro(unit, u->args[i], offset))
      return false;
  return true;
}

bool pl_macro_makes_statements(const pl_macro *m) {
  static const char *const words[] = {";", "{", "}", "=", "for", "while", "do",
                                      "if", "else", NULL};
  for (uint32_t i = 0; i < m->ntokens; i++)
    for (size_t k = 0; words[k]; k++)
      if (pl_macro_token_is(m, i, words[k]))
        return true;
  return false;
}

bool pl_macro_has(const pl_macro *m, const char *word) {
  for (uint32_t i = 0; i < m->ntokens; i++)
    if (pl_macro_token_is(m, i, word))
      return true;
  return false;
}

pl_str pl_macro_text(const pl_unit *unit, const pl_macro *m,
                     const pl_macro_use *u) {
  pl_str body = with_directives(unit->arena, replaced(unit->arena, m, u));
  return laid_out(unit->arena, body, m->own_lines,
                  pl_indent_at(unit, u->range.begin));
}

/* ---- words of arguments ----------------------------------------------------- */

static bool spells(const pl_unit *unit, pl_str name, int depth);

static bool is_param(const pl_macro *m, pl_str word) {
  for (size_t i = 0; i < m->nparams; i++)
    if (pl_str_eq(m->params[i], word))
      return true;
  return false;
}

/* Whether a body spells what it is handed, or hands it on to what does. */
static bool body_spells(const pl_unit *unit, const pl_macro *m, int depth) {
  for (uint32_t i = 0; i < m->ntokens; i++) {
    pl_str word = pl_token_in(m->body, &m->tokens[i]);
    bool calls = i + 1 == m->ntokens || pl_macro_token_is(m, i + 1, "(");
    if (word.p[0] == '#' ||
        (m->tokens[i].kind == PL_TOK_IDENT && calls && !pl_str_eq(word, m->name) &&
         (i + 1 == m->ntokens ? !is_param(m, word) && spells(unit, word, depth + 1)
                              : is_param(m, word) || spells(unit, word, depth + 1))))
      return true;
  }
  return false;
}

static bool definition_spells(const pl_unit *unit, pl_macro_line line, int depth) {
  pl_macro m = {0};
  return !read_definition(unit->arena, line, &m) || body_spells(unit, &m, depth);
}

/* Those of the file and of the user's headers are read. Of others the names are known. */
static bool spells(const pl_unit *unit, pl_str name, int depth) {
  bool read = false;
  if (depth > MOST_DEPTH)
    return true;
  for (size_t i = 0; i < unit->ndefines; i++)
    if (pl_str_eq(unit->defines[i].name, name)) {
      read = true;
      if (definition_spells(unit, unit->defines[i], depth))
        return true;
    }
  for (size_t i = 0; i < unit->ndefinitions; i++) {
    pl_str text = unit->definitions[i], word = pl_first_word(text);
    pl_macro_line line = {.name = word, .body = {text.p + word.n, text.n - word.n}};
    bool named = pl_str_eq(word, name);
    read = read || named;
    if (named && definition_spells(unit, line, depth))
      return true;
  }
  return !read && pl_macro_is_given(unit, name);
}

pl_range pl_spelled_by(const pl_unit *unit, uint32_t token) {
  pl_range range = unit->tokens[token].range;
  if (unit->tokens[token].kind != PL_TOK_IDENT || !pl_token_is(unit, token + 1, "(") ||
      !spells(unit, pl_token_text(unit, token), 0))
    return (pl_range){0, 0};
  int depth = 0;
  for (uint32_t i = token + 1; i < unit->ntokens; i++) {
    depth += pl_token_is(unit, i, "(") - pl_token_is(unit, i, ")");
    range.end = unit->tokens[i].range.end;
    if (depth == 0)
      break;
  }
  return range;
}
