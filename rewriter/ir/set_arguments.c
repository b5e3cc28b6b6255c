/* set_arguments.c - what may a call change of what it is given?
 *
 * Needs: the model, or what stands of it so far. Gives: whether a function takes an
 * argument by a reference to what is not constant. Raises nothing. */
#include "model.h"

#include <string.h>

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
