/* cfg_build.c - the control-flow graph of a body.
 *
 * Needs: the body's tree. Gives: its blocks, edges and jumps; numbers its nodes
 * (pl_node.place_in_cfg). Raises nothing. */
#include "cfg_parts.h"

/* Where the jumps of a loop or switch lead to; of what the model does not show,
 * anywhere in it. */
typedef struct frame {
  struct frame *outer;
  pl_node *node;
  uint32_t behind; /* for break */
  uint32_t next;   /* for continue; PL_NO_BLOCK: a switch's is that of a loop */
  bool is_switch, is_hidden;
  bool has_default;
  uint32_t choice; /* of a switch: the block that chooses */
} frame;

typedef struct edge {
  uint32_t from, to;
} edge;

typedef struct label {
  pl_str name;
  pl_node *node; /* NULL: not met so far */
  uint32_t block;
} label;

typedef struct builder {
  pl_cfg *cfg;
  frame *frame;
  uint32_t at; /* the block that is filled */
  edge *edges;
  size_t nedges, edges_cap;
  label *labels;
  size_t nlabels, labels_cap;
} builder;

static void visit(builder *b, pl_node *node);

/* ---- blocks and edges -------------------------------------------------------- */

static uint32_t add_place(builder *b, pl_node *node) {
  pl_cfg *cfg = b->cfg;
  uint32_t at = (uint32_t)cfg->nplaces;
  pl_cfg_place place = {node, at, at + 1, b->at};
  PL_PUSH(cfg->arena, cfg->places, cfg->nplaces, cfg->places_cap, place);
  cfg->blocks[b->at].end = at + 1;
  if (node)
    node->place_in_cfg = at + 1;
  return at;
}

static uint32_t new_block(builder *b) {
  pl_cfg *cfg = b->cfg;
  PL_PUSH(cfg->arena, cfg->blocks, cfg->nblocks, cfg->blocks_cap,
          ((pl_cfg_block){.begin = PL_NO_BLOCK}));
  return (uint32_t)cfg->nblocks - 1;
}

static void begin_block(builder *b, uint32_t block) {
  b->at = block;
  b->cfg->blocks[block].begin = (uint32_t)b->cfg->nplaces;
  add_place(b, NULL);
}

static void add_edge(builder *b, uint32_t from, uint32_t to) {
  PL_PUSH(b->cfg->arena, b->edges, b->nedges, b->edges_cap, ((edge){from, to}));
}

/* Goes on in another block. */
static void go_to(builder *b, uint32_t block) {
  add_edge(b, b->at, block);
  begin_block(b, block);
}

/* What follows a jump is reached by labels alone. */
static void jump_to(builder *b, uint32_t block) {
  add_edge(b, b->at, block);
}

static void visit_kids(builder *b, pl_node *node, uint32_t first, uint32_t end) {
  for (uint32_t i = first; i < end && i < node->nkids; i++)
    visit(b, node->kids[i]);
}

/* ---- branches ---------------------------------------------------------------- */

static pl_node *kid_of(const pl_node *node, uint32_t i) {
  return i < node->nkids ? node->kids[i] : NULL;
}

/* The condition has been asked: two arms, and what is behind them. */
static void add_arms(builder *b, pl_node *yes, pl_node *no) {
  uint32_t from = b->at, behind = new_block(b);
  go_to(b, new_block(b));
  visit(b, yes);
  add_edge(b, b->at, behind);
  b->at = from;
  if (no) {
    go_to(b, new_block(b));
    visit(b, no);
  }
  go_to(b, behind);
}

static void visit_choice(builder *b, pl_node *node) {
  visit(b, kid_of(node, 0));
  add_arms(b, kid_of(node, 1), kid_of(node, 2));
}

static bool is_shortcut(const pl_node *node) {
  return node->kind == PL_NODE_BINARY && node->nkids == 2 &&
         (node->op == PL_OP_LAND || node->op == PL_OP_LOR);
}

/* ---- loops ------------------------------------------------------------------- */

