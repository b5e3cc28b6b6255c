/* legality_text.c - does the preprocessor decide what a tile is?
 *
 * Needs: tokens around the declarations of tiles. Gives: whether they can be
 * written anew. Raises: PL1003, PL1004. */
#include "legality_parts.h"
#include "branch_choices.h"

/* Whether a declared name is spelled inside the parentheses of a macro's use:
 * `SHARED_TILE(block, 32);`. */
static bool is_macro_argument(const pl_unit *unit, const pl_decl *decl) {
  int depth = 0;
  for (uint32_t i = pl_token_from(unit, decl->name_range.begin); i-- > 0;) {
    pl_str word = pl_token_text(unit, i);
    if (pl_str_is(word, ";") || pl_str_is(word, "{") || pl_str_is(word, "}"))
      return false;
    depth += pl_str_is(word, ")") ? 1 : pl_str_is(word, "(") ? -1 : 0;
    if (depth < 0)
      return true;
  }
  return false;
}

/* Whether a directive stands in an #if that other builds decide otherwise, each of
 * which is looked at (branches.c). */
static bool is_looked_at(const pl_loop *loop, uint32_t at) {
  const pl_unit *unit = loop->unit;
  for (size_t i = 0; i < unit->ndirectives && unit->directives[i] < at; i++)
    if (pl_chooses_for(loop, unit, unit->directives[i]) &&
        pl_end_of_group(unit, unit->directives[i]) > at)
      return true;
  return false;
}

/* Whether a macro is defined more than once, not by builds that are looked at one
 * by one. */
static bool is_redefined(const pl_loop *loop, pl_str name) {
  const pl_unit *unit = loop->unit;
  if (pl_macro_definitions(unit, name, UINT32_MAX) < 2)
    return false;
  for (uint32_t i = 0; i < unit->ntokens; i++) {
    pl_macro_line line = pl_macro_of(pl_directive_at(unit, i));
    if (pl_str_eq(line.name, name) && !is_looked_at(loop, i))
      return true;
  }
  return false;
}

bool pl_check_tile_sizes(pl_loop *loop) {
  for (size_t t = 0; t < loop->ntiles; t++) {
    pl_decl *decl = loop->tiles[t].decl;
    if (decl->kind == PL_DECL_PARAM) /* keeps its one place */
      continue;
    pl_run run = pl_tokens_in(loop->unit, decl->range);
    for (uint32_t i = run.first; i < run.end; i++) {
      if (loop->unit->tokens[i].kind != PL_TOK_IDENT)
        continue;
      pl_node at = {.range = decl->range};
      pl_str word = pl_token_text(loop->unit, i);
      if (pl_is_under_condition(loop, decl))
        return pl_refuse(loop, false, "PL1004", &at,
                         "tile '%.*s' is declared under an #if, and other builds "
                         "declare it otherwise or not at all; it can be "
                         "declared once, outside of it",
                         PL_FMT(decl->name));
      if (is_redefined(loop, word))
        return pl_refuse(loop, false, "PL1004", &at,
                         "'%.*s' decides the size of tile '%.*s', and the file "
                         "defines it more than once",
                         PL_FMT(word), PL_FMT(decl->name));
    }
    if (decl->from_macro || is_macro_argument(loop->unit, decl)) {
      pl_node at = {.range = decl->range};
      return pl_refuse(loop, false, "PL1003", &at,
                       "a macro's body declares tile '%.*s'",
                       PL_FMT(decl->name));
    }
  }
  return true;
}

/* ---- what a build leaves out that gives no macro ------------------------------ */

/* A definition's parameters and body; false: it has none. */
static bool split_definition(pl_str definition, pl_str *params, pl_str *body) {
  size_t end = 0;
  while (end < definition.n && definition.p[end] != ')')
    end++;
  if (!definition.n || definition.p[0] != '(' || end == definition.n)
    return false;
  *params = (pl_str){definition.p + 1, end - 1};
  *body = (pl_str){definition.p + end + 1, definition.n - end - 1};
  return true;
}

/* Whether a definition, `(x, ...) body`, says nothing of one of its parameters. */
static bool drops_argument(pl_arena *arena, pl_str definition) {
  pl_str params, body;
  uint32_t n = 0;
  if (!split_definition(definition, &params, &body))
    return false;
  const pl_token *tokens = pl_lex(arena, params, &n);
  for (uint32_t i = 0; i < n; i++) {
    pl_str name = pl_token_in(params, &tokens[i]);
    bool rest = pl_str_is(name, "...");
    if ((rest || tokens[i].kind == PL_TOK_IDENT) &&
        !pl_text_says(arena, body, rest ? PL_STR("__VA_ARGS__") : name))
      return true;
  }
  return false;
}

