/* legality_defaults.c - which types has the file only where a build gives no others?
 *
 * Needs: the unit's macros. Gives: the types that the rewritten text asks to be what
 * they are here, in `loop->asked_types`. Raises nothing.
 *
 * `#ifndef REAL`, `#define REAL float`: with -DREAL=double the same text is of
 * doubles. What is rewritten says `float` where a value passes through a register,
 * and sizes of that, so that such a build has to stop. So does what a header
 * defines, which is looked at in one build alone, and a build by whose number another
 * type is chosen: `#define MODE 0`, `typedef Pick<MODE>::type element;`. */
#include "call_summary.h"
#include "legality_parts.h"
#include "open_values.h"

#include <string.h>

static bool ends_as_type(pl_str word) {
  return word.n > 2 && memcmp(word.p + word.n - 2, "_t", 2) == 0;
}

static bool is_type_word(pl_str word) {
  static const char *const words[] = {"float", "double", "int", "unsigned", "char",
                                      "short", "long", "signed", "bool", "const",
                                      "half", "half2", "__half", "__half2",
                                      "__nv_bfloat16", "nv_bfloat16"};
  static const char *const vectors[] = {"char", "uchar", "short", "ushort", "int",
                                        "uint", "long", "ulong", "longlong",
                                        "ulonglong", "float", "double"};
  pl_str less = {word.p, word.n ? word.n - 1 : 0};
  return PL_STR_IS_ONE(word, words) || ends_as_type(word) ||
         (PL_STR_IS_ONE(less, vectors) && word.p[less.n] >= '1' &&
          word.p[less.n] <= '4');
}

/* The name of a type that a macro's body is; empty: it is something else, a qualifier
 * alone too. */
static pl_str type_of(pl_arena *arena, pl_str body) {
  uint32_t n = 0, names = 0, begin = 0, end = 0;
  const pl_token *tokens = pl_lex(arena, body, &n);
  for (uint32_t i = 0; i < n; i++) {
    pl_str word = pl_token_in(body, &tokens[i]);
    if (tokens[i].kind == PL_TOK_COMMENT)
      continue;
    if (tokens[i].kind != PL_TOK_IDENT || !is_type_word(word))
      return (pl_str){0};
    names += !pl_str_is(word, "const");
    begin = end ? begin : tokens[i].range.begin;
    end = tokens[i].range.end;
  }
  return names ? (pl_str){body.p + begin, end - begin} : (pl_str){0};
}

/* A class of the file. */
static bool is_class_word(const pl_unit *unit, pl_str word) {
  for (uint32_t i = 1; word.n && i < unit->ntokens; i++)
    if (pl_str_eq(pl_token_text(unit, i), word) &&
        (pl_token_is(unit, i - 1, "struct") || pl_token_is(unit, i - 1, "class")))
      return true;
  return false;
}

static const pl_func *function_at(const pl_unit *unit, uint32_t at) {
  for (uint32_t i = 0; i < unit->nfuncs; i++) {
    const pl_func *func = unit->funcs[i];
    if (func->in_main && at >= func->range.begin && at < func->range.end)
      return func;
  }
  return NULL;
}

/* Whether code of the device, a declaration of file scope or another macro says a
 * name. */
static bool is_used(const pl_loop *loop, pl_str name) {
  const pl_unit *unit = loop->unit;
  for (uint32_t i = 0; i < unit->ntokens; i++) {
    if (unit->tokens[i].kind != PL_TOK_IDENT ||
        !pl_str_eq(pl_token_text(unit, i), name))
      continue;
    const pl_func *func = function_at(unit, unit->tokens[i].range.begin);
    if (!func || func->is_device || func->is_global)
      return true;
  }
  for (size_t i = 0; i < unit->ndefines; i++)
    if (!pl_str_eq(unit->defines[i].name, name) &&
        pl_text_says(loop->arena, unit->defines[i].body, name))
      return true;
  return false;
}

static void ask_for(pl_loop *loop, pl_str name, pl_str body) {
  pl_asked_type asked = {.name = name};
  pl_str given = pl_command_line_value(loop->unit, name);
  pl_str said = pl_str_trimmed(given.n ? given : body);
  pl_str type = is_class_word(loop->unit, said) ? said : type_of(loop->arena, said);
  if (!type.n || !is_used(loop, name))
    return;
  PL_PUSH(loop->arena, asked.same, asked.nsame, asked.same_cap, type);
  PL_PUSH(loop->arena, loop->asked_types, loop->nasked_types, loop->asked_cap, asked);
}

