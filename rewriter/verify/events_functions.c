/* events_functions.c - local functions of the emitted text.
 *
 * Needs: a walker's state. Gives: what a call of `auto copy_tile = [&](int stage) {
 * ... };` does, by executing its body where it is called. Raises: nothing.
 *
 * It captures by reference alone, so that its names are the variables that they are
 * where it is called; its one parameter is a number. All else is not known. */
#include "events_cells.h"

pl_node *pl_local_function(const pl_unit *unit, const pl_node *call) {
  const pl_node *callee =
      call->kind == PL_NODE_CALL && call->nkids && call->kids[0]
          ? pl_node_bare(call->kids[0]) : NULL;
  if (callee && callee->kind == PL_NODE_MEMBER && callee->nkids) /* its operator() */
    callee = pl_node_bare(callee->kids[0]);
  const pl_decl *decl =
      callee && callee->kind == PL_NODE_REF ? callee->decl : NULL;
  pl_node *init = decl && decl->kind == PL_DECL_VAR && decl->init
                      ? pl_node_bare(decl->init) : NULL;
  bool local = init && init->kind == PL_NODE_LAMBDA && init->nkids &&
               init->kids[init->nkids - 1]->kind == PL_NODE_COMPOUND &&
               pl_str_starts(pl_unit_slice(unit, init->range), "[&](");
  return local ? init : NULL;
}

void pl_call_local(pl_walker *w, pl_node *call, pl_node *lambda) {
  const pl_func *func = lambda->func;
  const pl_decl *param = func && func->nparams == 1 ? func->params[0] : NULL;
  bool number = !param || (param->type && pl_is_wide_integer(param->type));
  const pl_iform *given = call->nkids == 2 ? pl_eval_form(w, call->kids[1]) : NULL;
  if (!func || func->nparams > 1 || call->nkids != func->nparams + 1 || !number ||
      (param && !given)) {
    pl_emitted_fail(w->out, '?', call, "what a local function is handed is not known");
    return;
  }
  if (param)
    pl_set_entry(w, param, (pl_value){.kind = PL_VALUE_NUMBER, .n = given});
  w->run++;
  pl_do_statement(w, lambda->kids[lambda->nkids - 1]);
  w->run++;
}
