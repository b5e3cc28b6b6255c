/* reaching_definitions.c - which definitions of a variable reach a place.
 *
 * Needs: the control-flow graph (cfg.h), what a node sets (sets.h). Gives: the
 * definitions that reach a use; whether a variable is set between two places, or
 * read behind a loop. Raises nothing.
 *
 * The uses and definitions of a body are events, in the order of evaluation. Those
 * that reach the begin of each block are the least fixed point over the blocks, as
 * sets of bits; at the function's begin each variable has a definition of its own,
 * which is what a parameter is handed and nothing that a local may be read as. */
#include "reaching_definitions.h"

#include "cfg_parts.h"
#include "sets.h"

typedef enum event_kind { EVENT_USE, EVENT_MAY_SET, EVENT_SETS } event_kind;

typedef struct event {
  pl_node *node; /* NULL: at the function's begin */
  uint32_t place;
  uint32_t var;
  event_kind kind;
  uint32_t before; /* the variable's definition before this one, from 1; 0: none */
} event;

typedef struct variable {
  pl_decl *decl;
  bool escapes;
  bool is_captured; /* a lambda names it, whose calls are no uses here */
  uint32_t last; /* of its definitions, from 1 */
} variable;

struct pl_definitions {
  pl_cfg *cfg;
  variable *vars; /* numbered by pl_decl.definitions, from 1 */
  size_t nvars, vars_cap;
  event *events;
  size_t nevents, events_cap;
  uint64_t **in;   /* of each block the definitions that reach it */
  size_t nwords;
  bool unseen;
};

typedef struct pl_definitions definitions;

/* ---- variables --------------------------------------------------------------- */

/* A record that is copied as it is, as float4. */
static bool is_plain_record(const pl_type *type) {
  return type->kind == PL_TYPE_RECORD && type->is_trivially_copyable &&
         !type->is_union && !type->begins_by_code && !type->runs_code &&
         !type->has_operators;
}

static bool is_followed(const pl_decl *decl) {
  const pl_type *type = decl ? decl->type : NULL;
  if (!type || decl->is_shared || decl->is_static || decl->is_volatile ||
      decl->is_extern || decl->in_parts || type->is_volatile ||
      (decl->kind != PL_DECL_VAR && decl->kind != PL_DECL_PARAM))
    return false;
  return pl_is_number_or_enum(type) || type->kind == PL_TYPE_POINTER ||
         is_plain_record(type);
}

static void add_variable(definitions *d, pl_decl *decl) {
  if (!is_followed(decl))
    return;
  PL_PUSH(d->cfg->arena, d->vars, d->nvars, d->vars_cap,
          ((variable){.decl = decl}));
  decl->definitions = (uint32_t)d->nvars;
}

/* The number of a variable, from 0; PL_NO_BLOCK: it is none of this body's. */
static uint32_t number_of(const definitions *d, const pl_decl *decl) {
  uint32_t at = decl ? decl->definitions : 0;
  return at && at <= d->nvars && d->vars[at - 1].decl == decl ? at - 1
                                                             : PL_NO_BLOCK;
}

static void find_variables(definitions *d, const pl_func *func) {
  const pl_cfg *cfg = d->cfg;
  for (uint32_t i = 0; i < func->nparams; i++)
    add_variable(d, func->params[i]);
  for (size_t i = 0; i < cfg->nplaces; i++)
    if (cfg->places[i].node && cfg->places[i].node->kind == PL_NODE_VAR)
      add_variable(d, cfg->places[i].node->decl);
}

/* ---- what escapes ------------------------------------------------------------ */

static void escape(pl_decl *decl, void *context) {
  definitions *d = context;
  uint32_t var = number_of(d, decl);
  if (var != PL_NO_BLOCK)
    d->vars[var].escapes = true;
}

/* The place that an assignment or step sets, by its own operator. */
static const pl_node *target_of(const pl_node *node) {
  bool plain = node->kind == PL_NODE_ASSIGN || pl_node_is_step(node);
  return plain && node->nkids && !(node->decl && node->decl->is_user)
             ? pl_node_bare(node->kids[0])
             : NULL;
}

