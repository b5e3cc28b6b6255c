/* places.c - does the loop's text mean something else at another place?
 *
 * Needs: the tokens of the loop, the macros of the file, the functions that are
 * called. Gives: whether a copy of the text is what the text was. Raises: PL2011. */
#include "assembly.h"
#include "call_summary.h"
#include "loop.h"

#include <string.h>

static bool is_name(const pl_token *token) {
  return token->kind == PL_TOK_IDENT;
}

/* The names that a piece of the text leads to: its own, and those in the bodies of
 * macros that are among them. */
typedef struct lead {
  const pl_unit *unit;
  pl_str *names;
  size_t n, cap;
} lead;

static void add_name(lead *l, pl_str name) {
  for (size_t i = 0; i < l->n; i++)
    if (pl_str_eq(l->names[i], name))
      return;
  PL_PUSH(l->unit->arena, l->names, l->n, l->cap, name);
}

/* `text`: a macro's name, and what stands behind it where it is defined. */
static void add_body(lead *l, pl_str name, pl_str text) {
  uint32_t n;
  if (text.n <= name.n || memcmp(text.p, name.p, name.n) != 0)
    return;
  pl_token *tokens = pl_lex(l->unit->arena, text, &n);
  if (!n || tokens[0].range.end != name.n)
    return;
  for (uint32_t i = 1; i < n; i++)
    if (is_name(&tokens[i]))
      add_name(l, pl_token_in(text, &tokens[i]));
}

/* An argument of the command line without its `-D`. */
static pl_str given_text(const char *arg) {
  arg += strncmp(arg, "-D", 2) == 0 ? 2 : 0;
  return (pl_str){arg, strlen(arg)};
}

/* Whether a name among them is `word`, by way of the macros of the file, of headers of
 * the user's and of the command line. */
static bool leads_to(lead *l, const char *word) {
  const pl_unit *unit = l->unit;
  for (size_t at = 0; at < l->n; at++) {
    pl_str name = l->names[at];
    if (pl_str_is(name, word))
      return true;
    for (size_t i = 0; i < unit->ndefines; i++)
      add_body(l, name, (pl_str){unit->defines[i].name.p,
                                 unit->defines[i].name.n + unit->defines[i].body.n});
    for (size_t i = 0; i < unit->ndefinitions; i++)
      add_body(l, name, unit->definitions[i]);
    for (size_t i = 0; i < unit->nargs; i++)
      add_body(l, name, given_text(unit->args[i]));
  }
  return false;
}

static bool is_mentioned(const pl_unit *unit, const char *word) {
  pl_word_index *index = unit->words;
  for (size_t i = 0; i < index->nasked; i++)
    if (index->asked[i].word == word)
      return index->asked[i].has;
  bool found = pl_str_has(unit->text, word);
  for (size_t i = 0; i < unit->ndefinitions && !found; i++)
    found = pl_str_has(unit->definitions[i], word);
  for (size_t i = 0; i < unit->nargs && !found; i++)
    found = strstr(unit->args[i], word) != NULL;
  PL_PUSH(unit->arena, index->asked, index->nasked, index->asked_cap,
          ((pl_asked_word){word, found}));
  return found;
}

/* Whether a piece of the text says a word, as it stands or by way of macros. */
static bool text_says(const pl_unit *unit, pl_range range, const char *word) {
  if (!is_mentioned(unit, word))
    return false;
  lead l = {.unit = unit};
  pl_run run = pl_tokens_in(unit, range);
  for (uint32_t i = run.first; i < run.end; i++)
    if (is_name(&unit->tokens[i]))
      add_name(&l, pl_token_text(unit, i));
  return leads_to(&l, word);
}

static bool says_one(const pl_unit *unit, pl_range range, const char *const *words,
                     size_t n) {
  for (size_t i = 0; i < n; i++)
    if (text_says(unit, range, words[i]))
      return true;
  return false;
}

bool pl_names_its_function(const pl_unit *unit, pl_range range) {
  static const char *const words[] = {"__func__",     "__FUNCTION__",
                                      "__FUNCSIG__",  "__PRETTY_FUNCTION__",
                                      "__builtin_FUNCTION", "source_location"};
  return says_one(unit, range, words, sizeof words / sizeof *words);
}

bool pl_names_its_place(const pl_unit *unit, pl_range range) {
  static const char *const words[] = {"__LINE__", "__COUNTER__", "__builtin_LINE"};
  return says_one(unit, range, words, sizeof words / sizeof *words) ||
         pl_names_its_function(unit, range);
}

