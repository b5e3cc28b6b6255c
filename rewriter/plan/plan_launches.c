/* plan_launches.c - can the launches give a kernel more dynamic shared memory, or a
 * second layer of threads?
 *
 * Needs: the tiles, the launches of the frontend, the tokens of the file. Gives:
 * where each launch says how many bytes the kernel has, and how many that are.
 * Raises (by plan_obstacles.c): PL5005.
 *
 * A tile in dynamic shared memory is the block of it, which is the first stage. Behind it
 * stand the others, each of what the function accesses by the names of the tiles. Each place of the file that names the kernel has to
 * be known: its definition and declarations, launches whose bytes are a number, and
 * what asks or sets its attributes. A launch in another file is not in sight: the
 * kernel looks at what it has been given. To be told from all that somebody may have
 * given it, that is one byte more than the stages need: an odd number.
 *
 * Where all launches give as much, the kernel knows the number. Otherwise it is so many
 * times what each has given so far, rounded up, and the kernel works out from that how
 * far its stages are apart. Where the run decides, that is 48 KiB at most, as long as
 * the host does not allow more.
 *
 * A second layer, by z, has as many threads as the block: each launch's block has to be
 * known, and be one that can be said with another z. */
#include "block_parts.h"
#include "call_summary.h"
#include "frontend.h"
#include "open_values.h"
#include "plan.h"
#include "values.h"

#include <string.h>

#define WARP 32
#define MOST_THREADS 1024 /* of a block */
#define STAGE_ALIGN 128 /* of what hardware asks of shared memory, mostly */

typedef struct launch_search {
  pl_loop *loop;
  const pl_func *kernel; /* as the text has it */
  pl_dynamic_memory *memory;
  pl_roles *roles; /* the blocks are asked for, not the bytes */
  bool launched;
} launch_search;

int64_t pl_dynamic_block(const pl_dynamic_memory *memory) {
  return memory->begin + memory->behind;
}

int64_t pl_dynamic_with(const pl_dynamic_memory *memory, int stages) {
  return pl_dynamic_block(memory) + (stages - 1) * memory->stride + PL_TOLD_APART;
}

static bool may_allow(const pl_dynamic_memory *memory) {
  for (size_t i = 0; i < memory->n; i++)
    if (!memory->launches[i].begin || !memory->launches[i].callee.end)
      return false;
  return true;
}

static bool speaks_against(launch_search *s, const pl_node *at, const char *why) {
  if (s->roles) {
    s->roles->why = (pl_str){why, strlen(why)};
    s->roles->at = at;
    return false;
  }
  s->loop->dynamic_why = (pl_str){why, strlen(why)};
  s->loop->dynamic_at = at;
  return false;
}

/* ---- the block ------------------------------------------------------------- */

static bool is_other_block(pl_node *node, const void *tile) {
  const pl_decl *decl = node->decl;
  return decl && decl->is_shared && decl->is_extern && !decl->is_apart && decl != tile;
}

/* Whether the kernel declares the block by itself, as one array. */
static bool is_own_block(const pl_loop *loop, const pl_decl *decl) {
  const pl_node *stmt = decl->node ? decl->node->parent : NULL;
  return decl->owner == loop->func && stmt && stmt->kind == PL_NODE_DECL_STMT &&
         stmt->nkids == 1 && stmt->parent &&
         stmt->parent->kind == PL_NODE_COMPOUND && !stmt->from_macro;
}

/* Whether a function that the kernel calls names a block of the file: what the text
 * calls its stages is known in the kernel. */
static bool is_named_below(const pl_loop *loop, const pl_decl *decl) {
  pl_func_list run = pl_functions_of(loop->unit, loop->func);
  for (size_t i = 0; i < run.n; i++)
    if (run.items[i]->body &&
        pl_written_func(run.items[i]) != pl_written_func(loop->func) &&
        pl_mentions(run.items[i]->body, decl))
      return true;
  return false;
}

/* The one tile of the loop that is a block of dynamic shared memory, declared in the
 * kernel or outside; NULL: there is none, or it has other names. */
static const pl_tile *block_of(launch_search *s) {
  pl_loop *loop = s->loop;
  const pl_tile *tile = NULL;
  for (size_t t = 0; t < loop->ntiles; t++)
    if (loop->tiles[t].dynamic && tile)
      return speaks_against(s, NULL, "it has several names"), NULL;
    else if (loop->tiles[t].dynamic)
      tile = &loop->tiles[t];
  if (!tile)
    return NULL;
  const pl_decl *decl = tile->decl;
  pl_func_list run = pl_functions_of(loop->unit, loop->func);
  for (size_t i = 0; i < run.n; i++)
    if (pl_node_find(run.items[i]->body, is_other_block, decl))
      return speaks_against(s, NULL, "it has several names"), NULL;
  bool own = is_own_block(loop, decl) || (!decl->owner && decl->in_main);
  if (!loop->func->is_global || !own || decl->from_macro || decl->ndims != 1 ||
      decl->dims[0] || decl->align_attr < 0)
    return speaks_against(s, decl->node,
                          "it is not declared as one array, by the kernel itself or "
                          "outside of functions"),
           NULL;
  if (!decl->owner && is_named_below(loop, decl))
    return speaks_against(s, decl->node, "a function that the kernel calls names it"),
           NULL;
  return tile;
}

