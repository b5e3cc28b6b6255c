/* unseen.c - what is said of a node whose code is not seen?
 *
 * Needs: effects. Gives: nothing. Raises: PL4004, with the call or operator that is the
 * one not seen, through functions that are called. */
#include "loop.h"

/* What reads as an operator of numbers; whose it is is not known. */
static bool is_open_operator(const pl_node *node) {
  return !node->decl &&
         (node->kind == PL_NODE_BINARY || node->kind == PL_NODE_UNARY ||
          node->kind == PL_NODE_ASSIGN || node->kind == PL_NODE_SUBSCRIPT);
}

/* What of a function's text is not seen. */
typedef struct place {
  pl_loop *loop;
  const pl_func *func;
} place;

static bool is_unseen(pl_node *node, const void *context) {
  const place *in = context;
  pl_effects effects = {0};
  if (node->kind != PL_NODE_CALL && node->kind != PL_NODE_LAUNCH &&
      !is_open_operator(node))
    return false;
  pl_effects_of(in->loop->effects, in->func, node, &effects);
  const pl_effect *unseen = pl_effects_find(&effects, PL_EFFECT_UNSEEN);
  return unseen && unseen->node == node;
}

/* The call or operator in the text of a called function that is the one not seen,
 * through functions that it calls; `node` itself where it is that. `in`: the
 * function that it stands in. */
static const pl_node *innermost_unseen(pl_loop *loop, const pl_node *node,
                                       const pl_func **in) {
  *in = loop->func;
  for (uint32_t depth = 0; depth < loop->unit->nfuncs; depth++) {
    const pl_func *func =
        node->kind == PL_NODE_CALL && node->decl ? node->decl->func : NULL;
    const pl_node *found =
        func ? pl_node_find(func->body, is_unseen, &(place){loop, func}) : NULL;
    if (!found)
      break;
    node = found;
    *in = func;
  }
  return node;
}

/* The record of which a node makes an object, by code of the user's; NULL: it
 * does something else. */
static const pl_type *made_type(const pl_node *node) {
  const pl_type *type = node->kind == PL_NODE_VAR && node->decl
                            ? node->decl->type
                            : node->type;
  while (type && type->kind == PL_TYPE_ARRAY)
    type = type->element;
  bool makes = node->kind == PL_NODE_VAR || node->kind == PL_NODE_CONSTRUCT ||
               node->kind == PL_NODE_INIT_LIST ||
               (node->kind != PL_NODE_CALL && type && type->runs_code);
  bool record = type && (type->kind == PL_TYPE_RECORD ||
                         (type->kind == PL_TYPE_DEPENDENT &&
                          node->kind == PL_NODE_VAR));
  return makes && record && type->is_user ? type : NULL;
}

/* Whether a call leaves out an argument that takes code to make. */
static bool omits_code(const pl_node *call) {
  const pl_func *func = call->decl ? call->decl->func : NULL;
  const pl_node *lambda = pl_called_lambda(call);
  func = lambda ? lambda->func : func;
  return func && pl_omitted_arguments(func, call) == PL_ORIGIN_CODE;
}

/* `node`, or what it calls, `in`, says `op`. */
static bool refuse_open_operator(pl_loop *loop, const pl_node *node,
                                 const pl_func *in, const pl_node *op) {
  const pl_func *meant = pl_operator_in_question(loop->effects, in, op);
  pl_str name = !meant ? PL_STR("one")
                       : meant->qualified.n ? meant->qualified : meant->name;
  const char *quote = meant ? "'" : "";
  bool within = op != node;
  if (*pl_what_settles(loop))
    return pl_refuse(loop, false, "PL4004", node,
                     "which operator %s%.*s%s hangs on the template's arguments%s",
                     within ? "is called in '" : "this is",
                     within ? (int)in->name.n : 0, within ? in->name.p : "",
                     within ? "'" : "", pl_what_settles(loop));
  return pl_refuse(loop, false, "PL4004", node,
                   "which operator %s%.*s%s hangs on the template's arguments, "
                   "and %s%.*s%s that is in question does more than to compute, "
                   "or is not seen",
                   within ? "is called in '" : "this is",
                   within ? (int)in->name.n : 0, within ? in->name.p : "",
                   within ? "'" : "", quote, PL_FMT(name), quote);
}