/* ---- the line ------------------------------------------------------------ */

typedef struct search {
  const pl_unit *unit;
  pl_node *found;
} search;

/* Parameters that a number is handed on by: each is looked at once. */
typedef struct telling {
  const pl_unit *unit;
  const pl_decl **params;
  size_t n, cap;
  const pl_decl *at; /* the one that is looked at */
  bool told;
} telling;

static void hand_on(telling *t, const pl_decl *param) {
  for (size_t i = 0; i < t->n; i++)
    if (t->params[i] == param)
      return;
  PL_PUSH(t->unit->arena, t->params, t->n, t->cap, param);
  t->told = t->told && param->owner && param->owner->body &&
            !pl_is_reference(param->type);
}

/* What a call is given at an argument may only be told to the user by the function
 * that it calls, `failed(__FILE__, __LINE__)`. */
static bool is_handed_on(telling *t, const pl_node *call,
                         const pl_node *argument) {
  const pl_func *func = call->decl ? call->decl->func : NULL;
  for (uint32_t i = 1; func && func->body && i < call->nkids; i++)
    if (call->kids[i] == argument && i <= func->nparams) {
      hand_on(t, func->params[i - 1]);
      return true;
    }
  return false;
}

/* Notes whether a number only tells the user where something went wrong. */
static void look_at_number(telling *t, const pl_node *node) {
  const pl_node *up = node->parent;
  for (; up && up->kind != PL_NODE_CALL && up->kind != PL_NODE_ASSIGN;
       up = up->parent)
    node = up;
  t->told = t->told && up && up->kind == PL_NODE_CALL &&
            (pl_calls_builtin(up, "printf") ||
             pl_calls_builtin(up, "__assert*") || is_handed_on(t, up, node));
}

static bool find_number(pl_node *node, void *context) {
  telling *t = context;
  if (node->kind == PL_NODE_REF && node->decl == t->at)
    look_at_number(t, node);
  return t->told;
}

static bool is_told(const pl_unit *unit, const pl_node *node) {
  telling t = {.unit = unit, .told = true};
  look_at_number(&t, node);
  for (size_t i = 0; i < t.n && t.told; i++) {
    t.at = t.params[i];
    pl_node_walk(t.at->owner->body, find_number, &t);
  }
  return t.told;
}

/* Whether a number is the line that a macro stands in, whose body says the word. */
static bool is_line_of_macro(const pl_unit *unit, const pl_node *node,
                             pl_str text) {
  unsigned first, last, column;
  uint32_t n;
  if (!node->from_macro)
    return false;
  pl_unit_position(unit, node->range.begin, &first, &column);
  pl_unit_position(unit, node->range.end, &last, &column);
  if (node->ival < first || node->ival > last)
    return false;
  pl_token *tokens = pl_lex(unit->arena, text, &n);
  lead l = {.unit = unit};
  if (n)
    add_name(&l, (pl_str){text.p, tokens[0].range.end});
  return leads_to(&l, "__LINE__");
}

/* Whether a name is that of a variable, or a constant, of the file whose declaration
 * says the line. */
static bool is_made_of_line(const pl_unit *unit, const pl_node *node) {
  const pl_decl *decl = node->kind == PL_NODE_REF ? node->decl : NULL;
  return decl && decl->in_main && !decl->owner && decl->kind != PL_DECL_FUNC &&
         decl->range.end && text_says(unit, decl->range, "__LINE__");
}

/* A number that is __LINE__, as it stands or by way of a macro. */
static bool find_line(pl_node *node, void *context) {
  search *s = context;
  if (is_made_of_line(s->unit, node))
    s->found = node;
  if (node->kind != PL_NODE_INT)
    return !s->found;
  pl_str text = pl_unit_slice(s->unit, node->range);
  if (!pl_str_is(text, "__LINE__") && !is_line_of_macro(s->unit, node, text))
    return true;
  if (!is_told(s->unit, node))
    s->found = node;
  return !s->found;
}

static bool is_of_gpu(const pl_func *func) {
  return func->in_main && (func->is_global || func->is_device) && func->body;
}

static void find_line_on_gpu(search *line) {
  for (uint32_t i = 0; i < line->unit->nfuncs && !line->found; i++)
    if (is_of_gpu(line->unit->funcs[i]))
      pl_node_walk(line->unit->funcs[i]->body, find_line, line);
}

static bool is_of_host(const pl_unit *unit, uint32_t at) {
  for (uint32_t i = 0; i < unit->nfuncs; i++) {
    const pl_func *func = unit->funcs[i];
    if (func->in_main && !func->is_global && !func->is_device &&
        at >= func->range.begin && at < func->range.end)
      return true;
  }
  return false;
}