/* `r` of `r.a.b`: the variable that a place is a part of; NULL: it is none. */
static const pl_node *base_of(const pl_node *place) {
  while (place && place->kind == PL_NODE_MEMBER && !place->is_arrow)
    place = place->nkids ? pl_node_bare(place->kids[0]) : NULL;
  return place && place->kind == PL_NODE_REF ? place : NULL;
}

/* Whether what is named by a part of a record goes on being known by another name,
 * or is set there: where it is but read or assigned to it is not. */
static bool part_escapes(const pl_node *part) {
  const pl_node *up = part->parent;
  const pl_type *type = up ? up->type : NULL;
  if (!up || !part->type || part->type->kind == PL_TYPE_ARRAY)
    return true;
  if (up->kind == PL_NODE_VAR)
    type = up->decl ? up->decl->type : NULL;
  for (uint32_t i = 1; up->kind == PL_NODE_CALL && i < up->nkids; i++)
    if (up->kids[i] == part)
      return pl_may_set_argument(up, i - 1);
  switch (up->kind) {
  case PL_NODE_VAR: case PL_NODE_CAST:
    return !type || type->kind == PL_TYPE_REFERENCE;
  case PL_NODE_UNARY:
    return up->op == PL_OP_ADDR || up->op == PL_OP_OTHER ||
           (up->decl && up->decl->is_user);
  case PL_NODE_BINARY: case PL_NODE_ASSIGN: case PL_NODE_SUBSCRIPT:
    return up->decl && up->decl->is_user;
  case PL_NODE_IF: case PL_NODE_INIT_LIST: case PL_NODE_RETURN:
  case PL_NODE_COMPOUND:
    return false;
  default:
    return true;
  }
}

static void find_part_escape(definitions *d, const pl_node *ref) {
  uint32_t var = number_of(d, ref->decl);
  const pl_node *at = ref;
  if (var == PL_NO_BLOCK || d->vars[var].decl->type->kind != PL_TYPE_RECORD)
    return;
  while (at->parent && (at->parent->kind == PL_NODE_PAREN ||
                        (at->parent->kind == PL_NODE_MEMBER &&
                         !at->parent->is_arrow)))
    at = at->parent;
  d->vars[var].escapes = d->vars[var].escapes || part_escapes(at);
}

static bool find_captured(pl_node *node, void *context) {
  definitions *d = context;
  uint32_t var = number_of(d, node->decl);
  if (var != PL_NO_BLOCK)
    d->vars[var].is_captured = true;
  return true;
}

static bool find_escapes(pl_node *node, void *context) {
  definitions *d = context;
  const pl_node *target = target_of(node);
  bool sets = base_of(target) || node->kind == PL_NODE_ASM;
  if (!sets && !pl_each_set(node, escape, d))
    d->unseen = true;
  if (node->kind == PL_NODE_REF)
    find_part_escape(d, node);
  if (node->kind == PL_NODE_LAMBDA)
    pl_node_walk(node, find_captured, d);
  return true;
}

/* ---- events ------------------------------------------------------------------ */

static void add_event(definitions *d, pl_node *node, uint32_t place,
                      const pl_decl *decl, event_kind kind) {
  event e = {node, place, number_of(d, decl), kind, 0};
  if (e.var == PL_NO_BLOCK)
    return;
  PL_PUSH(d->cfg->arena, d->events, d->nevents, d->events_cap, e);
  if (kind == EVENT_USE)
    return;
  d->events[d->nevents - 1].before = d->vars[e.var].last;
  d->vars[e.var].last = (uint32_t)d->nevents;
}

typedef struct output_walk {
  definitions *d;
  pl_node *node;
  uint32_t place;
} output_walk;

static void add_output(pl_decl *decl, void *context) {
  const output_walk *w = context;
  add_event(w->d, w->node, w->place, decl, EVENT_MAY_SET);
}

/* `x` of `x = v`, which does not read it. */
static bool is_only_set(const pl_node *ref) {
  const pl_node *at = ref;
  while (at->parent && at->parent->kind == PL_NODE_PAREN)
    at = at->parent;
  const pl_node *up = at->parent;
  return up && up->kind == PL_NODE_ASSIGN && up->op == PL_OP_ASSIGN &&
         up->kids[0] == at && target_of(up) == ref;
}