/* A call by a name for which no function is chosen, as the arguments are not known. */
static bool is_dependent_call(const pl_loop *loop, const pl_node *call) {
  bool chosen = call->decl && call->type && call->type->kind != PL_TYPE_DEPENDENT;
  bool seen = call->decl && call->decl->func && call->decl->func->body;
  return *pl_what_settles(loop) && call->kind == PL_NODE_CALL && !chosen && !seen &&
         pl_callee_name(call).n && !pl_called_lambda(call);
}

static bool refuse_dependent_call(pl_loop *loop, const pl_node *at, const pl_node *call) {
  pl_str name = pl_callee_name(call), by = pl_callee_name(at);
  bool within = at != call && by.n;
  return pl_refuse(loop, false, "PL4004", at,
                   "which '%.*s' is called here%s%.*s%s hangs on the template's arguments%s",
                   PL_FMT(name), within ? ", by '" : "", within ? (int)by.n : 0,
                   within ? by.p : "", within ? "'," : "", pl_what_settles(loop));
}

static bool is_candidate(const pl_func *func, const pl_node *call) {
  pl_str name = pl_last_name(call->name);
  return func->body && func->nparams + 1 == call->nkids &&
         name.p == call->name.p && pl_str_eq(pl_before_angle(func->name), name);
}

/* A call of a function of the file that template arguments choose. */
static bool is_open_call(const pl_loop *loop, const pl_node *call) {
  bool open = call->kind == PL_NODE_CALL && !call->decl && call->name.n;
  for (uint32_t i = 0; open && i < loop->unit->nfuncs; i++)
    if (is_candidate(loop->unit->funcs[i], call))
      return true;
  return false;
}

static bool refuse_open_call(pl_loop *loop, const pl_node *at,
                             const pl_node *call) {
  pl_str name = pl_callee_name(call);
  return pl_refuse(loop, false, "PL4004", at,
                   "which function %s%.*s%s hangs on the template's arguments, "
                   "and what one that is in question does is not followed%s",
                   name.n ? "'" : "is called here", PL_FMT(name),
                   name.n ? "' is" : "", pl_what_settles(loop));
}

/* What stands in braces, and becomes what it is there by a function of its class. */
static bool is_hidden_conversion(const pl_node *node) {
  const pl_node *member =
      node->kind == PL_NODE_CALL && !node->decl && node->nkids == 1
          ? node->kids[0]
          : NULL;
  return member && member->kind == PL_NODE_MEMBER && !member->name.n;
}

/* A function whose body is there, but not all that runs where it is called. */
static bool refuse_seen_body(pl_loop *loop, const pl_node *node) {
  if (loop->func->is_others_too)
    return refuse_dependent_call(loop, node, node);
  pl_str name = pl_callee_name(node);
  return pl_refuse(loop, false, "PL4004", node,
                   "not all that runs in a call of '%.*s' is followed, so what "
                   "it reads and writes is not known",
                   PL_FMT(name));
}

/* `hook(x)` of a pointer to a function, or of an argument of a template's own type. */
static bool calls_a_value(const pl_node *call) {
  const pl_decl *decl = call->kind == PL_NODE_CALL ? call->decl : NULL;
  bool variable = decl && (decl->kind == PL_DECL_VAR || decl->kind == PL_DECL_PARAM);
  return variable && decl->type && decl->type->kind != PL_TYPE_RECORD;
}