/* Bytes of an element of the block, the same in all instantiations; 0: not known. */
static int64_t element_bytes(const pl_loop *loop, const pl_decl *block) {
  const pl_type *type = block->type ? block->type->element : NULL;
  return type && !type->in_text ? pl_type_size(type, loop->func, NULL) : 0;
}

/* ---- what names the kernel -------------------------------------------------- */

/* Behind the template arguments that follow a name, if any do. */
static uint32_t behind_arguments(const pl_unit *unit, uint32_t at) {
  int depth = 0;
  if (!pl_token_is(unit, at, "<"))
    return at;
  for (uint32_t i = at; i < unit->ntokens && !pl_token_is(unit, i, ";"); i++) {
    pl_str word = pl_token_text(unit, i);
    depth += pl_str_is(word, "<") ? 1 : pl_str_is(word, ">") ? -1
             : pl_str_is(word, ">>") ? -2 : pl_str_is(word, ">>>") ? -3 : 0;
    if (depth <= 0)
      return depth ? at : i + 1;
  }
  return at;
}

/* Whether a name stands in a declaration: behind __global__, in one statement. */
static bool is_declared(const pl_unit *unit, uint32_t at) {
  for (uint32_t i = at; i-- > 0;) {
    pl_str word = pl_token_text(unit, i);
    if (pl_str_is(word, "__global__"))
      return true;
    if (pl_str_is(word, ";") || pl_str_is(word, "{") || pl_str_is(word, "}") ||
        pl_str_is(word, "=") || unit->tokens[i].kind == PL_TOK_DIRECTIVE)
      return false;
  }
  return false;
}

/* The function that a name is an argument of, as a token; ntokens: of none. */
static uint32_t called_with(const pl_unit *unit, uint32_t at) {
  int depth = 0;
  for (uint32_t i = at; i-- > 0;) {
    pl_str word = pl_token_text(unit, i);
    if (pl_str_is(word, ";") || pl_str_is(word, "{") || pl_str_is(word, "}"))
      return unit->ntokens;
    depth += pl_str_is(word, ")") ? 1 : pl_str_is(word, "(") ? -1 : 0;
    if (depth < 0 && i && unit->tokens[i - 1].kind == PL_TOK_IDENT)
      return i - 1;
    depth = depth < 0 ? 0 : depth;
  }
  return unit->ntokens;
}

/* ---- launches ---------------------------------------------------------------- */

typedef struct value_walk {
  const pl_func *caller;
  int depth;
  bool settled;
} value_walk;

/* Whether all that an expression names has a value of its own, or keeps the one
 * that its declaration gives it. */
static bool look_at_value(pl_node *node, void *context) {
  value_walk *w = context;
  const pl_decl *decl = node->decl;
  if (node->kind == PL_NODE_CALL || node->kind == PL_NODE_LAMBDA ||
      node->kind == PL_NODE_ASSIGN || node->kind == PL_NODE_UNKNOWN)
    w->settled = false;
  if (node->kind == PL_NODE_SIZEOF)
    return false;
  if (node->kind != PL_NODE_REF || !decl || decl->has_value || !w->settled ||
      decl->kind == PL_DECL_TEMPLATE_VALUE)
    return w->settled;
  value_walk inner = {w->caller, w->depth + 1, true};
  w->settled = decl->owner == w->caller && w->depth < 8 && pl_only_value(decl);
  if (w->settled)
    pl_node_walk(decl->init, look_at_value, &inner);
  w->settled = w->settled && inner.settled;
  return w->settled;
}

/* What a launch in a function gives, -1: not known. */
static int64_t bytes_of(const pl_node *given, const pl_func *caller) {
  value_walk w = {caller, 0, true};
  int64_t bytes = -1;
  if (!given || !caller)
    return -1;
  pl_node_walk((pl_node *)given, look_at_value, &w);
  bool known = pl_host_number(given, caller, &bytes) ||
               (caller->pattern &&
                pl_node_eval(given, caller, &caller->instances[caller->own], &bytes));
  return known && w.settled ? bytes : -1;
}

static bool is_any_call(pl_node *node, const void *unused) {
  (void)unused;
  return node->kind == PL_NODE_CALL;
}