static void add_events_of(definitions *d, pl_node *node, uint32_t place) {
  const pl_node *target = target_of(node);
  output_walk w = {d, node, place};
  if (node->kind == PL_NODE_VAR)
    add_event(d, node, place, node->decl, EVENT_SETS);
  else if (node->kind == PL_NODE_REF && !is_only_set(node))
    add_event(d, node, place, node->decl, EVENT_USE);
  else if (node->kind == PL_NODE_ASM)
    pl_each_set(node, add_output, &w);
  else if (base_of(target))
    add_event(d, node, place, base_of(target)->decl,
              target->kind == PL_NODE_REF ? EVENT_SETS : EVENT_MAY_SET);
}

static void find_events(definitions *d) {
  const pl_cfg *cfg = d->cfg;
  for (size_t i = 0; i < d->nvars; i++)
    add_event(d, NULL, 0, d->vars[i].decl, EVENT_SETS);
  for (size_t i = 0; i < cfg->nplaces; i++)
    if (cfg->places[i].node)
      add_events_of(d, cfg->places[i].node, (uint32_t)i);
}

/* The events from a place on; nevents: none. */
static uint32_t events_from(const definitions *d, uint32_t place) {
  uint32_t low = 0, high = (uint32_t)d->nevents;
  while (low < high) {
    uint32_t mid = (low + high) / 2;
    if (d->events[mid].place < place)
      low = mid + 1;
    else
      high = mid;
  }
  return low;
}

/* ---- the fixed point --------------------------------------------------------- */

static void set_bit(uint64_t *bits, uint32_t at) {
  bits[at / 64] |= (uint64_t)1 << at % 64;
}

static bool has_bit(const uint64_t *bits, uint32_t at) {
  return bits[at / 64] >> at % 64 & 1;
}

/* What reaches behind an event. */
static void pass_event(const definitions *d, uint32_t at, uint64_t *bits) {
  const event *e = &d->events[at];
  if (e->kind == EVENT_USE)
    return;
  for (uint32_t i = e->kind == EVENT_SETS ? d->vars[e->var].last : 0; i;
       i = d->events[i - 1].before)
    bits[(i - 1) / 64] &= ~((uint64_t)1 << (i - 1) % 64);
  set_bit(bits, at);
}

static void pass_events(const definitions *d, uint32_t block, uint32_t end,
                        uint64_t *bits) {
  for (uint32_t i = events_from(d, d->cfg->blocks[block].begin);
       i < d->nevents && d->events[i].place < end; i++)
    pass_event(d, i, bits);
}

/* Adds what leaves a block to those behind it; true where that is more. */
static bool pass_block(definitions *d, uint32_t block, uint64_t *bits) {
  const pl_cfg_block *b = &d->cfg->blocks[block];
  bool more = false;
  for (size_t i = 0; i < d->nwords; i++)
    bits[i] = d->in[block][i];
  pass_events(d, block, b->end, bits);
  for (uint32_t n = 0; n < b->nout; n++)
    for (size_t i = 0; i < d->nwords; i++) {
      uint64_t *to = &d->in[d->cfg->out[b->first_out + n]][i];
      more = more || (bits[i] & ~*to);
      *to |= bits[i];
    }
  return more;
}

static void find_reaching(definitions *d) {
  pl_cfg *cfg = d->cfg;
  d->nwords = d->nevents / 64 + 1;
  uint64_t *bits = PL_NEW_ARRAY(cfg->arena, uint64_t, d->nwords);
  uint32_t *blocks = PL_NEW_ARRAY(cfg->arena, uint32_t, cfg->nblocks);
  uint32_t n = 0;
  d->in = PL_NEW_ARRAY(cfg->arena, uint64_t *, cfg->nblocks);
  pl_cfg_find_dominators(cfg);
  for (size_t i = 0; i < cfg->nblocks; i++) {
    d->in[i] = PL_NEW_ARRAY(cfg->arena, uint64_t, d->nwords);
    if (cfg->blocks[i].order[0] != PL_NO_BLOCK) {
      blocks[cfg->blocks[i].order[0]] = (uint32_t)i;
      n++;
    }
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t i = 0; i < n; i++)
      changed = pass_block(d, blocks[i], bits) || changed;
  }
}