static void note_loop(builder *b, const pl_node *node, uint32_t head) {
  pl_cfg *cfg = b->cfg;
  PL_PUSH(cfg->arena, cfg->loops, cfg->nloops, cfg->loops_cap,
          ((pl_cfg_loop){node, head}));
}

/* In every build: what a macro says may be another number there. */
static bool always_holds(const pl_node *cond) {
  return !cond || (cond->kind == PL_NODE_INT && !cond->from_macro && cond->ival);
}

static void visit_body(builder *b, frame *own, pl_node *body) {
  own->outer = b->frame;
  b->frame = own;
  visit(b, body);
  b->frame = own->outer;
}

/* A loop that asks first: parts 0 to before `body` are its header's. */
static void visit_while(builder *b, pl_node *node, uint32_t first, uint32_t asked,
                        pl_node *body, pl_node *step) {
  uint32_t head = new_block(b), next = step ? new_block(b) : head;
  frame f = {.node = node, .behind = new_block(b), .next = next};
  go_to(b, head);
  note_loop(b, node, head);
  visit_kids(b, node, first, asked);
  if (asked != first + 1 || !always_holds(kid_of(node, first)) ||
      node->kind == PL_NODE_RANGE_FOR)
    add_edge(b, b->at, f.behind);
  go_to(b, new_block(b));
  visit_body(b, &f, body);
  if (step) {
    go_to(b, next);
    visit(b, step);
  }
  add_edge(b, b->at, head);
  begin_block(b, f.behind);
}

static void visit_do(builder *b, pl_node *node) {
  pl_node *cond = kid_of(node, 1);
  uint32_t head = new_block(b);
  frame f = {.node = node, .behind = new_block(b), .next = new_block(b)};
  go_to(b, head);
  note_loop(b, node, head);
  visit_body(b, &f, kid_of(node, 0));
  go_to(b, f.next);
  visit(b, cond);
  if (!cond || !cond->has_ival || cond->ival)
    add_edge(b, b->at, head);
  if (!always_holds(cond))
    add_edge(b, b->at, f.behind);
  begin_block(b, f.behind);
}

/* Over an array: its array, then an element and the body; else all but the body
 * may be done at any time. */
static void visit_range_for(builder *b, pl_node *node) {
  uint32_t last = node->nkids ? node->nkids - 1 : 0;
  if (pl_node_is_array_range(node)) {
    visit(b, node->kids[1]);
    visit_while(b, node, 0, 1, node->kids[2], NULL);
  } else {
    visit_while(b, node, 0, last, kid_of(node, last), NULL);
  }
}

/* ---- switches ---------------------------------------------------------------- */

static void visit_switch(builder *b, pl_node *node) {
  uint32_t last = node->nkids ? node->nkids - 1 : 0;
  visit_kids(b, node, 0, last);
  frame f = {.node = node, .behind = new_block(b), .next = PL_NO_BLOCK,
             .is_switch = true, .choice = b->at};
  begin_block(b, new_block(b));
  visit_body(b, &f, kid_of(node, last));
  if (!f.has_default)
    add_edge(b, f.choice, f.behind);
  go_to(b, f.behind);
}

static void visit_case(builder *b, pl_node *node) {
  frame *f = b->frame;
  while (f && !f->is_switch)
    f = f->outer;
  go_to(b, new_block(b));
  if (f) {
    add_edge(b, f->choice, b->at);
    f->has_default = f->has_default || !kid_of(node, 0);
  } else {
    b->cfg->unclear = true;
  }
}

/* ---- jumps ------------------------------------------------------------------- */

static label *label_of(builder *b, pl_str name) {
  for (size_t i = 0; i < b->nlabels; i++)
    if (pl_str_eq(b->labels[i].name, name))
      return &b->labels[i];
  PL_PUSH(b->cfg->arena, b->labels, b->nlabels, b->labels_cap,
          ((label){name, NULL, new_block(b)}));
  return &b->labels[b->nlabels - 1];
}

static void note_jump(builder *b, pl_node *node, pl_node *target) {
  pl_cfg *cfg = b->cfg;
  PL_PUSH(cfg->arena, cfg->jumps, cfg->njumps, cfg->jumps_cap,
          ((pl_cfg_jump){node, target}));
}