static bool does_more(pl_node *node, const void *unused) {
  (void)unused;
  return node->kind == PL_NODE_LAMBDA || node->kind == PL_NODE_CONSTRUCT ||
         node->kind == PL_NODE_UNKNOWN || node->kind == PL_NODE_ASSIGN ||
         pl_node_is_step(node);
}

/* Whether an expression of the host's does no more than to read: also where it calls a
 * function of the file that does not, `smem_bytes(cap)`. */
static bool is_pure(const launch_search *s, const pl_node *node,
                    const pl_func *caller) {
  pl_effects effects = {0};
  if (pl_node_find(node, does_more, NULL))
    return false;
  if (pl_node_find(node, is_any_call, NULL)) {
    if (!caller)
      return false;
    pl_effects_of(s->loop->effects, caller, (pl_node *)node, &effects);
  }
  for (size_t i = 0; i < effects.n; i++)
    if (effects.items[i].kind != PL_EFFECT_READ)
      return false;
  return true;
}

/* Adds what one launch gives to a place that others, in other instantiations, may
 * share. False: none, or what cannot be said twice. */
static bool add_bytes(launch_search *s, pl_launch_place *place, bool first,
                      const pl_node *expr, const pl_func *caller) {
  int64_t given = bytes_of(expr, caller);
  if (!expr || given == 0 || (given < 0 && !is_pure(s, expr, caller)))
    return false;
  s->memory->unknown |= given < 0;
  s->memory->varies |= given < 0 || (!first && given != place->bytes);
  s->memory->open |= given >= 0 && pl_has_open_value(s->loop, expr);
  place->bytes = first || given > place->bytes ? given : place->bytes;
  place->expr = expr->range;
  return true;
}

/* The launch at a token among those that the frontend has seen, NULL: none, or one
 * that cannot be edited. There are several of one place, in the instantiations of a
 * function. */
static const pl_launch_site *site_at(launch_search *s, uint32_t begin, uint32_t end,
                                     pl_launch_place *place) {
  const pl_launch_site *found = NULL;
  for (uint32_t i = 0; i < s->kernel->nlaunches; i++) {
    const pl_launch_site *site = &s->kernel->launches[i];
    if (site->range.begin > begin || site->range.end <= end)
      continue;
    if ((found && found->range.begin != site->range.begin) ||
        !add_bytes(s, place, !found, site->shared, site->caller))
      return NULL;
    found = site;
  }
  return found;
}

/* What is named twice where a layer is added to it, or `dim3(x, y)`. */
static bool is_pure_block(const launch_search *s, const pl_launch_site *site) {
  const pl_node *bare = pl_node_bare((pl_node *)site->block);
  bool dims = bare->kind == PL_NODE_CONSTRUCT && !site->block->from_macro &&
              pl_str_starts(pl_unit_slice(s->loop->unit, site->block->range), "dim3");
  if (!dims)
    return is_pure(s, site->block, site->caller);
  for (uint32_t i = 0; i < bare->nkids; i++)
    if (!is_pure(s, bare->kids[i], site->caller))
      return false;
  return true;
}

/* Whether the text of the bytes stands by itself: between two commas, say, or as what a
 * member is set to. */
static bool is_whole_argument(const pl_unit *unit, pl_range expr) {
  uint32_t first = pl_token_from(unit, expr.begin);
  uint32_t behind = pl_token_code(unit, pl_token_from(unit, expr.end));
  uint32_t before = first ? first - 1 : 0;
  while (before && unit->tokens[before].kind == PL_TOK_COMMENT)
    before--;
  return expr.end && first && unit->tokens[first].range.begin == expr.begin &&
         (pl_token_is(unit, before, ",") || pl_token_is(unit, before, "=")) &&
         (pl_token_is(unit, behind, ",") || pl_token_is(unit, behind, ">>>") ||
          pl_token_is(unit, behind, ")") || pl_token_is(unit, behind, ";") ||
          pl_token_is(unit, behind, "}"));
}

/* Whether the text names all arguments of the instantiation, so that it can be named
 * so in another place. */
static bool names_all(const launch_search *s, uint32_t from, uint32_t to) {
  uint32_t n = 0;
  int depth = 0;
  if (!s->kernel->is_template)
    return true;
  for (uint32_t i = from; i < to; i++) {
    pl_str word = pl_token_text(s->loop->unit, i);
    depth += pl_str_is(word, "(") || pl_str_is(word, "<")   ? 1
             : pl_str_is(word, ")") || pl_str_is(word, ">") ? -1
             : pl_str_is(word, ">>")                        ? -2 : 0;
    n += (depth == 1 && pl_str_is(word, ",")) || (i == from);
  }
  return n == s->kernel->ntemplate_params;
}

