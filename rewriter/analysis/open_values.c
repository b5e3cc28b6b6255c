/* open_values.c - what may another build, or instantiation, have otherwise?
 *
 * Needs: the unit's text, the declarations. Gives: whether another instantiation,
 * or another build, may have an object of another size, or an expression another
 * value. Raises nothing.
 *
 * A template's argument may say the size, or `-D`: by a macro that has its value here
 * only as a default, by what stands behind an `#if`, in the object's declaration or
 * in that of a type or a constant that it names. */
#include "open_values.h"

#define MOST_NAMES 256 /* looked at for one object; of more, the size is open */

typedef struct name_search {
  const pl_unit *unit;
  pl_str *seen;
  size_t nseen, cap;
  bool defaults; /* of numbers alone are asked for */
  pl_str only;   /* ... of this name; empty: of any */
  bool open;
} name_search;

static void look_at_name(name_search *s, pl_str name);

/* Whether a body is a number, or computes one. */
static bool is_number(pl_arena *arena, pl_str body) {
  uint32_t n = 0, numbers = 0;
  const pl_token *tokens = pl_lex(arena, body, &n);
  for (uint32_t i = 0; i < n; i++)
    numbers += tokens[i].kind == PL_TOK_NUMBER;
  return numbers > 0;
}

static void look_at_text(name_search *s, pl_str text) {
  uint32_t n = 0;
  const pl_token *tokens = pl_lex(s->unit->arena, text, &n);
  for (uint32_t i = 0; i < n && !s->open; i++)
    if (tokens[i].kind == PL_TOK_IDENT)
      look_at_name(s, pl_token_in(text, &tokens[i]));
}

/* `#ifndef N`, `#define N 4096`; `#define N (K / 4)` with such a K; what a header
 * says. False: no macro. */
static bool look_at_macro(name_search *s, pl_str name) {
  const pl_unit *unit = s->unit;
  bool found = false;
  for (size_t i = 0; i < unit->ndefines; i++) {
    const pl_macro_line *line = &unit->defines[i];
    if (!pl_str_eq(line->name, name))
      continue;
    found = true;
    s->open |= line->is_default &&
               (!s->defaults || (is_number(unit->arena, line->body) &&
                                 (!s->only.n || pl_str_eq(s->only, name))));
    look_at_text(s, line->body);
  }
  const pl_macro_line *header = found || s->defaults ? NULL : pl_header_macro(unit, name);
  if (header)
    look_at_text(s, header->body);
  else if (!found && !s->defaults && pl_header_macro_definitions(unit, name) > 0)
    s->open = true;
  return found || header || s->open;
}

static bool in_function(const pl_unit *unit, uint32_t at) {
  for (uint32_t i = 0; i < unit->nfuncs; i++)
    if (unit->funcs[i]->in_main && at >= unit->funcs[i]->range.begin &&
        at < unit->funcs[i]->range.end)
      return true;
  return false;
}

/* The declaration at file scope that a token is part of. */
static pl_range declaration_around(const pl_unit *unit, uint32_t token) {
  uint32_t first = token, last = token;
  while (first > 0 && !pl_token_is(unit, first - 1, ";") &&
         !pl_token_is(unit, first - 1, "}") &&
         unit->tokens[first - 1].kind != PL_TOK_DIRECTIVE)
    first--;
  for (int depth = 0; last + 1 < unit->ntokens; last++) {
    depth += pl_token_is(unit, last, "{") - pl_token_is(unit, last, "}");
    if (depth <= 0 && pl_token_is(unit, last, ";"))
      break;
  }
  return (pl_range){unit->tokens[first].range.begin,
                    unit->tokens[last].range.end};
}

/* Whether names between braces are those of what is around: of a namespace, of an
 * enumeration. */
static bool is_transparent(const pl_unit *unit, uint32_t brace) {
  for (uint32_t i = brace; i > 0; i--) {
    if (pl_token_is(unit, i - 1, ";") || pl_token_is(unit, i - 1, "{") ||
        pl_token_is(unit, i - 1, "}"))
      return false;
    if (pl_token_is(unit, i - 1, "namespace") ||
        pl_token_is(unit, i - 1, "extern") || pl_token_is(unit, i - 1, "enum"))
      return true;
  }
  return false;
}