/* The definitions of a body, once. NULL: where control goes is not known. */
static definitions *definitions_around(const pl_node *node) {
  pl_cfg *cfg = (pl_cfg *)pl_cfg_around(node);
  if (!cfg || cfg->unclear || cfg->definitions)
    return cfg && !cfg->unclear ? cfg->definitions : NULL;
  definitions *d = cfg->definitions = PL_NEW(cfg->arena, definitions);
  d->cfg = cfg;
  find_variables(d, cfg->body->func);
  pl_node_walk(cfg->body, find_escapes, d);
  find_events(d);
  find_reaching(d);
  return d;
}

/* A variable of a body and one of its places; false: nothing is known. */
typedef struct query {
  definitions *d;
  uint32_t var;
  const pl_cfg_place *at;
} query;

static bool look_up(const pl_decl *decl, const pl_node *node, query *q) {
  q->d = node ? definitions_around(node) : NULL;
  if (!q->d || q->d->unseen)
    return false;
  q->var = number_of(q->d, decl);
  q->at = pl_cfg_place_of(q->d->cfg, node);
  return q->var != PL_NO_BLOCK && q->at && !q->d->vars[q->var].escapes;
}

/* ... whose uses are those that are seen, too. */
static bool look_up_uses(const pl_decl *decl, const pl_node *node, query *q) {
  return look_up(decl, node, q) && !q->d->vars[q->var].is_captured;
}

/* ---- definitions that reach a use -------------------------------------------- */

/* All definitions of a variable from outside the lambdas that a use stands in. */
static bool each_outside(const pl_node *ref, pl_visit *visit, void *context) {
  query q = {.d = definitions_around(ref)};
  const pl_node *lambda = ref;
  do {
    lambda = q.d && number_of(q.d, ref->decl) == PL_NO_BLOCK ? q.d->cfg->body->parent
                                                             : NULL;
    if (!lambda)
      return false;
  } while (!look_up(ref->decl, lambda, &q));
  for (uint32_t i = q.d->vars[q.var].last; i; i = q.d->events[i - 1].before)
    if ((q.d->events[i - 1].node || ref->decl->kind == PL_DECL_PARAM) &&
        !visit(q.d->events[i - 1].node, context))
      break;
  return true;
}

/* Whether an event is ahead of a place in its block. */
static bool is_ahead(const query *q, uint32_t at) {
  const pl_cfg *cfg = q->d->cfg;
  uint32_t place = q->d->events[at].place;
  return place >= cfg->blocks[q->at->block].begin && &cfg->places[place] < q->at;
}

bool pl_each_definition(const pl_node *ref, pl_visit *visit, void *context) {
  query q;
  if (ref->kind != PL_NODE_REF)
    return false;
  if (!look_up(ref->decl, ref, &q))
    return each_outside(ref, visit, context);
  if (q.d->cfg->blocks[q.at->block].order[0] == PL_NO_BLOCK)
    return false;
  bool more = true, open = true; /* open: no definition of the block hides others */
  for (uint32_t i = q.d->vars[q.var].last; i && more && open;
       i = q.d->events[i - 1].before)
    if (is_ahead(&q, i - 1)) {
      open = q.d->events[i - 1].kind != EVENT_SETS;
      more = visit(q.d->events[i - 1].node, context);
    }
  for (uint32_t i = q.d->vars[q.var].last; i && more && open;
       i = q.d->events[i - 1].before)
    if (has_bit(q.d->in[q.at->block], i - 1) && !is_ahead(&q, i - 1))
      more = visit(q.d->events[i - 1].node, context);
  return true;
}

typedef struct one_definition {
  pl_node *node;
  size_t n;
} one_definition;

static bool take_definition(pl_node *node, void *context) {
  one_definition *one = context;
  one->node = node;
  return ++one->n < 2;
}

bool pl_is_as_handed(const pl_node *ref) {
  one_definition one = {NULL, 0};
  return ref->decl && ref->decl->kind == PL_DECL_PARAM &&
         pl_each_definition(ref, take_definition, &one) && one.n == 1 && !one.node;
}