/* Whether a statement is all that a branch or a loop does, or stands behind a label. */
static bool is_alone(const pl_node *node) {
  const pl_node *up = node->parent;
  bool body = up && up->nkids && up->kids[up->nkids - 1] == node;
  switch (up ? up->kind : PL_NODE_UNKNOWN) {
  case PL_NODE_IF:
    return up->kids[0] != node;
  case PL_NODE_FOR:
  case PL_NODE_RANGE_FOR:
  case PL_NODE_WHILE:
  case PL_NODE_LABEL:
    return body;
  default:
    return false;
  }
}

/* Notes where something can be put in front of a launch, if it is a statement: a pragma
 * there would be about that. */
static void note_statement(const pl_unit *unit, const pl_node *node,
                           pl_launch_place *place) {
  uint32_t first = pl_token_from(unit, node->range.begin);
  const pl_node *up = node->parent;
  bool ordered = up && up->kind == PL_NODE_COMPOUND;
  if ((!ordered && !is_alone(node)) || node->from_macro || up->from_macro || !first ||
      unit->tokens[first - 1].kind == PL_TOK_DIRECTIVE)
    return;
  place->begin = node->range.begin;
  place->alone = !ordered;
}

static bool is_number(const pl_node *node) {
  const pl_type *type = pl_node_bare((pl_node *)node)->type;
  return type && (type->kind == PL_TYPE_INT || type->kind == PL_TYPE_ENUM);
}

/* Whether the dimensions that are known of a block are its own, in every build and for all
 * arguments of a template: it is a number, or made of numbers. */
static bool shows_dims(const pl_unit *unit, const pl_node *block) {
  const pl_node *node = pl_node_bare((pl_node *)block);
  if (is_number(node))
    return !pl_may_be_another_number(unit, node);
  if (node->kind == PL_NODE_REF && node->decl && node->decl->init)
    node = pl_node_bare(node->decl->init);
  if (node->kind != PL_NODE_CONSTRUCT && node->kind != PL_NODE_INIT_LIST)
    return false;
  for (uint32_t i = 0; i < node->nkids; i++)
    if (!is_number(node->kids[i]) || pl_may_be_another_number(unit, node->kids[i]))
      return false;
  return node->nkids > 0;
}

/* What keeps a second layer of threads from standing behind a launch's block; NULL:
 * nothing. */
static const char *lacks_layer(launch_search *s, const pl_launch_site *site) {
  if (site->threads < 1 || !site->block_dims[0] || !shows_dims(s->loop->unit, site->block))
    return "the block of a launch is not known to be a constant";
  if (site->block_dims[2] != 1)
    return "the block of a launch has several layers of threads, by z";
  if (site->threads % WARP)
    return "the block of a launch has no whole number of warps, so that threads of one "
           "warp would load and compute";
  if (2 * site->threads > MOST_THREADS)
    return "the block of a launch has more than 512 threads, and can have 1024";
  return is_pure_block(s, site)
             ? NULL
             : "the block of a launch cannot be said twice";
}

/* The block of a launch, in all instantiations. */
static bool add_block(launch_search *s, uint32_t at, uint32_t configuration) {
  const pl_unit *unit = s->loop->unit;
  const pl_launch_site *found = NULL;
  uint32_t begin = unit->tokens[at].range.begin;
  pl_node *where = PL_NEW(s->loop->arena, pl_node);
  *where = (pl_node){.range = unit->tokens[at].range};
  for (uint32_t i = 0; i < s->kernel->nlaunches; i++) {
    const pl_launch_site *site = &s->kernel->launches[i];
    if (site->range.begin > begin ||
        site->range.end <= unit->tokens[configuration].range.begin)
      continue;
    const char *lacks = lacks_layer(s, site);
    if (lacks || (found && found->range.begin != site->range.begin))
      return speaks_against(s, where, lacks ? lacks : "two launches stand in one place");
    s->roles->threads =
        site->threads > s->roles->threads ? site->threads : s->roles->threads;
    found = site;
  }
  if (!found || found->caller->is_device || found->caller->is_global ||
      !found->caller->in_main || !is_whole_argument(unit, found->block->range))
    return speaks_against(s, where, "the block of a launch cannot be edited, or no build "
                                    "has it");
  pl_launch_block block = {found->block->range, is_number(found->block)};
  PL_PUSH(s->loop->arena, s->roles->launches, s->roles->n, s->roles->cap, block);
  s->launched = true;
  return true;
}

static bool add_launch(launch_search *s, uint32_t at, uint32_t configuration) {
  const pl_unit *unit = s->loop->unit;
  if (s->roles)
    return add_block(s, at, configuration);
  pl_range name = unit->tokens[at].range;
  pl_launch_place place = {0};
  const pl_launch_site *site =
      site_at(s, name.begin, unit->tokens[configuration].range.begin, &place);
  pl_node *where = PL_NEW(s->loop->arena, pl_node);
  *where = (pl_node){.range = name};
  if (!site)
    return speaks_against(s, where, "a launch gives no bytes, or what cannot be said "
                                    "twice, or no build has it");
  if (site->caller->is_device || site->caller->is_global ||
      !site->caller->in_main || !is_whole_argument(unit, place.expr))
    return speaks_against(s, where, "the bytes of a launch cannot be edited");
  if (names_all(s, at + 1, configuration))
    place.callee = (pl_range){site->range.begin,
                              unit->tokens[configuration - 1].range.end};
  note_statement(unit, site->node, &place);
  PL_PUSH(s->loop->arena, s->memory->launches, s->memory->n, s->memory->cap,
          place);
  s->launched = true;
  return true;
}