/* ---- types that hang on numbers ------------------------------------------------ */

static void ask_once(pl_loop *loop, pl_asked_type asked, pl_str same) {
  for (size_t i = 0; i < loop->nasked_types; i++)
    if (pl_str_eq(loop->asked_types[i].name, asked.name))
      return;
  PL_PUSH(loop->arena, asked.same, asked.nsame, asked.same_cap, same);
  PL_PUSH(loop->arena, loop->asked_types, loop->nasked_types, loop->asked_cap, asked);
}

/* The type among the words ahead of a declared name: `Pick<MODE>::type` of
 * `__shared__ const Pick<MODE>::type`. */
static pl_str type_ahead(const pl_loop *loop, const pl_decl *decl) {
  static const char *const others[] = {
      "const", "static", "extern", "constexpr", "__shared__", "__device__", "__restrict__",
      "__restrict", "*", "&", "__constant__"};
  const pl_unit *unit = loop->unit;
  pl_run run = pl_tokens_in(unit, (pl_range){decl->range.begin, decl->name_range.begin});
  uint32_t first = run.end, end = run.first;
  for (uint32_t i = run.first; i < run.end; i++) {
    if (unit->tokens[i].kind == PL_TOK_COMMENT || PL_STR_IS_ONE(pl_token_text(unit, i), others))
      continue;
    first = first == run.end ? i : first;
    end = i + 1;
  }
  return first < end ? pl_unit_slice(unit, (pl_range){unit->tokens[first].range.begin,
                                                      unit->tokens[end - 1].range.end})
                     : (pl_str){0};
}

/* `vec<N>` is one class whatever the number. */
static bool is_class_with_number(const pl_type *type, pl_str name) {
  pl_str base = pl_before_angle(pl_last_name(name));
  return type->kind == PL_TYPE_RECORD &&
         pl_str_eq(pl_before_angle(pl_last_name(type->spelling)), base);
}

/* Where another number chooses another type, it may be volatile, or of another size:
 * `typedef Pick<MODE>::type element;`. */
static bool ask_for_chosen(pl_node *node, void *context) {
  pl_loop *loop = context;
  const pl_decl *decl = node->kind == PL_NODE_REF || node->kind == PL_NODE_VAR ? node->decl
                                                                               : NULL;
  const pl_type *type = decl && (decl->kind == PL_DECL_VAR || decl->kind == PL_DECL_PARAM)
                            ? pl_no_reference(decl->type)
                            : NULL;
  while (type && (type->kind == PL_TYPE_ARRAY || type->kind == PL_TYPE_POINTER))
    type = type->element;
  if (!type || type->in_text || !pl_is_spelled_type(type) || !decl->in_main ||
      !decl->range.end || !decl->name_range.end)
    return true;
  pl_asked_type asked = {.name = type_ahead(loop, decl)};
  if (!asked.name.n || is_class_with_number(type, asked.name) ||
      !pl_hangs_on_default(loop->unit, asked.name, (pl_str){0}))
    return true;
  ask_once(loop, asked, type->spelling);
  return true;
}

/* ---- functions that hang on numbers -------------------------------------------- */

/* Whether a template has a text of its own for some arguments. */
static bool is_specialised(const pl_unit *unit, pl_str name) {
  for (uint32_t i = 1; i + 2 < unit->ntokens; i++) {
    if (!pl_str_eq(pl_token_text(unit, i), name) || !pl_token_is(unit, i + 1, "<"))
      continue;
    if (pl_token_is(unit, i - 1, "struct") || pl_token_is(unit, i - 1, "class"))
      return true;
    for (uint32_t k = i; k-- > 2;) {
      if (pl_token_is(unit, k, ";") || pl_token_is(unit, k, "{") || pl_token_is(unit, k, "}"))
        break;
      if (pl_token_is(unit, k, ">") && pl_token_is(unit, k - 1, "<") &&
          pl_token_is(unit, k - 2, "template"))
        return true;
    }
  }
  return false;
}

/* Whether some part of a function's name, `Op` of `Op<1>::run`, is specialised, or the
 * function has overloads, one of which its arguments choose. */