/* For each token, whether it stands between braces that keep their names. */
static const bool *hidden_tokens(const pl_unit *unit) {
  if (unit->words->hidden)
    return unit->words->hidden;
  bool *all = unit->words->hidden = PL_NEW_ARRAY(unit->arena, bool, unit->ntokens + 1);
  int hidden = 0;
  for (uint32_t i = 0; i < unit->ntokens; i++) {
    if (pl_token_is(unit, i, "{") && (hidden || !is_transparent(unit, i)))
      hidden++;
    else if (pl_token_is(unit, i, "}") && hidden)
      hidden--;
    all[i] = hidden > 0;
  }
  return all;
}

/* Whether a token is part of `typedef ... ;` or `using ... ;`. */
static bool is_named_type(const pl_unit *unit, uint32_t token) {
  uint32_t first = pl_token_from(unit, declaration_around(unit, token).begin);
  while (first < token && pl_token_is(unit, first, "{"))
    first++;
  for (uint32_t i = token; i > first; i--)
    if (pl_token_is(unit, i - 1, "{") || pl_token_is(unit, i - 1, "}"))
      first = i;
  return pl_token_is(unit, first, "typedef") || pl_token_is(unit, first, "using");
}

/* A type or a constant of file scope, by where its name stands first. */
static void look_at_declaration(name_search *s, pl_str name) {
  const pl_unit *unit = s->unit;
  const bool *hidden = hidden_tokens(unit);
  for (uint32_t i = pl_token_of(unit, name); i < unit->ntokens; i = unit->words->next[i]) {
    const uint32_t at = unit->tokens[i].range.begin;
    const bool inside = in_function(unit, at);
    if (unit->tokens[i].kind != PL_TOK_IDENT || (hidden[i] && !(s->defaults && inside)))
      continue;
    if (inside && !s->defaults)
      return;
    if (inside && !is_named_type(unit, i))
      continue;
    s->open |= !s->defaults && pl_is_conditional(unit, at);
    look_at_text(s, pl_unit_slice(unit, declaration_around(unit, i)));
    return;
  }
}

static void look_at_name(name_search *s, pl_str name) {
  if (pl_is_keyword(name) || pl_str_starts(name, "__"))
    return;
  for (size_t i = 0; i < s->nseen; i++)
    if (pl_str_eq(s->seen[i], name))
      return;
  s->open |= s->nseen >= MOST_NAMES;
  PL_PUSH(s->unit->arena, s->seen, s->nseen, s->cap, name);
  if (!s->open && !look_at_macro(s, name))
    look_at_declaration(s, name);
}

/* A macro that no file defines: the command line does. */
static bool is_from_outside(const pl_unit *unit, const pl_node *node) {
  pl_str name = node->from_macro && node->range.end
                    ? pl_first_word(pl_unit_slice(unit, node->range))
                    : (pl_str){NULL, 0};
  return name.n && !pl_macro_definitions(unit, name, UINT32_MAX) &&
         !pl_header_macro_definitions(unit, name);
}

static bool find_open(pl_node *node, void *context) {
  name_search *s = context;
  const pl_decl *decl = node->kind == PL_NODE_REF ? node->decl : NULL;
  s->open |= node->open || is_from_outside(s->unit, node) ||
             (decl && decl->kind == PL_DECL_TEMPLATE_VALUE);
  if (node->range.end && !s->open)
    look_at_text(s, pl_unit_slice(s->unit, node->range));
  if (decl && decl->init && !s->open)
    pl_node_walk((pl_node *)decl->init, find_open, s);
  return !s->open;
}

bool pl_has_open_value(const pl_loop *loop, const pl_node *node) {
  name_search s = {.unit = loop->unit};
  pl_node_walk((pl_node *)node, find_open, &s);
  return s.open;
}

/* Whether a name hangs on such a default: asked once. */
typedef struct pl_open_name {
  pl_str name, only;
  bool hangs;
} pl_open_name;