/* ---- calls of the toolkit's ---------------------------------------------------- */

static bool is_call_at(pl_node *node, const void *begin) {
  return node->kind == PL_NODE_CALL && node->range.begin == *(const uint32_t *)begin;
}

/* What cudaFuncSetAttribute sets of a kernel's dynamic shared memory, in each
 * instantiation of the function that it stands in. */
static void note_limit(launch_search *s, uint32_t call) {
  const pl_unit *unit = s->loop->unit;
  int64_t usual = pl_loop_arch(s->loop)->smem_block_static;
  bool found = false;
  for (uint32_t i = call; i < unit->ntokens && !pl_token_is(unit, i, ";"); i++)
    if (pl_token_is(unit, i, "cudaFuncAttributePreferredSharedMemoryCarveout") ||
        pl_token_is(unit, i, "cudaFuncAttributeNonPortableClusterSizeAllowed"))
      return;
  for (uint32_t i = 0; i < unit->nfuncs; i++) {
    const pl_func *func = unit->funcs[i];
    if (!func->in_main || func->nbodies)
      continue;
    const pl_node *at =
        pl_node_find(func->body, is_call_at, &unit->tokens[call].range.begin);
    int64_t most = at && at->nkids > 3 ? bytes_of(at->kids[3], func) : -1;
    s->memory->limited |= at && most < usual;
    s->memory->raised |= at && (most < 0 || most > usual);
    found = found || at;
  }
  s->memory->limited |= !found;
  s->memory->raised |= !found;
}

/* Whether a token is an argument of what asks or says something of a kernel, whatever
 * bytes it is launched with. (Which size of blocks is best is not asked anew: the
 * program keeps the one that it has.) */
static bool is_question(launch_search *s, uint32_t at) {
  const pl_unit *unit = s->loop->unit;
  uint32_t call = called_with(unit, at);
  pl_str name = pl_token_text(unit, call);
  if (pl_str_is(name, "cudaFuncSetAttribute") && !s->roles)
    note_limit(s, call);
  return pl_str_is(name, "cudaFuncSetAttribute") ||
         pl_str_is(name, "cudaFuncSetCacheConfig") ||
         pl_str_is(name, "cudaFuncGetAttributes") ||
         pl_str_starts(name, "cudaOccupancyMaxPotentialBlockSize");
}

/* What launches a kernel, or asks how many blocks fit, with bytes among its
 * arguments, or in a configuration. */
static const struct {
  const char *name;
  uint32_t argument; /* from one: the callee is a call's first child; 0: a configuration */
  bool launches;
} calls[] = {{"cudaLaunchKernel", 5, true},
             {"cudaLaunchCooperativeKernel", 5, true},
             {"cudaLaunchKernelEx", 0, true},
             {"cudaLaunchKernelExC", 0, true},
             {"cudaOccupancyMaxActiveBlocksPerMultiprocessor", 4, false},
             {"cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags", 4, false},
             {"cudaOccupancyMaxActiveClusters", 0, false},
             {"cudaOccupancyMaxPotentialClusterSize", 0, false}};

/* The call at a token, in each instantiation of the function that it stands in: the
 * place of its bytes. False: it is not known everywhere, or cannot be edited. */
static bool find_bytes(launch_search *s, uint32_t call, uint32_t argument,
                       const pl_decl *held, pl_launch_place *place) {
  const pl_unit *unit = s->loop->unit;
  const pl_node *found = NULL;
  for (uint32_t i = 0; i < unit->nfuncs; i++) {
    const pl_func *func = unit->funcs[i];
    if (!func->in_main || func->nbodies || func->is_device || func->is_global)
      continue;
    const pl_node *at =
        pl_node_find(func->body, is_call_at, &unit->tokens[call].range.begin);
    if (!at)
      continue;
    const pl_node *bytes =
        !argument ? pl_configured_bytes(unit, s->kernel, held, func, at, &place->config)
        : at->nkids > argument ? at->kids[argument] : NULL;
    if (!add_bytes(s, place, !found, bytes, func) ||
        !is_whole_argument(unit, bytes->range))
      return false;
    found = at;
  }
  if (found)
    note_statement(unit, found, place);
  return found;
}

