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
    pl_str word = {body.p + tokens[i].range.begin,
                   tokens[i].range.end - tokens[i].range.begin};
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
  pl_str type = type_of(loop->arena, given.n ? given : body);
  if (!type.n || !is_used(loop, name))
    return;
  PL_PUSH(loop->arena, asked.same, asked.nsame, asked.same_cap, type);
  PL_PUSH(loop->arena, loop->asked_types, loop->nasked_types, loop->asked_cap, asked);
}

/* ---- types that hang on numbers ------------------------------------------------ */

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
      !pl_hangs_on_default(loop->unit, asked.name))
    return true;
  for (size_t i = 0; i < loop->nasked_types; i++)
    if (pl_str_eq(loop->asked_types[i].name, asked.name))
      return true;
  PL_PUSH(loop->arena, asked.same, asked.nsame, asked.same_cap, type->spelling);
  PL_PUSH(loop->arena, loop->asked_types, loop->nasked_types, loop->asked_cap, asked);
  return true;
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
  pl_node_walk(loop->node, ask_for_chosen, loop);
}