/* A break or continue; what the model does not show, and holds it, may be what it
 * belongs to. */
static void visit_jump(builder *b, pl_node *node) {
  const frame *f = b->frame;
  bool breaks = node->kind == PL_NODE_BREAK, hidden = false;
  while (f && (f->is_hidden || (!breaks && f->next == PL_NO_BLOCK))) {
    hidden = hidden || f->is_hidden;
    if (f->is_hidden)
      jump_to(b, f->next);
    f = f->outer;
  }
  b->cfg->unclear = b->cfg->unclear || hidden || !f;
  note_jump(b, node, f && !hidden ? f->node : NULL);
  if (f)
    jump_to(b, breaks ? f->behind : f->next);
}

static void visit_leap(builder *b, pl_node *node) {
  b->cfg->has_goto |= node->kind == PL_NODE_GOTO;
  if (node->kind == PL_NODE_GOTO)
    jump_to(b, label_of(b, node->name)->block);
  else if (node->kind == PL_NODE_RETURN)
    jump_to(b, b->cfg->exit);
  if (node->kind == PL_NODE_GOTO || node->kind == PL_NODE_RETURN)
    note_jump(b, node, NULL);
  else
    visit_jump(b, node);
  begin_block(b, new_block(b));
}

static void visit_label(builder *b, pl_node *node) {
  label *own = label_of(b, node->name);
  own->node = node;
  go_to(b, own->block);
}

/* Where the gotos lead. */
static void find_targets(builder *b) {
  pl_cfg *cfg = b->cfg;
  for (size_t i = 0; i < cfg->njumps; i++)
    if (cfg->jumps[i].node->kind == PL_NODE_GOTO)
      cfg->jumps[i].target = label_of(b, cfg->jumps[i].node->name)->node;
  for (size_t i = 0; i < b->nlabels; i++) {
    if (b->labels[i].node)
      continue;
    cfg->unclear = true;
    begin_block(b, b->labels[i].block);
    add_edge(b, b->at, cfg->exit);
  }
}

/* ---- nodes ------------------------------------------------------------------- */

/* What the model does not show: its parts may be done in any order, any number of
 * times, or not at all. */
static void visit_hidden(builder *b, pl_node *node) {
  uint32_t hub = new_block(b);
  frame f = {.node = node, .behind = hub, .next = hub, .is_hidden = true};
  go_to(b, hub);
  for (uint32_t i = 0; i < node->nkids; i++) {
    b->at = hub;
    go_to(b, new_block(b));
    visit_body(b, &f, node->kids[i]);
    add_edge(b, b->at, hub);
  }
  b->at = hub;
  go_to(b, new_block(b));
}

static void visit_unknown(builder *b, pl_node *node) {
  if (pl_str_is(node->name, "switch"))
    visit_switch(b, node);
  else if (pl_str_is(node->name, "while") && node->nkids)
    visit_while(b, node, 0, node->nkids - 1, node->kids[node->nkids - 1], NULL);
  else if (node->nkids)
    visit_hidden(b, node);
}

/* A lambda's body is not done here. */
static void visit_lambda(builder *b, pl_node *node) {
  for (uint32_t i = 0; i < node->nkids; i++)
    if (node->kids[i] && node->kids[i]->kind != PL_NODE_COMPOUND)
      visit(b, node->kids[i]);
    else
      b->cfg->has_goto |= pl_node_has(node->kids[i], PL_NODE_GOTO);
}

/* What a statement with parts does behind its begin. */
static void visit_parts(builder *b, pl_node *node) {
  switch (node->kind) {
  case PL_NODE_IF:
    visit_choice(b, node);
    break;
  case PL_NODE_FOR:
    visit(b, kid_of(node, 0));
    visit_while(b, node, 1, 2, kid_of(node, 3), kid_of(node, 2));
    break;
  case PL_NODE_RANGE_FOR:
    visit_range_for(b, node);
    break;
  case PL_NODE_WHILE:
    visit_while(b, node, 0, 1, kid_of(node, 1), NULL);
    break;
  case PL_NODE_DO:
    visit_do(b, node);
    break;
  case PL_NODE_SWITCH:
    visit_switch(b, node);
    break;
  case PL_NODE_UNKNOWN:
    visit_unknown(b, node);
    break;
  default:
    visit_kids(b, node, node->kind == PL_NODE_CASE, node->nkids);
  }
}