/* Text outside of the host's functions that asks for the line which it is evaluated for,
 * in a default argument or a member's initialiser, say; empty: there is none. */
static pl_range asks_for_line(const pl_unit *unit) {
  static const char *const words[] = {"__builtin_LINE", "source_location"};
  for (size_t w = 0; w < sizeof words / sizeof *words; w++)
    for (uint32_t i = 0; is_mentioned(unit, words[w]) && i < unit->ntokens; i++) {
      pl_range range = unit->tokens[i].range;
      bool place = w == 0 || pl_token_is(unit, i + 1, "::") ||
                   !pl_token_is(unit, i, words[w]);
      if (is_name(&unit->tokens[i]) && place && text_says(unit, range, words[w]) &&
          !is_of_host(unit, range.begin))
        return range;
    }
  return (pl_range){0, 0};
}

/* A call, or an object that is made, for which a header's own text may ask for the line:
 * an argument that is left out, a constructor or a member's initialiser does. */
static bool find_asking(pl_node *node, void *context) {
  search *s = context;
  const pl_func *func = node->kind == PL_NODE_CALL || node->kind == PL_NODE_CONSTRUCT
                            ? node->decl ? node->decl->func : NULL
                            : NULL;
  const pl_type *type = node->kind == PL_NODE_CALL ? NULL
                        : node->kind == PL_NODE_VAR && node->decl ? node->decl->type
                                                                  : node->type;
  bool made = type && type->kind == PL_TYPE_RECORD && type->is_user &&
              (node->kind == PL_NODE_VAR || node->kind == PL_NODE_CONSTRUCT ||
               node->kind == PL_NODE_INIT_LIST) &&
              (type->begins_by_code || type->has_constructors);
  if (made || (func && !func->in_main && pl_omitted_arguments(func, node) == PL_ORIGIN_CODE))
    s->found = node;
  return !s->found;
}

static void find_asking_on_gpu(search *line) {
  for (uint32_t i = 0; i < line->unit->nfuncs && !line->found; i++)
    if (is_of_gpu(line->unit->funcs[i]))
      pl_node_walk(line->unit->funcs[i]->body, find_asking, line);
}

/* ---- assembly ------------------------------------------------------------ */

/* Whether assembly names a place or a register outside of braces of its own.
 * `%=` makes another name of each copy. */
static bool names_once(pl_str text) {
  static const char *const declares[] = {".reg",    ".local", ".shared",
                                         ".global", ".const", ".param"};
  for (pl_ptx p = {.text = text}; pl_ptx_next(&p);)
    if (p.depth == 0 && ((p.label.n && !pl_str_has(p.label, "%=")) ||
                         PL_STR_IS_ONE(p.opcode, declares)))
      return true;
  return false;
}

static bool is_named_once(const pl_unit *unit, const pl_node *node) {
  return node->kind == PL_NODE_ASM && node->range.end &&
         names_once(pl_assembly_text(unit, node));
}

bool pl_check_places(pl_loop *loop) {
  if (text_says(loop->unit, loop->node->range, "__COUNTER__"))
    return pl_refuse(loop, false, "PL2011", NULL,
                     "__COUNTER__ changes with every copy of the text");
  pl_node *assembly = pl_text_shows(loop->unit, loop->node, is_named_once);
  if (assembly && assembly->kind != PL_NODE_ASM)
    assembly = pl_call_shows(loop->unit, assembly, is_named_once);
  if (assembly)
    return pl_refuse(loop, false, "PL2011", assembly,
                     "assembly that names a label or a register outside of braces "
                     "may appear only once, and pipelining would duplicate it");
  search line = {.unit = loop->unit};
  if (is_mentioned(loop->unit, "__LINE__"))
    find_line_on_gpu(&line);
  if (line.found)
    return pl_refuse(loop, false, "PL2011", line.found,
                     "__LINE__ is another number in the new text, which has more lines");
  pl_node asking = {.range = asks_for_line(loop->unit)};
  if (asking.range.end)
    return pl_refuse(loop, false, "PL2011", &asking,
                     "what asks for a line here is told another one by the new text, "
                     "which has more");
  if (loop->unit->headers_ask_for_line)
    find_asking_on_gpu(&line);
  if (line.found)
    return pl_refuse(loop, false, "PL2011", line.found,
                     "a header asks for lines, and may do so here: the new text has more");
  return true;
}