pl_node *pl_reaching_initialiser(const pl_node *ref) {
  one_definition one = {NULL, 0};
  if (!pl_each_definition(ref, take_definition, &one) || one.n != 1 || !one.node)
    return NULL;
  return one.node->kind == PL_NODE_VAR ? one.node->decl->init : NULL;
}

/* ---- paths ------------------------------------------------------------------- */

static bool is_set_in(const query *q, uint32_t begin, uint32_t end) {
  for (uint32_t i = events_from(q->d, begin);
       i < q->d->nevents && q->d->events[i].place < end; i++)
    if (q->d->events[i].var == q->var && q->d->events[i].node &&
        q->d->events[i].kind != EVENT_USE)
      return true;
  return false;
}

/* The blocks that a path comes to, and whether it has set the variable before. */
typedef struct path_walk {
  const query *q;
  uint32_t from, to; /* places: the path ends at `from` */
  uint32_t start;    /* behind the declaration of the variable itself */
  pl_cfg_set *sets[2]; /* [1]: it has */
  bool found; /* `to`, with the variable set */
} path_walk;

/* Goes from a block's begin, or at first from the place, to its end. */
static void follow(path_walk *w, uint32_t block, bool first, bool set) {
  const pl_cfg *cfg = w->q->d->cfg;
  const pl_cfg_block *b = &cfg->blocks[block];
  uint32_t begin = first ? w->start : b->begin;
  bool ends = !first && w->from >= begin && w->from < b->end;
  uint32_t end = ends ? w->from : b->end;
  if (w->to >= begin && w->to < end)
    w->found = w->found || set || is_set_in(w->q, begin, w->to);
  set = set || is_set_in(w->q, begin, end);
  for (uint32_t i = 0; i < b->nout && !ends; i++)
    pl_cfg_add(w->sets[set], cfg->out[b->first_out + i]);
}

pl_answer pl_is_set_between(const pl_decl *decl, const pl_node *from,
                            const pl_node *to) {
  query a, b;
  if (!look_up(decl, from, &a) || !look_up(decl, to, &b) || a.d != b.d)
    return PL_UNKNOWN;
  pl_cfg *cfg = a.d->cfg;
  bool declares = from->kind == PL_NODE_VAR && from->decl == decl;
  path_walk w = {.q = &a, .from = a.at->first,
                 .start = declares ? a.at->end : a.at->first,
                 .to = (uint32_t)(b.at - cfg->places)};
  for (int i = 0; i < 2; i++)
    w.sets[i] = pl_cfg_empty_set(cfg, i);
  follow(&w, a.at->block, true, false);
  while ((w.sets[0]->n || w.sets[1]->n) && !w.found) {
    bool set = !w.sets[0]->n;
    follow(&w, w.sets[set]->todo[--w.sets[set]->n], false, set);
  }
  return w.found ? PL_YES : PL_NO;
}

/* ---- first uses -------------------------------------------------------------- */

/* The search for what is done to a variable first, inside of a run of places. */
typedef struct use_walk {
  const query *q;
  uint32_t begin, end;
  pl_cfg_set *set;
  const pl_decl *named; /* by its names alone; NULL: by the variable's events */
  bool reads, leaves;
} use_walk;

/* The first event of a variable in a run of places; NULL: none. An output of
 * assembly may be an input, too. */
static const event *first_event(const query *q, uint32_t begin, uint32_t end) {
  for (uint32_t i = events_from(q->d, begin);
       i < q->d->nevents && q->d->events[i].place < end; i++)
    if (q->d->events[i].var == q->var && q->d->events[i].node)
      return &q->d->events[i];
  return NULL;
}

static bool is_name(pl_node *node, const void *decl) {
  return node->kind == PL_NODE_REF && node->decl == decl;
}

/* What a node does by a name that it has; false: nothing. */
static bool does_by_name(pl_node *node, const pl_decl *decl, event_kind *kind) {
  const pl_node *base = base_of(target_of(node));
  bool sets = base && base->decl == decl;
  bool whole = sets ? target_of(node)->kind == PL_NODE_REF
                    : node->kind == PL_NODE_VAR && node->decl == decl;
  bool uses = node->kind == PL_NODE_ASM || node->kind == PL_NODE_LAMBDA
                  ? pl_node_find(node, is_name, decl) != NULL
                  : is_name(node, decl) && !is_only_set(node);
  *kind = whole ? EVENT_SETS : sets ? EVENT_MAY_SET : EVENT_USE;
  return whole || sets || uses;
}

