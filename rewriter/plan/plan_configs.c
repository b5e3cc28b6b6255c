/* plan_configs.c - which bytes does a launch by a configuration give?
 *
 * Needs: the calls of a host function, control flow. Gives: the expression that the one
 * assignment, or the initialiser, of a local cudaLaunchConfig_t gives `dynamicSmemBytes`,
 * and the variable. Raises nothing: false where anything else may set it.
 *
 * The variable launches one kernel and is known by its name alone: its members are set and
 * read, and its address is handed to the toolkit's launches and questions. What the other
 * members say, clusters and programmatic launches too, stays as it is. */
#include "cfg.h"
#include "plan.h"

static const struct {
  const char *name;
  uint32_t configuration, kernel; /* from one: the callee is a call's first child */
} calls[] = {{"cudaLaunchKernelEx", 1, 2},
             {"cudaLaunchKernelExC", 1, 2},
             {"cudaOccupancyMaxActiveClusters", 3, 2},
             {"cudaOccupancyMaxPotentialClusterSize", 3, 2}};

typedef struct config_walk {
  const pl_func *kernel; /* as the text has it */
  const pl_decl *held;   /* a variable that holds it; NULL: none */
  const pl_decl *config;
  const pl_node *call;   /* the one that is asked of */
  pl_node *set;          /* what `dynamicSmemBytes` is set to in the one assignment */
  pl_node *assignment;
  size_t nnames;         /* of the configuration */
  bool ok;
} config_walk;

static const pl_decl *config_of(const pl_node *call, uint32_t argument) {
  const pl_node *at = call->nkids > argument ? pl_node_bare(call->kids[argument]) : NULL;
  const pl_node *of = at && at->kind == PL_NODE_UNARY && at->op == PL_OP_ADDR
                          ? pl_node_bare(at->kids[0]) : NULL;
  return of && of->kind == PL_NODE_REF ? of->decl : NULL;
}

static bool names_kernel(pl_node *node, const void *context) {
  const config_walk *w = context;
  const pl_decl *decl = node->kind == PL_NODE_REF ? node->decl : NULL;
  return decl && (decl == w->held || (decl->func && pl_written_func(decl->func) == w->kernel));
}

/* Whether the address is handed to what launches this very kernel, or asks of it. */
static bool is_handed_to_launch(const config_walk *w, const pl_node *call) {
  for (size_t i = 0; call->kind == PL_NODE_CALL && i < sizeof calls / sizeof *calls; i++)
    if (pl_str_is(call->name, calls[i].name) && !pl_is_own_function(call))
      return config_of(call, calls[i].configuration) == w->config &&
             call->nkids > calls[i].kernel &&
             pl_node_find(call->kids[calls[i].kernel], names_kernel, w);
  return false;
}

/* `cudaFuncSetAttribute(kernel, ..., config.dynamicSmemBytes)` allows what is given. */
static bool is_allowed(const config_walk *w, const pl_node *member) {
  const pl_node *call = member->parent;
  while (call && (call->kind == PL_NODE_CAST || call->kind == PL_NODE_PAREN))
    call = call->parent;
  return call && call->kind == PL_NODE_CALL && call->nkids == 4 &&
         pl_str_is(call->name, "cudaFuncSetAttribute") && !pl_is_own_function(call) &&
         pl_node_within(member, call->kids[3]) &&
         pl_node_find(call->kids[1], names_kernel, w);
}

static bool look_at_member(config_walk *w, pl_node *member) {
  pl_node *up = member->parent;
  if (!pl_str_is(member->name, "dynamicSmemBytes") || !up)
    return up && !(up->kind == PL_NODE_UNARY && up->op == PL_OP_ADDR);
  bool sets = up->kind == PL_NODE_ASSIGN && up->kids[0] == member && up->op == PL_OP_ASSIGN &&
              up->parent && up->parent->kind == PL_NODE_COMPOUND && !w->assignment;
  if (!sets)
    return is_allowed(w, member);
  w->assignment = up;
  w->set = up->kids[1];
  return true;
}

static bool look_at_config(pl_node *node, void *context) {
  config_walk *w = context;
  w->nnames += node->kind == PL_NODE_VAR && node->decl == w->config;
  if (node->kind != PL_NODE_REF || node->decl != w->config)
    return w->ok;
  pl_node *up = node->parent;
  w->nnames++;
  bool member = up && up->kind == PL_NODE_MEMBER && !up->is_arrow;
  w->ok = w->ok && up && !node->from_macro && !pl_in_lambda(node) &&
          (member ? look_at_member(w, up)
                  : up->kind == PL_NODE_UNARY && up->parent && is_handed_to_launch(w, up->parent));
  return w->ok;
}

/* What an initialiser gives, by place or by name; NULL: nothing that stands there. */
static pl_node *initial_bytes(const pl_unit *unit, const pl_node *init) {
  bool named = false;
  for (uint32_t i = 0; i < init->nkids; i++) {
    pl_str text = pl_unit_slice(unit, init->kids[i]->range);
    named = named || pl_str_starts(text, ".");
    if (pl_str_starts(text, ".dynamicSmemBytes") && init->kids[i]->nkids == 1)
      return init->kids[i]->kids[0];
  }
  return named || init->nkids < 3 ? NULL : init->kids[2];
}

pl_node *pl_configured_bytes(const pl_unit *unit, const pl_func *kernel, const pl_decl *held,
                             const pl_func *caller, const pl_node *call,
                             const pl_decl **config) {
  config_walk w = {.kernel = kernel, .held = held, .call = call, .ok = true};
  for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
    if (pl_str_is(call->name, calls[i].name))
      w.config = config_of(call, calls[i].configuration);
  if (!w.config || w.config->kind != PL_DECL_VAR || w.config->owner != caller ||
      w.config->is_static || w.config->from_macro || !w.config->node || !w.config->type ||
      w.config->type->is_volatile ||
      !pl_str_is(pl_without_const(w.config->type->spelling), "cudaLaunchConfig_st"))
    return NULL;
  pl_node_walk(caller->body, look_at_config, &w);
  bool known = w.assignment ? pl_cfg_dominates(w.assignment, call) == PL_YES
                            : w.config->init && w.config->init->kind == PL_NODE_INIT_LIST &&
                                  !w.config->init->from_macro;
  if (!w.ok || !known || pl_is_named_besides(unit, caller, w.config, w.nnames))
    return NULL;
  *config = w.config;
  return w.assignment ? w.set : initial_bytes(unit, w.config->init);
}

bool pl_gives_configured(const pl_unit *unit, const pl_func *kernel, const pl_func *caller,
                         const pl_node *call) {
  const pl_decl *config = NULL;
  if (!pl_str_starts(call->name, "cudaLaunchKernelEx") || call->nkids < 3)
    return false;
  const pl_node *bytes = pl_configured_bytes(unit, kernel, NULL, caller, call, &config);
  bytes = bytes ? pl_node_bare((pl_node *)bytes) : NULL;
  return !config || (bytes && !(bytes->has_ival && bytes->ival == 0));
}