static bool name_hangs(pl_unit *unit, pl_str name, pl_str only) {
  for (size_t i = 0; i < unit->nopen_names; i++)
    if (pl_str_eq(unit->open_names[i].name, name) && pl_str_eq(unit->open_names[i].only, only))
      return unit->open_names[i].hangs;
  name_search s = {.unit = unit, .defaults = true, .only = only};
  look_at_name(&s, name);
  pl_open_name one = {pl_arena_str(unit->arena, name.p, name.n), only, s.open};
  PL_PUSH(unit->arena, unit->open_names, unit->nopen_names, unit->open_names_cap, one);
  return s.open;
}

bool pl_hangs_on_default(const pl_unit *unit, pl_str text, pl_str only) {
  uint32_t n = 0;
  const pl_token *tokens = pl_lex(unit->arena, text, &n);
  for (uint32_t i = 0; i < n; i++)
    if (tokens[i].kind == PL_TOK_IDENT &&
        name_hangs((pl_unit *)unit, pl_token_in(text, &tokens[i]), only))
      return true;
  return false;
}

bool pl_has_open_size(const pl_loop *loop, const pl_decl *decl) {
  name_search s = {.unit = loop->unit};
  const pl_type *type = decl->type;
  while (type && type->kind == PL_TYPE_ARRAY)
    type = type->element;
  s.open = type && type->in_text;
  PL_PUSH(loop->arena, s.seen, s.nseen, s.cap, decl->name);
  for (uint32_t i = 0; i < decl->ndims && !s.open; i++)
    pl_node_walk(decl->dims[i], find_open, &s);
  if (decl->in_main && decl->range.end && !s.open)
    look_at_text(&s, pl_unit_slice(loop->unit, decl->range));
  return s.open;
}

/* ---- constants whose text is not all --------------------------------------------- */

typedef struct mark_walk {
  const pl_unit *unit;
  const pl_func *func;
} mark_walk;

static bool declares_word(pl_node *node, const void *context) {
  const pl_str *name = context;
  return node->kind == PL_NODE_VAR && node->decl && pl_str_eq(node->decl->name, *name);
}

/* Of `sizeof(part)` the declaration of a local says how large it is. */
static bool hangs_by_locals(const mark_walk *w, pl_str text) {
  uint32_t n = 0;
  const pl_token *tokens = pl_lex(w->unit->arena, text, &n);
  for (uint32_t i = 0; i < n; i++) {
    pl_str name = pl_token_in(text, &tokens[i]);
    const pl_node *var = tokens[i].kind == PL_TOK_IDENT
                             ? pl_node_find(w->func->body, declares_word, &name)
                             : NULL;
    if (var && pl_hangs_on_default(w->unit, pl_unit_slice(w->unit, var->decl->range),
                                   (pl_str){0}))
      return true;
  }
  return false;
}

static bool mark_open(pl_node *node, void *context) {
  const mark_walk *w = context;
  bool name = node->kind == PL_NODE_REF || node->kind == PL_NODE_MEMBER;
  if (!node->range.end || !(node->kind == PL_NODE_SIZEOF || (name && node->has_ival)))
    return true;
  pl_str text = pl_unit_slice(w->unit, node->range);
  if (name && !pl_str_has(text, "::"))
    return true;
  node->of_build = pl_hangs_on_default(w->unit, text, (pl_str){0}) ||
                   (node->kind == PL_NODE_SIZEOF && hangs_by_locals(w, text));
  return true;
}

void pl_mark_open_values(const pl_unit *unit) {
  bool any = false;
  for (size_t i = 0; i < unit->ndefines && !any; i++)
    any = unit->defines[i].is_default && is_number(unit->arena, unit->defines[i].body);
  for (uint32_t i = 0; any && i < unit->nfuncs; i++) {
    mark_walk w = {unit, unit->funcs[i]};
    if (unit->funcs[i]->in_main && unit->funcs[i]->body &&
        (unit->funcs[i]->is_global || unit->funcs[i]->is_device))
      pl_node_walk(unit->funcs[i]->body, mark_open, &w);
  }
}