/* The first token of a name with its namespaces. */
static uint32_t with_scopes(const pl_unit *unit, uint32_t at) {
  while (at > 1 && pl_token_is(unit, at - 1, "::") &&
         unit->tokens[at - 2].kind == PL_TOK_IDENT)
    at -= 2;
  return at;
}

static bool is_there(const launch_search *s, const pl_launch_place *place) {
  for (size_t i = 0; i < s->memory->n; i++)
    if (s->memory->launches[i].expr.begin == place->expr.begin &&
        s->memory->launches[i].call == place->call)
      return true;
  return false;
}

/* Whether a name, the kernel's or that of a variable which holds it, is an argument of such
 * a call, and its bytes can be edited. */
static bool add_call(launch_search *s, uint32_t at, uint32_t behind, const pl_decl *held) {
  const pl_unit *unit = s->loop->unit;
  uint32_t call = called_with(unit, at);
  for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
    pl_launch_place place = {0};
    if (!pl_token_is(unit, call, calls[i].name))
      continue;
    place.call = call;
    if (!find_bytes(s, call, calls[i].argument, held, &place))
      return false;
    if (is_there(s, &place)) /* of another instantiation */
      return true;
    if (held || names_all(s, at + 1, behind))
      place.callee =
          (pl_range){unit->tokens[with_scopes(unit, at)].range.begin,
                     unit->tokens[behind - 1].range.end};
    PL_PUSH(s->loop->arena, s->memory->launches, s->memory->n, s->memory->cap,
            place);
    s->launched |= calls[i].launches;
    return true;
  }
  return false;
}

bool pl_is_named_besides(const pl_unit *unit, const pl_func *func, const pl_decl *decl,
                         size_t nnames) {
  pl_run run = pl_tokens_in(unit, func->body->range);
  size_t n = 0;
  for (uint32_t i = run.first; i < run.end; i++) {
    pl_str text = pl_token_text(unit, i);
    n += pl_str_eq(text, decl->name);
    if (unit->tokens[i].kind == PL_TOK_DIRECTIVE &&
        pl_text_says(unit->arena, text, decl->name))
      return true;
  }
  return n != nnames;
}

/* ---- variables that hold the kernel ------------------------------------------------ */

typedef struct holder_walk {
  launch_search *s;
  const pl_func *caller;

  const pl_decl *held; /* the variable */
  size_t nnames;       /* of it in the function */
  bool ok;
} holder_walk;

static bool is_holder(pl_node *node, const void *name) {
  return node->kind == PL_NODE_VAR && node->decl && node->decl->init &&
         pl_range_inside(*(const pl_range *)name, node->decl->init->range);
}

/* The place of some bytes that another instantiation of the function has noted; a new
 * one where none has. */
static pl_launch_place *place_of(launch_search *s, pl_range expr) {
  pl_launch_place fresh = {0};
  for (size_t i = 0; i < s->memory->n; i++)
    if (s->memory->launches[i].expr.begin == expr.begin)
      return &s->memory->launches[i];
  PL_PUSH(s->loop->arena, s->memory->launches, s->memory->n, s->memory->cap, fresh);
  return &s->memory->launches[s->memory->n - 1];
}

/* `kernel<<<grid, block, bytes>>>(...)` of a variable. */
static bool add_held_launch(holder_walk *w, const pl_node *launch, pl_range name) {
  const pl_unit *unit = w->s->loop->unit;
  const pl_node *bytes = launch->kids[3];
  if (!bytes || !is_whole_argument(unit, bytes->range))
    return false;
  pl_launch_place *place = place_of(w->s, bytes->range);
  bool first = !place->expr.end;
  place->callee = name;
  note_statement(unit, launch, place);
  w->s->launched = true;
  return add_bytes(w->s, place, first, bytes, w->caller);
}

static bool look_at_holder(pl_node *node, void *context) {
  holder_walk *w = context;
  const pl_unit *unit = w->s->loop->unit;
  w->nnames += node->kind == PL_NODE_VAR && node->decl == w->held;
  if (node->kind != PL_NODE_REF || node->decl != w->held)
    return w->ok;
  const pl_node *up = node->parent;
  uint32_t at = pl_token_from(unit, node->range.begin);
  w->nnames++;
  if (up && up->kind == PL_NODE_LAUNCH && up->kids[0] == node)
    w->ok = w->ok && add_held_launch(w, up, node->range);
  else
    w->ok = w->ok && (is_question(w->s, at) || add_call(w->s, at, at + 1, w->held));
  return w->ok;
}