static bool is_chosen(const pl_unit *unit, const pl_func *func) {
  uint32_t n = 0;
  const pl_token *tokens = pl_lex(unit->arena, func->qualified, &n);
  for (uint32_t i = 0; i < n; i++)
    if (tokens[i].kind == PL_TOK_IDENT &&
        is_specialised(unit, pl_token_in(func->qualified, &tokens[i])))
      return true;
  for (uint32_t i = 0; i < unit->nfuncs; i++)
    if (pl_written_func(unit->funcs[i]) != pl_written_func(func) &&
        pl_str_eq(pl_before_angle(unit->funcs[i]->name), pl_before_angle(func->name)))
      return true;
  return false;
}

/* Whether a call names its class by another name than the class's own, which may stand for
 * another one: `Sel::on(k)` of `typedef conditional<MODE, A, B>::type Sel;`. */
static bool is_by_alias(const pl_unit *unit, const pl_node *call, const pl_func *func) {
  pl_str text = pl_unit_slice(unit, call->kids[0]->range);
  uint32_t n = 0;
  const pl_token *tokens = pl_lex(unit->arena, text, &n);
  for (uint32_t i = 0; i < n; i++)
    if (tokens[i].kind == PL_TOK_IDENT &&
        !pl_text_says(unit->arena, func->qualified, pl_token_in(text, &tokens[i])))
      return pl_str_has(text, "::");
  return false;
}

/* The type, as it is declared, of the object that a method is called for. */
static pl_str object_of(const pl_loop *loop, const pl_node *call) {
  const pl_node *at = call->nkids ? pl_node_bare(call->kids[0]) : NULL;
  while (at && at->kind == PL_NODE_MEMBER && at->nkids)
    at = pl_node_bare(at->kids[0]);
  const pl_decl *decl = at && at->kind == PL_NODE_REF ? at->decl : NULL;
  bool own = decl && (decl->kind == PL_DECL_VAR || decl->kind == PL_DECL_PARAM) &&
             decl->in_main && decl->name_range.end;
  return own ? type_ahead(loop, decl) : (pl_str){0};
}

static void ask_for_number(pl_loop *loop, pl_str text) {
  const pl_unit *unit = loop->unit;
  for (size_t i = 0; text.n && i < unit->ndefines; i++) {
    const pl_macro_line *line = &unit->defines[i];
    pl_str given = pl_command_line_value(unit, line->name);
    if (line->is_default && line->name.n && pl_hangs_on_default(unit, text, line->name))
      ask_once(loop, (pl_asked_type){.name = line->name, .is_value = true},
               given.n ? given : pl_str_trimmed(line->body));
  }
}

/* `Op<MODE>::run(s)`, `run(Tag<MODE>(), s)`: another number calls another function. */
static bool ask_for_callee(pl_node *node, void *context) {
  pl_loop *loop = context;
  const pl_func *func = node->kind == PL_NODE_CALL && node->decl ? node->decl->func : NULL;
  if (!func || !node->range.end ||
      (!is_chosen(loop->unit, func) && !is_by_alias(loop->unit, node, func)))
    return true;
  ask_for_number(loop, pl_unit_slice(loop->unit, node->range));
  ask_for_number(loop, object_of(loop, node));
  return true;
}

static bool has_default(const pl_unit *unit) {
  for (size_t i = 0; i < unit->ndefines; i++)
    if (unit->defines[i].is_default)
      return true;
  return false;
}

void pl_find_default_types(pl_loop *loop) {
  const pl_unit *unit = loop->unit;
  for (size_t i = 0; i < unit->ndefines; i++)
    if (unit->defines[i].is_default)
      ask_for(loop, unit->defines[i].name, unit->defines[i].body);
  for (size_t i = 0; i < unit->ndefinitions; i++) {
    pl_str name = pl_first_word(unit->definitions[i]);
    pl_str body = {unit->definitions[i].p + name.n, unit->definitions[i].n - name.n};
    ask_for(loop, name, body);
  }
  if (!has_default(unit))
    return;
  pl_node_walk(loop->node, ask_for_chosen, loop);
  pl_node_walk(loop->node, ask_for_callee, loop);
  pl_func_list all = pl_functions_of(unit, loop->func);
  for (size_t i = 0; i < all.n; i++)
    if (all.items[i]->in_main && all.items[i]->body)
      pl_node_walk(all.items[i]->body, ask_for_callee, loop);
}