/* Whether a body is nothing but its parameters: `(x)`, `((void)(x))`. */
static bool only_says(pl_arena *arena, pl_str params, pl_str body) {
  static const char *const empty[] = {"(", ")", ",", ";", "{", "}", "do", "while",
                                      "0", "void", "__VA_ARGS__"};
  uint32_t n = 0;
  const pl_token *tokens = pl_lex(arena, body, &n);
  for (uint32_t i = 0; i < n; i++) {
    pl_str word = pl_token_in(body, &tokens[i]);
    if (tokens[i].kind != PL_TOK_COMMENT && !PL_STR_IS_ONE(word, empty) &&
        !(tokens[i].kind == PL_TOK_IDENT && pl_text_says(arena, params, word)))
      return false;
  }
  return true;
}

static bool only_hands_on(pl_arena *arena, pl_str definition) {
  pl_str params, body;
  return split_definition(definition, &params, &body) && only_says(arena, params, body);
}

/* Whether a definition is handed nothing, and does nothing: ``, `() ((void)0)`. */
static bool does_nothing(pl_arena *arena, pl_str definition) {
  pl_str params, body = definition;
  uint32_t n = 0;
  if (split_definition(definition, &params, &body))
    pl_lex(arena, params, &n);
  return n == 0 && only_says(arena, PL_STR(""), body);
}

/* Whether a statement may begin at a token: behind another one, or a header. */
static bool begins_statement(const pl_unit *unit, uint32_t at) {
  static const char *const ends[] = {";", "{", "}", "else", "do", ":"};
  static const char *const headers[] = {"if", "for", "while", "switch"};
  uint32_t before = at ? at - 1 : 0;
  while (before && unit->tokens[before].kind == PL_TOK_COMMENT)
    before--;
  if (unit->tokens[before].kind == PL_TOK_DIRECTIVE ||
      PL_STR_IS_ONE(pl_token_text(unit, before), ends))
    return true;
  int depth = 0;
  for (uint32_t i = before; i > 0 && pl_token_is(unit, before, ")"); i--) {
    depth += pl_token_is(unit, i, ")") - pl_token_is(unit, i, "(");
    if (depth == 0)
      return PL_STR_IS_ONE(pl_token_text(unit, i - 1), headers);
  }
  return false;
}

/* Whether a macro's use, with parentheses where it has some, is a statement. */
static bool is_statement(const pl_unit *unit, uint32_t at) {
  if (!begins_statement(unit, at))
    return false;
  uint32_t next = pl_token_code(unit, at + 1);
  if (pl_token_is(unit, next, "(") && pl_token_is(unit, next + 1, ")"))
    next = pl_token_code(unit, next + 2);
  return pl_token_is(unit, next, ";");
}

/* Whether a function sets but its own variables, waits, or has more to it. */
static bool function_acts(const pl_loop *loop, const pl_func *func) {
  pl_effects effects = {0};
  pl_effects_of(loop->effects, func, func->body, &effects);
  for (size_t i = 0; i < effects.n; i++) {
    const pl_effect *effect = &effects.items[i];
    bool own = effect->direct && pl_is_private(effect->root.decl) &&
               !pl_is_reference(effect->root.decl->type);
    if (effect->kind != PL_EFFECT_READ && !(effect->kind == PL_EFFECT_WRITE && own))
      return true;
  }
  return func->body == NULL;
}

/* Whether a call by a name does more than to compute, as far as the name says: that
 * of functions of the file, of a type, or of C's that take numbers and give one. */
static bool call_acts(const pl_loop *loop, pl_str name) {
  static const char *const plain[] = {
      "sizeof", "alignof", "bool",  "char",  "short", "int",   "long",
      "float",  "double",  "signed", "unsigned", "abs", "min",  "max",
      "isnan",  "isinf",   "isfinite", "fabs", "fabsf", "fmin", "fminf",
      "fmax",   "fmaxf",   "sqrt",  "sqrtf", "floor", "floorf"};
  const pl_unit *unit = loop->unit;
  bool known = false, acts = false;
  for (uint32_t i = 0; i < unit->nfuncs; i++)
    if (pl_str_eq(pl_before_angle(unit->funcs[i]->name), name)) {
      known = true;
      acts = acts || function_acts(loop, unit->funcs[i]);
    }
  return known ? acts : !PL_STR_IS_ONE(name, plain);
}

/* Whether what stands in the parentheses behind a name does something, as far as its
 * tokens go: it sets, or calls what does. */
static bool arguments_act(const pl_loop *loop, uint32_t open) {
  const pl_unit *unit = loop->unit;
  static const char *const words[] = {"=",  "+=", "-=", "*=",  "/=",  "%=", "&=",
                                      "|=", "^=", "++", "<<=", ">>=", "--"};
  int depth = 0;
  for (uint32_t i = open; i < unit->ntokens; i++) {
    depth += pl_token_is(unit, i, "(") - pl_token_is(unit, i, ")");
    if (depth == 0)
      return false;
    if (unit->tokens[i].kind == PL_TOK_IDENT && pl_token_is(unit, i + 1, "(") &&
        call_acts(loop, pl_token_text(unit, i)))
      return true;
    for (size_t k = 0; k < sizeof words / sizeof *words; k++)
      if (pl_token_is(unit, i, words[k]))
        return true;
  }
  return false;
}

/* The place that an operand, from one token to another, is: a variable, or what lies
 * behind one by its elements and members. */
