/* lvalues.c - what may be set by an expression?
 *
 * Needs: the model, or what stands of it so far. Gives: the places that one expression
 * may be, and whether a function takes an argument by a reference to what is not
 * constant. Raises nothing. */
#include "lvalues.h"

#include <string.h>

/* (Any other cast gives a value of its own.) */
static bool is_to_reference(const pl_node *cast) {
  return !cast->type || cast->type->kind == PL_TYPE_REFERENCE ||
         cast->type->kind == PL_TYPE_DEPENDENT;
}

void pl_each_place(pl_node *of, void (*found)(pl_node *place, void *context),
                   void *context) {
  pl_node *place = of ? pl_node_bare(of) : NULL;
  if (!place)
    return;
  found(place, context);
  bool first = place->kind == PL_NODE_ASSIGN || pl_node_is_step(place) ||
               (place->kind == PL_NODE_CAST && is_to_reference(place));
  if (first && place->nkids)
    pl_each_place(place->kids[0], found, context);
  for (uint32_t i = 1; place->kind == PL_NODE_COND && i < place->nkids; i++)
    pl_each_place(place->kids[i], found, context);
  if (place->kind == PL_NODE_BINARY && place->op == PL_OP_COMMA)
    pl_each_place(place->kids[1], found, context);
}

/* The i-th parameter in a function type's spelling, `void (int &, const T &)`. */
static pl_str spelled_parameter(pl_str type, uint32_t i) {
  int depth = 0;
  size_t at = 0, begin = 0;
  while (at < type.n && type.p[at] != '(')
    at++;
  for (begin = ++at; at < type.n; at++) {
    char c = type.p[at];
    bool ends = depth == 0 && (c == ',' || c == ')');
    if (ends && i-- == 0)
      return (pl_str){type.p + begin, at - begin};
    begin = ends ? at + 1 : begin;
    depth += strchr("(<[{", c) ? 1 : strchr(")>]}", c) ? -1 : 0;
  }
  return PL_STR("");
}

/* Whether that is a reference to something that is not constant: `const int *&` is;
 * of a pack's the type has one for all. */
static bool spells_variable(pl_str type, uint32_t i) {
  pl_str one = spelled_parameter(type, i);
  if (one.n == 0)
    return pl_str_has(type, "&...") || pl_str_has(type, "& ...");
  size_t star = 0;
  for (size_t at = 0; at < one.n; at++)
    star = one.p[at] == '*' ? at : star;
  return pl_str_has(one, "&") &&
         !pl_str_has((pl_str){one.p + star, one.n - star}, "const ");
}

/* Of a function whose body is not seen its type tells; what a template's object is
 * called with it may change. */
bool pl_may_set_argument(const pl_node *call, uint32_t i) {
  const pl_decl *callee = call->decl;
  if (callee && (callee->kind == PL_DECL_VAR || callee->kind == PL_DECL_PARAM ||
                 callee->kind == PL_DECL_FIELD))
    return true;
  if (callee && callee->func) {
    const pl_type *type =
        i < callee->func->nparams ? callee->func->params[i]->type : NULL;
    bool pack = callee->func->nparams && i + 1 >= callee->func->nparams &&
                pl_str_has(callee->func->params[callee->func->nparams - 1]
                               ->type->spelling, "&...");
    return pack || (type && type->kind == PL_TYPE_REFERENCE &&
                    !(type->element && type->element->is_const));
  }
  return callee && callee->type && spells_variable(callee->type->spelling, i);
}