bool pl_refuse_unseen(pl_loop *loop, const pl_node *node) {
  pl_str name = pl_callee_name(node);
  const pl_func *in;
  const pl_node *inner = innermost_unseen(loop, node, &in);
  if (is_open_call(loop, inner))
    return refuse_open_call(loop, node, inner);
  if (inner->kind == PL_NODE_LAUNCH)
    return pl_refuse(loop, false, "PL4004", node,
                     "a kernel is launched here, and what it reads and writes "
                     "beside the loop is not known");
  if (is_hidden_conversion(inner))
    return pl_refuse(loop, false, "PL4004", node,
                     "whether braces make another value of '%.*s', and by which "
                     "function, is not seen; a cast to what it becomes shows it",
                     PL_FMT(inner->kids[0]->kids[0]->type->spelling));
  if (inner->kind == PL_NODE_CALL && omits_code(inner))
    return pl_refuse(loop, false, "PL4004", node,
                     "a default argument of '%.*s' is more than a number, and "
                     "what it reads and writes is not followed; it can be given",
                     PL_FMT(pl_callee_name(inner)));
  if (is_dependent_call(loop, inner))
    return refuse_dependent_call(loop, node, inner);
  if (inner != node && name.n && pl_callee_name(inner).n)
    return pl_refuse(loop, false, "PL4004", node,
                     "'%.*s' calls '%.*s', whose body is not seen, so what it "
                     "reads and writes is not known",
                     PL_FMT(name), PL_FMT(pl_callee_name(inner)));
  const pl_node *lambda =
      node->kind == PL_NODE_CALL ? pl_called_lambda(node) : NULL;
  if (lambda && lambda->func && pl_takes_pack(lambda->func))
    return pl_refuse(loop, false, "PL4004", node,
                     "the lambda '%.*s' takes a pack of arguments, and what "
                     "becomes of them is not followed",
                     PL_FMT(name));
  if (lambda)
    return pl_refuse(loop, false, "PL4004", node,
                     "the lambda '%.*s' has values of its own, and what becomes "
                     "of them is not followed; as variables of the function they are",
                     PL_FMT(name));
  if (made_type(node))
    return pl_refuse(loop, false, "PL4004", node,
                     "what code of '%.*s' runs when an object is made, copied or "
                     "ends is not followed",
                     PL_FMT(made_type(node)->spelling));
  if (node->kind == PL_NODE_RANGE_FOR)
    return pl_refuse(loop, false, "PL4004", node,
                     "what this range-based loop calls is not seen; with an "
                     "index in its place there is nothing to see");
  if (is_open_operator(inner))
    return refuse_open_operator(loop, node, in, inner);
  if (name.n && node->decl && node->decl->func && node->decl->func->body)
    return refuse_seen_body(loop, node);
  if (name.n && calls_a_value(node))
    return pl_refuse(loop, false, "PL4004", node,
                     "which function '%.*s' stands for is not known, and so what that reads "
                     "and writes",
                     PL_FMT(name));
  if (name.n && node->decl && node->decl->in_main &&
      pl_range_inside(node->decl->range, loop->func->range))
    return pl_refuse(loop, false, "PL4004", node,
                     "'%.*s' is of a class that the function declares, and is not followed; "
                     "of a class outside of it, it is",
                     PL_FMT(name));
  if (name.n && node->kind == PL_NODE_CALL)
    return pl_refuse(loop, false, "PL4004", node,
                     "the body of '%.*s' is not seen, so what it reads and "
                     "writes is not known",
                     PL_FMT(name));
  return pl_refuse(loop, false, "PL4004", node,
                   "what is called here is not seen, so what it reads and "
                   "writes is not known");
}

bool pl_all_is_seen(pl_loop *loop, pl_node *node) {
  pl_effects effects = pl_effects_in(loop, node);
  const pl_effect *unseen = pl_effects_find(&effects, PL_EFFECT_UNSEEN);
  return !unseen || pl_refuse_unseen(loop, unseen->node);
}