typedef struct handed {
  pl_str name;
  bool behind;
} handed;

/* False: it is no place. */
static bool is_place(const pl_unit *unit, uint32_t from, uint32_t end, handed *h) {
  static const char *const within[] = {")", "]", ".", "->"};
  int depth = 0;
  *h = (handed){0};
  while (from < end && (pl_token_is(unit, from, "(") || pl_token_is(unit, from, "*") ||
                        pl_token_is(unit, from, "&"))) {
    h->behind |= pl_token_is(unit, from, "*");
    from++;
  }
  if (from == end || unit->tokens[from].kind != PL_TOK_IDENT)
    return false;
  h->name = pl_token_text(unit, from);
  for (uint32_t i = from + 1; i < end; i++) {
    bool opens = pl_token_is(unit, i, "["), member = unit->tokens[i].kind == PL_TOK_IDENT;
    depth += opens - pl_token_is(unit, i, "]");
    h->behind |= opens || pl_token_is(unit, i, "->");
    if (depth == 0 && !member && !PL_STR_IS_ONE(pl_token_text(unit, i), within))
      return false;
  }
  return true;
}

/* Whether to set a place may set what the loads, or the condition, read. */
static bool sets_for_loads(pl_node *node, const void *context) {
  const handed *h = context;
  const pl_decl *decl = node->decl;
  if (node->kind != PL_NODE_REF || !decl || !pl_str_eq(decl->name, h->name) || !decl->type)
    return false;
  const pl_type *type = decl->type;
  if (type->kind == PL_TYPE_REFERENCE)
    type = type->element;
  if (h->behind && type->kind != PL_TYPE_RECORD)
    type = type->element;
  return type && !type->is_const;
}

static bool may_set_for_loads(const pl_loop *loop, uint32_t from, uint32_t end) {
  handed h;
  if (!is_place(loop->unit, from, end, &h))
    return false;
  for (uint32_t i = 0; i < loop->node->nkids; i++)
    if (loop->node->kids[i] && loop->node->kids[i] != loop->body &&
        pl_node_find(loop->node->kids[i], sets_for_loads, &h))
      return true;
  for (size_t i = 0; i < loop->nstmts; i++)
    if (loop->stmts[i].in_load && pl_node_find(loop->stmts[i].node, sets_for_loads, &h))
      return true;
  return false;
}

/* Whether an operand of those in the parentheses is such a place. */
static bool hands_what_loads_need(const pl_loop *loop, uint32_t open) {
  const pl_unit *unit = loop->unit;
  int depth = 0;
  for (uint32_t i = open, from = open + 1; i < unit->ntokens; i++) {
    static const char *const opening[] = {"(", "[", "{"}, *const closing[] = {")", "]", "}"};
    depth += PL_STR_IS_ONE(pl_token_text(unit, i), opening) -
             PL_STR_IS_ONE(pl_token_text(unit, i), closing);
    bool ends = depth == 0 || (depth == 1 && pl_token_is(unit, i, ","));
    if (ends && may_set_for_loads(loop, from, i))
      return true;
    from = ends ? i + 1 : from;
    if (depth == 0)
      return false;
  }
  return false;
}

/* Why another build's text of a default, that is used at a token, may do what is not seen
 * here; NULL: it does not. */
static const char *may_do_more(const pl_loop *loop, uint32_t at, pl_str definition) {
  bool drops = drops_argument(loop->arena, definition);
  if (does_nothing(loop->arena, definition))
    return is_statement(loop->unit, at) ? "do something here, where the file's own does nothing"
                                        : NULL;
  if (!pl_token_is(loop->unit, at + 1, "(") || !(drops || only_hands_on(loop->arena, definition)))
    return NULL;
  if (drops && arguments_act(loop, at + 1))
    return "do what it is handed here, which the file's own leaves out";
  return hands_what_loads_need(loop, at + 1) ? "set what it is handed here, which the loads need"
                                             : NULL;
}

/* `#ifndef TRACE`, `#define TRACE(what)`: in a build with -D'TRACE(what)=what' what it
 * is handed is done, and here it is not even seen. It may be set, too. */
bool pl_check_dropped_arguments(pl_loop *loop) {
  const pl_unit *unit = loop->unit;
  pl_run run = pl_tokens_in(unit, loop->node->range);
  for (size_t d = 0; d < unit->ndefaults; d++) {
    pl_macro_line line = unit->defaults[d];
    bool open = !pl_command_line_says(unit, line.name);
    for (uint32_t i = run.first; open && i + 1 < run.end; i++) {
      const char *why = pl_str_eq(pl_token_text(unit, i), line.name)
                            ? may_do_more(loop, i, line.body)
                            : NULL;
      pl_node at = {.range = unit->tokens[i].range};
      if (why)
        return pl_refuse(loop, false, "PL1004", &at,
                         "a build that gives '%.*s' may %s; '-- -U%.*s' leaves such "
                         "builds out",
                         PL_FMT(line.name), why, PL_FMT(line.name));
    }
  }
  return true;
}
