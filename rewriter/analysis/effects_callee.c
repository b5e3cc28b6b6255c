/* effects_callee.c - what is it that a call calls?
 *
 * Needs: the model, builtins. Gives: a call's callee and arguments, whether it is a
 * barrier. Raises: nothing. */
#include "call_summary.h"
#include "effects_parts.h"

#include <string.h>

/* Whether a call picks its body at run time: a virtual function of an object
 * that is reached through a pointer or a reference. */
static bool is_dispatched(const pl_node *call) {
  if (!call->decl || !call->decl->is_virtual)
    return false;
  const pl_node *member = call->nkids ? call->kids[0] : NULL;
  const pl_node *object = member && member->nkids ? member->kids[0] : NULL;
  return !object || member->is_arrow || object->kind != PL_NODE_REF ||
         !object->decl || pl_is_reference(object->decl->type);
}

bool pl_takes_pack(const pl_func *func) {
  const pl_decl *last = func->nparams ? func->params[func->nparams - 1] : NULL;
  return last && last->type && pl_str_has(last->type->spelling, "...");
}

const pl_func *pl_callee_of(const pl_node *call) {
  if (call->decl && call->decl->func && call->decl->func->body &&
      !pl_takes_pack(call->decl->func) && !is_dispatched(call))
    return call->decl->func;
  return NULL;
}

/* The argument node that stands for parameter `index` of a call. */
pl_node *pl_argument(const pl_node *call, int index) {
  uint32_t at = (uint32_t)index + 1;
  return at < call->nkids ? call->kids[at] : NULL;
}

bool pl_is_member_function(const pl_node *call) {
  return call->nkids && call->kids[0] && call->kids[0]->kind == PL_NODE_MEMBER;
}

bool pl_is_called_on_this(const pl_node *call) {
  const pl_node *member = pl_is_member_function(call) ? call->kids[0] : NULL;
  const pl_node *object = member && member->nkids && member->kids[0]
                              ? pl_node_bare(member->kids[0])
                              : NULL;
  return member && call->decl && call->decl->kind == PL_DECL_METHOD &&
         (!object || object->kind == PL_NODE_THIS);
}

/* A function that returns nothing is called for what else it does. */
bool pl_gives_nothing(const pl_node *call) {
  return call->type && call->type->kind == PL_TYPE_VOID;
}

bool pl_returns_reference(const pl_func *func) {
  const pl_type *type = func->decl ? func->decl->type : NULL;
  if (type && type->element && type->element->kind != PL_TYPE_DEPENDENT)
    return type->element->kind == PL_TYPE_REFERENCE;
  for (size_t i = 0; type && i < type->spelling.n; i++) {
    if (type->spelling.p[i] == '(')
      return false;
    if (type->spelling.p[i] == '&')
      return true;
  }
  return false;
}

static bool is_name_part(char c) {
  return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
         (c >= 'A' && c <= 'Z');
}

bool pl_is_thread_block(const pl_type *type) {
  static const char name[] = "thread_block";
  size_t n = sizeof name - 1;
  type = pl_no_reference(type);
  if (!type || type->is_user || type->in_text)
    return false; /* other arguments of a template may bring another group */
  pl_str text = type->spelling;
  for (size_t i = 0; i + n <= text.n; i++)
    if (memcmp(text.p + i, name, n) == 0 &&
        (i == 0 || !is_name_part(text.p[i - 1])) &&
        (i + n == text.n || !is_name_part(text.p[i + n])))
      return !pl_str_has(text, "tile");
  return false;
}

/* A call of a group's function on the block. */
static bool asks_block(const pl_node *node, const char *name) {
  return node->kind == PL_NODE_CALL && pl_str_is(node->name, name) &&
         node->nkids == 1 && pl_is_member_function(node) &&
         !(node->decl && node->decl->is_user) &&
         pl_is_thread_block(node->kids[0]->kids[0]->type);
}

bool pl_is_block_rank(const pl_node *node) {
  return asks_block(node, "thread_rank");
}

bool pl_is_block_size(const pl_node *node) {
  return asks_block(node, "size") || asks_block(node, "num_threads");
}

/* `block.sync()`, `cg::sync(block)`, `cg::this_thread_block().sync()`. */
bool pl_is_group_sync(const pl_node *call) {
  if (call->kind != PL_NODE_CALL || !pl_str_is(call->name, "sync"))
    return false;
  if (pl_is_member_function(call))
    return pl_is_thread_block(call->kids[0]->kids[0]->type);
  return call->nkids == 2 && call->kids[1] &&
         pl_is_thread_block(call->kids[1]->type);
}