/* `auto kernel = gemm<16>;`: a variable that is launched, and no more. */
static bool add_holder(launch_search *s, uint32_t at, uint32_t behind) {
  const pl_unit *unit = s->loop->unit;
  uint32_t before = with_scopes(unit, at) - 1;
  bool found = false;
  before -= pl_token_is(unit, before, "&");
  if (!pl_token_is(unit, before, "=") || !pl_token_is(unit, behind, ";"))
    return false;
  for (uint32_t i = 0; i < unit->nfuncs; i++) {
    const pl_func *func = unit->funcs[i];
    if (!func->in_main || func->nbodies || func->is_device || func->is_global)
      continue;
    const pl_node *var = pl_node_find(func->body, is_holder, &unit->tokens[at].range);
    if (!var)
      continue;
    holder_walk w = {.s = s, .caller = func, .held = var->decl, .ok = true};
    pl_node_walk(func->body, look_at_holder, &w);
    if (!w.ok || w.held->is_static || w.held->owner != func ||
        pl_assigned_anywhere(func->body, w.held) || pl_is_named_besides(unit, func, w.held, w.nnames))
      return false;
    found = true;
  }
  return found;
}

/* ---- the file ---------------------------------------------------------------- */

static bool is_overloaded(const launch_search *s, pl_str name) {
  const pl_unit *unit = s->loop->unit;
  for (uint32_t i = 0; i < unit->nfuncs; i++)
    if (pl_written_func(unit->funcs[i]) != s->kernel &&
        pl_str_eq(pl_before_angle(unit->funcs[i]->name), name))
      return true;
  return false;
}

/* Whether a place is on the GPU, in a function that launches nothing: what has the
 * kernel's name there is something else. */
static bool is_on_gpu(const pl_unit *unit, pl_range name) {
  for (uint32_t i = 0; i < unit->nfuncs; i++) {
    const pl_func *func = unit->funcs[i];
    if (!func->in_main || func->is_host || !(func->is_device || func->is_global) ||
        !pl_range_inside(name, func->body->range))
      continue;
    pl_str text = pl_unit_slice(unit, func->body->range);
    return !pl_str_has(text, "<<<") && !pl_str_has(text, "cudaLaunch");
  }
  return false;
}

/* Whether a place that names the kernel is one of those that are known. */
static bool look_at_name(launch_search *s, uint32_t at) {
  const pl_unit *unit = s->loop->unit;
  pl_range range = unit->tokens[at].range;
  uint32_t next = behind_arguments(unit, at + 1);
  if (pl_range_inside(range, s->kernel->name_range) || is_on_gpu(unit, range))
    return true;
  if (pl_token_is(unit, next, "<<<"))
    return add_launch(s, at, next);
  if (s->roles && s->kernel->launch_bounds && is_declared(unit, at)) {
    s->roles->why = PL_STR("the kernel has launch bounds and is declared apart from its "
                           "definition");
    return false;
  }
  if (is_declared(unit, at) || is_question(s, at) ||
      (!s->roles && (add_call(s, at, next, NULL) || add_holder(s, at, next))))
    return true;
  pl_node *where = PL_NEW(s->loop->arena, pl_node);
  *where = (pl_node){.range = range};
  return speaks_against(s, where,
                        s->roles ? "the kernel is named where it may be launched with a "
                                   "block that cannot be edited"
                                 : "the kernel is named where it may be launched with "
                                   "bytes that cannot be edited");
}

/* Whether each launch that the frontend has seen stands in the text by itself. */
static bool are_all_found(launch_search *s) {
  for (uint32_t i = 0; i < s->kernel->nlaunches; i++) {
    const pl_launch_site *site = &s->kernel->launches[i];
    bool found = false;
    for (size_t k = 0; s->roles && k < s->roles->n && site->block; k++)
      found = found || s->roles->launches[k].expr.begin == site->block->range.begin;
    for (size_t k = 0; s->memory && k < s->memory->n && site->shared; k++)
      found = found || s->memory->launches[k].expr.begin ==
                           site->shared->range.begin;
    if (!found)
      return speaks_against(s, site->node,
                            "a launch stands in a macro or in another file");
  }
  return s->launched ||
         speaks_against(s, NULL, "no launch of the kernel is in sight");
}

bool pl_is_handed_on(const pl_unit *unit, const pl_func *kernel) {
  pl_str name = pl_before_angle(kernel->name);
  for (uint32_t i = 0; i < unit->ntokens; i++) {
    pl_str text = pl_token_text(unit, i);
    bool named = unit->tokens[i].kind == PL_TOK_IDENT && pl_str_eq(text, name);
    if (named ? !is_declared(unit, i) &&
                    !pl_token_is(unit, behind_arguments(unit, i + 1), "<<<")
              : unit->tokens[i].kind == PL_TOK_DIRECTIVE &&
                    pl_text_says(unit->arena, text, name))
      return true;
  }
  return false;
}