/* Whether something is done to the variable in a run of places, and what first. */
static bool find_first(const use_walk *w, uint32_t begin, uint32_t end, event_kind *kind) {
  const pl_cfg *cfg = w->q->d->cfg;
  if (!w->named) {
    const event *first = first_event(w->q, begin, end);
    *kind = first ? first->kind : EVENT_USE;
    return first != NULL;
  }
  for (uint32_t i = begin; i < end; i++)
    if (cfg->places[i].node && does_by_name(cfg->places[i].node, w->named, kind))
      return true;
  return false;
}

static void look_from(use_walk *w, uint32_t block, uint32_t begin) {
  const pl_cfg *cfg = w->q->d->cfg;
  const pl_cfg_block *b = &cfg->blocks[block];
  uint32_t end = b->end < w->end ? b->end : w->end;
  event_kind first;
  bool found = find_first(w, begin, end, &first);
  w->reads = w->reads || (found && first != EVENT_SETS);
  if (found)
    return;
  w->leaves = w->leaves || b->end > w->end || block == cfg->exit;
  for (uint32_t i = 0; i < b->nout && b->end <= w->end; i++) {
    uint32_t to = cfg->out[b->first_out + i];
    if (cfg->blocks[to].begin < w->begin || cfg->blocks[to].begin >= w->end)
      w->leaves = true;
    else
      pl_cfg_add(w->set, to);
  }
}

static void find_first_use(use_walk *w, uint32_t block, uint32_t begin) {
  pl_cfg *cfg = w->q->d->cfg;
  w->set = pl_cfg_empty_set(cfg, 0);
  look_from(w, block, begin);
  while (w->set->n && !w->reads) {
    uint32_t next = w->set->todo[--w->set->n];
    look_from(w, next, cfg->blocks[next].begin);
  }
}

pl_answer pl_is_live_behind(const pl_decl *decl, const pl_node *loop) {
  query q;
  if (!look_up_uses(decl, loop, &q))
    return PL_UNKNOWN;
  const pl_cfg *cfg = q.d->cfg;
  use_walk w = {.q = &q, .end = (uint32_t)cfg->nplaces};
  uint32_t behind = cfg->places[q.at->end - 1].block;
  find_first_use(&w, behind, cfg->blocks[behind].begin);
  return w.reads ? PL_YES : PL_NO;
}

pl_answer pl_is_live_around(const pl_decl *decl, const pl_node *loop) {
  query q;
  uint32_t head = pl_cfg_head_of(pl_cfg_around(loop), loop);
  if (!look_up_uses(decl, loop, &q) || head == PL_NO_BLOCK)
    return PL_UNKNOWN;
  use_walk w = {.q = &q, .end = (uint32_t)q.d->cfg->nplaces};
  find_first_use(&w, head, q.d->cfg->blocks[head].begin);
  return w.reads ? PL_YES : PL_NO;
}

pl_first_use pl_first_use_by_name(const pl_node *text, const pl_decl *decl) {
  query q = {.d = definitions_around(text)};
  q.at = q.d ? pl_cfg_place_of(q.d->cfg, text) : NULL;
  if (!q.at || !is_followed(decl))
    return PL_READS;
  use_walk w = {.q = &q, .begin = q.at->first, .end = q.at->end, .named = decl};
  find_first_use(&w, q.d->cfg->places[w.begin].block, w.begin);
  return w.reads ? PL_READS : w.leaves ? PL_NO_USE : PL_SETS;
}

pl_first_use pl_first_use_in(const pl_node *text, const pl_decl *decl) {
  query q;
  if (!look_up_uses(decl, text, &q))
    return PL_READS;
  use_walk w = {.q = &q, .begin = q.at->first, .end = q.at->end};
  find_first_use(&w, q.d->cfg->places[w.begin].block, w.begin);
  return w.reads ? PL_READS : w.leaves ? PL_NO_USE : PL_SETS;
}
