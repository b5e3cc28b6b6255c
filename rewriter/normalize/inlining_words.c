/* inlining_words.c - do the words of a helper mean at its call what they mean in it?
 *
 * Needs: tokens, the macros of the file, what the caller declares. Gives: whether a
 * name that the helper takes from outside may come to mean something else there, and
 * whether a text says a name, by way of macros, too. Raises nothing. */
#include "expansions.h"
#include "macros.h"

/* The language's own, wherever they stand. */
static bool is_of_language(pl_str word) {
  static const char *const words[] = {
      "alignof",  "auto",     "blockDim", "blockIdx", "bool",
      "break",    "char",     "const",    "constexpr", "continue",
      "do",       "double",   "else",     "false",    "float",
      "for",      "gridDim",  "if",       "int",      "long",
      "short",    "signed",   "sizeof",   "static_cast", "threadIdx",
      "true",     "unsigned", "volatile", "warpSize", "while",
      "__restrict__"};
  return PL_STR_IS_ONE(word, words);
}

typedef struct meaning {
  const pl_unit *unit;
  pl_str word;
} meaning;

static bool is_declaration(pl_node *node, const void *context) {
  const meaning *m = context;
  if (node->kind == PL_NODE_VAR && node->decl)
    return pl_str_eq(node->decl->name, m->word);
  return node->kind == PL_NODE_OTHER_DECL &&
         (node->from_macro || pl_unit_says(m->unit, node->range, m->word) ||
          pl_unit_says(m->unit, node->range, PL_STR("namespace")));
}

static bool has_name(pl_decl *const *decls, uint32_t n, pl_str name) {
  for (uint32_t i = 0; i < n; i++)
    if (pl_str_eq(decls[i]->name, name))
      return true;
  return false;
}

/* Whether a function declares the word, in any of its blocks. */
static bool declares(const pl_unit *unit, const pl_func *func, pl_str word) {
  return pl_node_find(func->body, is_declaration, &(meaning){unit, word}) ||
         has_name(func->params, func->nparams, word) ||
         has_name(func->template_params, func->ntemplate_params, word);
}

/* The brace of the class that a method is defined in; ntokens: it is not
 * defined in one. */
static uint32_t class_around(const pl_unit *unit, const pl_func *method) {
  int depth = 0;
  for (uint32_t i = pl_token_from(unit, method->range.begin); method->is_method && i-- > 0;) {
    depth += pl_token_is(unit, i, "}") ? 1 : pl_token_is(unit, i, "{") ? -1 : 0;
    if (depth < 0)
      return i;
  }
  return unit->ntokens;
}

bool pl_is_one_class(const pl_unit *unit, const pl_func *a, const pl_func *b) {
  uint32_t of = class_around(unit, a);
  return of < unit->ntokens && of == class_around(unit, b);
}

static size_t scopes_of(const pl_func *func) {
  size_t n = 0;
  for (size_t i = 0; i + 1 < func->qualified.n; i++)
    n += func->qualified.p[i] == ':' && func->qualified.p[i + 1] == ':';
  return n;
}

/* Whether a class that is no other one's, and stands in no namespace, may declare a word. */
static bool may_declare(const pl_unit *unit, const pl_func *method, pl_str word) {
  uint32_t at = class_around(unit, method);
  int depth = 0;
  for (uint32_t i = at; at < unit->ntokens && i-- > 0 && !pl_token_is(unit, i, ";") &&
                        !pl_token_is(unit, i, "}");)
    if (pl_token_is(unit, i, ":") || pl_token_is(unit, i, "{"))
      return true;
  for (uint32_t i = at; i < unit->ntokens; i++) {
    depth += pl_token_is(unit, i, "{") ? 1 : pl_token_is(unit, i, "}") ? -1 : 0;
    if (depth == 1 && pl_str_eq(pl_token_text(unit, i), word))
      return true;
    if (depth == 0)
      return scopes_of(method) != 1;
  }
  return true;
}

/* Whether both stand in no namespace, where a name is declared but once, or the name is
 * a reserved one; one of the toolkit's functions may have overloads by the user. */