static bool look_at_file(launch_search *s) {
  const pl_unit *unit = s->loop->unit;
  pl_str name = pl_before_angle(s->kernel->name);
  if (!name.n || is_overloaded(s, name))
    return speaks_against(s, NULL, "several kernels have one name");
  for (uint32_t i = 0; i < unit->ntokens; i++) {
    pl_str text = pl_token_text(unit, i);
    if (unit->tokens[i].kind == PL_TOK_DIRECTIVE &&
        pl_text_says(unit->arena, text, name))
      return speaks_against(s, NULL, "a macro names the kernel");
    if (unit->tokens[i].kind == PL_TOK_IDENT && pl_str_eq(text, name) &&
        !look_at_name(s, i))
      return false;
  }
  return are_all_found(s);
}

/* What the function accesses of the block by its own name, and by those of the tiles, is all
 * that the stages behind the first one hold: scratch stays where it is (carved.c). Of
 * instantiations that are not in sight that is not known. */
static void leave_out_the_rest(launch_search *s, const pl_decl *block, int64_t step) {
  pl_dynamic_memory *m = s->memory;
  const pl_func *func = s->loop->func;
  pl_block_parts parts;
  int64_t begin, end, all = m->behind;
  bool known = !func->is_template ||
               (func->pattern && func->pattern->is_all_in_sight && func->ninstances == 1);
  pl_arena *arena = known ? pl_arena_child(s->loop->arena) : NULL;
  if (known && pl_find_block_parts(&parts, s->loop, arena, block, true) &&
      pl_block_bytes_used(&parts, m->bytes, step, &begin, &end)) {
    m->begin = begin;
    m->stride = end - begin;
    m->behind = all - begin;
  }
  if (known)
    pl_arena_free(arena);
}

/* Rounded up, so that each stage begins where the block itself may; in one array of
 * stages, by whole elements. */
static void measure(launch_search *s, const pl_decl *block) {
  pl_dynamic_memory *m = s->memory;
  int64_t element = element_bytes(s->loop, block);
  m->align = block->align_attr > STAGE_ALIGN ? block->align_attr : STAGE_ALIGN;
  for (size_t i = 0; i < m->n; i++) {
    m->varies |= m->launches[i].bytes != m->launches[0].bytes;
    m->bytes = m->launches[i].bytes > m->bytes ? m->launches[i].bytes : m->bytes;
  }
  m->varies |= m->open || m->unknown || element < 1;
  if (m->unknown) /* no more than without the host's leave */
    m->bytes = pl_loop_arch(s->loop)->smem_block_static;
  int64_t step = m->align;
  while (!m->varies && step % element)
    step += m->align;
  m->stride = m->behind = (m->bytes + step - 1) / step * step;
  if (!m->varies)
    leave_out_the_rest(s, block, step);
}

bool pl_find_launch_blocks(pl_loop *loop, pl_roles *roles) {
  launch_search s = {.loop = loop, .kernel = pl_written_func(loop->func),
                     .roles = roles};
  roles->n = 0;
  roles->threads = 0;
  return look_at_file(&s);
}

void pl_find_dynamic(pl_loop *loop) {
  launch_search s = {.loop = loop, .kernel = pl_written_func(loop->func),
                     .memory = PL_NEW(loop->arena, pl_dynamic_memory)};
  loop->dynamic = NULL;
  loop->launches_at_fault = false;
  const pl_tile *tile = block_of(&s);
  if (!tile)
    return;
  if (look_at_file(&s)) {
    measure(&s, tile->decl);
    s.memory->may_allow = may_allow(s.memory);
    loop->dynamic = s.memory;
  } else {
    loop->launches_at_fault = true;
  }
  if (loop->dynamic && s.memory->unknown &&
      (s.memory->raised || !s.memory->may_allow)) {
    loop->dynamic = NULL;
    speaks_against(&s, NULL, "the run decides how much a launch gives, and the host may "
                             "allow more than 48 KiB, or there is no room for a "
                             "statement that does");
  } else if (loop->dynamic && s.memory->limited && !s.memory->may_allow) {
    loop->dynamic = NULL;
    speaks_against(&s, NULL, "the host limits it, and in front of a launch there is no "
                             "room for a statement that allows more");
  }
}

void pl_note_launches(pl_loop *loop, int stages) {
  pl_str name = pl_before_angle(pl_written_func(loop->func)->name);
  if (loop->dynamic_at)
    pl_loop_note(loop, loop->dynamic_at, "the kernel is named here");
  pl_loop_note(loop, NULL,
               "for %d stages a launch in this file that gives 'bytes' is made to give "
               "more: %.*s<<<grid, block, %d * ((bytes + %d) / %d * %d) + %d>>>",
               stages, PL_FMT(name), stages, STAGE_ALIGN - 1, STAGE_ALIGN,
               STAGE_ALIGN, PL_TOLD_APART);
  pl_loop_note(loop, NULL,
               "beyond 48 KiB in all, this is put in front of it: cudaFuncSetAttribute("
               "%.*s, cudaFuncAttributeMaxDynamicSharedMemorySize, those bytes)",
               PL_FMT(name));
}