/* `do { ... } while (0)`. */
bool pl_runs_once(const pl_node *node) {
  return node->kind == PL_NODE_DO && node->nkids == 2 && node->kids[1] &&
         node->kids[1]->has_ival && !node->kids[1]->ival;
}

/* An object under its name, or `cg::this_thread_block()`: naming it does
 * nothing, wherever it is done and however often. */
static bool is_plain_object(const pl_node *node) {
  node = pl_node_bare((pl_node *)node);
  while (node && node->nkids == 1 &&
         (node->kind == PL_NODE_MEMBER || node->kind == PL_NODE_CONSTRUCT ||
          node->kind == PL_NODE_CAST)) {
    if (node->kind == PL_NODE_CONSTRUCT && node->type && node->type->is_user)
      return false;
    node = pl_node_bare(node->kids[0]);
  }
  return node && (node->kind == PL_NODE_REF || node->kind == PL_NODE_THIS ||
                  (node->kind == PL_NODE_MEMBER && node->nkids == 0) ||
                  (node->kind == PL_NODE_CALL && node->nkids <= 1 &&
                   node->decl && !node->decl->is_user));
}

/* Whether a barrier is handed no more than constants and the group that waits:
 * it is made anew at other places, where a number would be another one. */
static bool has_plain_arguments(const pl_node *call) {
  bool method = pl_is_member_function(call) && call->kids[0]->nkids;
  const pl_node *object = method ? call->kids[0]->kids[0] : NULL;
  if (object && !is_plain_object(object))
    return false;
  for (uint32_t i = 1; i < call->nkids; i++) {
    const pl_node *arg = pl_node_bare(call->kids[i]);
    bool fixed = arg && (arg->has_ival || arg->kind == PL_NODE_INT);
    if (!fixed && !(arg && pl_is_thread_block(arg->type) &&
                    is_plain_object(arg)))
      return false;
  }
  return true;
}

pl_node *pl_called_lambda(const pl_node *call) {
  pl_node *object = call->nkids ? pl_node_bare(call->kids[0]) : NULL;
  while (object && object->kind == PL_NODE_MEMBER && object->nkids)
    object = pl_node_bare(object->kids[0]);
  const pl_decl *decl =
      object && object->kind == PL_NODE_REF ? object->decl : NULL;
  bool keeps = decl && decl->type && decl->type->kind != PL_TYPE_POINTER;
  pl_node *init = keeps && decl->init ? pl_node_bare(decl->init) : NULL;
  return init && init->kind == PL_NODE_LAMBDA ? init : NULL;
}

const pl_node *pl_called_body(const pl_node *call) {
  const pl_func *callee = pl_callee_of(call);
  if (callee)
    return callee->body;
  const pl_node *lambda = pl_called_lambda(call);
  return lambda && lambda->nkids ? lambda->kids[lambda->nkids - 1] : NULL;
}

/* Bodies that are one call each, one in the other. */
typedef struct body_chain {
  const pl_node *body;
  const struct body_chain *outer;
} body_chain;

static bool is_barrier_call(const pl_node *node, const body_chain *outer) {
  while (node && (pl_runs_once(node) ||
                  (node->kind == PL_NODE_COMPOUND && node->nkids == 1)))
    node = node->kids[0];
  if (!node || node->kind != PL_NODE_CALL)
    return false;
  const pl_func *callee = pl_callee_of(node);
  body_chain chain = {pl_called_body(node), outer};
  if (callee && callee->is_others_too)
    return false;
  if (!chain.body && !pl_is_group_sync(node))
    return pl_builtin_of(node)->emits == PL_EMITS_BARRIER;
  for (const body_chain *at = outer; at; at = at->outer)
    if (at->body == chain.body)
      return false;
  return has_plain_arguments(node) &&
         (pl_is_group_sync(node) || is_barrier_call(chain.body, &chain));
}

bool pl_is_barrier(const pl_node *statement) {
  return is_barrier_call(statement, NULL);
}

bool pl_holds_barrier(const pl_node *block) {
  for (uint32_t i = 0; i < block->nkids; i++)
    if (block->kids[i] && pl_is_barrier(block->kids[i]))
      return true;
  return false;
}

pl_str pl_callee_name(const pl_node *call) {
  const pl_node *object =
      call->kind == PL_NODE_CALL && pl_is_member_function(call)
          ? pl_node_bare(call->kids[0]->kids[0])
          : NULL;
  if (pl_str_is(call->name, "operator()") && object &&
      object->kind == PL_NODE_REF)
    return object->name;
  return call->name;
}