static bool is_of_both(const pl_unit *unit, const pl_func *helper,
                       const pl_func *caller, pl_str word) {
  for (uint32_t i = 0; i < unit->nfuncs; i++)
    if (pl_str_eq(unit->funcs[i]->name, word))
      return false;
  bool outside = pl_str_eq(helper->qualified, helper->name) ||
                 (helper->is_method && !may_declare(unit, helper, word));
  return pl_str_starts(word, "__") || pl_is_one_class(unit, helper, caller) ||
         (outside && pl_str_eq(caller->qualified, caller->name));
}

static bool is_said(pl_node *node, const void *macro) {
  const meaning *m = macro;
  return node->kind == PL_NODE_VAR && node->decl &&
         pl_macro_says(m->unit, m->word, node->decl->name);
}

/* Whether a macro of a header says what a function declares. */
static bool says_declared(const pl_unit *unit, pl_str macro, const pl_func *func) {
  for (uint32_t i = 0; i < func->nparams; i++)
    if (pl_macro_says(unit, macro, func->params[i]->name))
      return true;
  for (uint32_t i = 0; i < func->ntemplate_params; i++)
    if (pl_macro_says(unit, macro, func->template_params[i]->name))
      return true;
  return pl_node_find(func->body, is_said, &(meaning){unit, macro});
}

static bool stays(const pl_unit *unit, const pl_func *helper,
                  const pl_func *caller, pl_str word, int depth) {
  pl_macro m = {0};
  if (declares(unit, caller, word) || depth > 4 ||
      (pl_macro_is_given(unit, word) && says_declared(unit, word, caller)))
    return false;
  if (!pl_macro_definitions(unit, word, UINT32_MAX))
    return is_of_language(word) || is_of_both(unit, helper, caller, word);
  if (!pl_macro_named(unit, word, helper->range.begin, &m))
    return false;
  for (uint32_t i = 0; i < m.ntokens; i++) {
    pl_str inner = pl_token_in(m.body, &m.tokens[i]);
    bool param = false;
    for (size_t k = 0; k < m.nparams; k++)
      param = param || pl_str_eq(m.params[k], inner);
    if (pl_str_starts(inner, "#") ||
        (m.tokens[i].kind == PL_TOK_IDENT && !param &&
         !stays(unit, helper, caller, inner, depth + 1)))
      return false;
  }
  return true;
}

/* Whether every build that has the text at an offset has the helper, ahead of it:
 * no #if ends between the two that began ahead of the helper. */
bool pl_helper_is_there(const pl_unit *unit, const pl_func *helper,
                        uint32_t offset) {
  int depth = 0;
  if (helper->range.end > offset)
    return false;
  for (size_t i = 0; i < unit->ndirectives; i++) {
    const pl_token *token = &unit->tokens[unit->directives[i]];
    pl_str word = pl_directive_at(unit, unit->directives[i]);
    if (token->range.begin < helper->range.end || token->range.begin >= offset)
      continue;
    depth += pl_str_starts(word, "if") ? 1 : pl_str_starts(word, "endif") ? -1 : 0;
    if (depth < 0 || (depth == 0 && pl_str_starts(word, "el")))
      return false;
  }
  return true;
}

bool pl_is_there_as_well(const pl_unit *unit, pl_range a, pl_range b) {
  pl_range between = a.end <= b.begin ? (pl_range){a.end, b.begin} : (pl_range){b.end, a.begin};
  for (size_t i = 0; i < unit->ndirectives; i++) {
    pl_str word = pl_directive_at(unit, unit->directives[i]);
    if (pl_range_inside(unit->tokens[unit->directives[i]].range, between) &&
        (pl_str_starts(word, "if") || pl_str_starts(word, "el") || pl_str_starts(word, "endif")))
      return false;
  }
  return true;
}

bool pl_word_stays(const pl_unit *unit, const pl_func *helper,
                   const pl_func *caller, pl_str word) {
  return stays(unit, helper, caller, word, 0);
}

bool pl_is_name_at(const pl_unit *unit, uint32_t token) {
  return unit->tokens[token].kind == PL_TOK_IDENT &&
         !pl_is_qualified(unit, token);
}

bool pl_says_name(const pl_unit *unit, pl_range range, pl_str name) {
  pl_run run = pl_tokens_in(unit, range);
  for (uint32_t i = run.first; i < run.end; i++)
    if ((pl_is_name_at(unit, i) && pl_str_eq(pl_token_text(unit, i), name)) ||
        (unit->tokens[i].kind == PL_TOK_IDENT &&
         pl_macro_may_say(unit, pl_token_text(unit, i), name)))
      return true;
  return false;
}