/* What an expression, or a statement without parts, evaluates before itself. */
static void visit_operands(builder *b, pl_node *node) {
  switch (node->kind) {
  case PL_NODE_SIZEOF:
  case PL_NODE_OTHER_DECL:
    break;
  case PL_NODE_LAMBDA:
    visit_lambda(b, node);
    break;
  case PL_NODE_COND:
    visit_choice(b, node);
    break;
  case PL_NODE_ASSIGN:
    visit(b, kid_of(node, 1));
    visit(b, kid_of(node, 0));
    break;
  default:
    visit(b, kid_of(node, 0));
    if (is_shortcut(node))
      add_arms(b, node->kids[1], NULL);
    else
      visit_kids(b, node, 1, node->nkids);
  }
}

static bool has_parts(const pl_node *node) {
  return pl_node_is_loop(node) || node->kind == PL_NODE_COMPOUND ||
         node->kind == PL_NODE_DECL_STMT || node->kind == PL_NODE_IF ||
         node->kind == PL_NODE_SWITCH || node->kind == PL_NODE_CASE ||
         node->kind == PL_NODE_LABEL || node->kind == PL_NODE_UNKNOWN;
}

static void visit(builder *b, pl_node *node) {
  if (!node)
    return;
  uint32_t first = (uint32_t)b->cfg->nplaces, at;
  if (node->kind == PL_NODE_LABEL)
    visit_label(b, node);
  else if (node->kind == PL_NODE_CASE)
    visit_case(b, node);
  if (has_parts(node)) {
    at = add_place(b, node);
    visit_parts(b, node);
  } else {
    visit_operands(b, node);
    at = add_place(b, node);
    if (node->kind == PL_NODE_RETURN || node->kind == PL_NODE_BREAK ||
        node->kind == PL_NODE_CONTINUE || node->kind == PL_NODE_GOTO)
      visit_leap(b, node);
  }
  b->cfg->places[at].first = first;
  b->cfg->places[at].end = (uint32_t)b->cfg->nplaces;
}

/* ---- the whole --------------------------------------------------------------- */

/* Sorts the edges by their begin, and by their end. */
static void sort_edges(builder *b) {
  pl_cfg *cfg = b->cfg;
  uint32_t nout = 0, nin = 0;
  for (size_t i = 0; i < b->nedges; i++) {
    cfg->blocks[b->edges[i].from].nout++;
    cfg->blocks[b->edges[i].to].nin++;
  }
  for (size_t i = 0; i < cfg->nblocks; i++) {
    cfg->blocks[i].first_out = nout;
    cfg->blocks[i].first_in = nin;
    nout += cfg->blocks[i].nout;
    nin += cfg->blocks[i].nin;
    cfg->blocks[i].nout = cfg->blocks[i].nin = 0;
  }
  cfg->out = PL_NEW_ARRAY(cfg->arena, uint32_t, nout + 1);
  cfg->in = PL_NEW_ARRAY(cfg->arena, uint32_t, nin + 1);
  for (size_t i = 0; i < b->nedges; i++) {
    pl_cfg_block *from = &cfg->blocks[b->edges[i].from];
    pl_cfg_block *to = &cfg->blocks[b->edges[i].to];
    cfg->out[from->first_out + from->nout++] = b->edges[i].to;
    cfg->in[to->first_in + to->nin++] = b->edges[i].from;
  }
}

pl_cfg *pl_cfg_build(pl_arena *arena, pl_node *body) {
  pl_cfg *cfg = PL_NEW(arena, pl_cfg);
  builder b = {.cfg = cfg};
  cfg->arena = arena;
  cfg->body = body;
  cfg->entry = new_block(&b);
  cfg->exit = new_block(&b);
  begin_block(&b, cfg->entry);
  visit(&b, body);
  go_to(&b, cfg->exit);
  find_targets(&b);
  sort_edges(&b);
  return cfg;
}
