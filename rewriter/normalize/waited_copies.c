/* waited_copies.c - asynchronous copies that are waited for at once, as plain ones.
 *
 * Needs: an attempt in which a loop is refused for its asynchronous copies, each of
 * which is waited for in the iteration that makes it (async_order.c). Gives: in the
 * place of a copy assignments of its elements, in that of a wait for the block a
 * barrier, and nothing in that of commits and acquisitions of the thread's own. Raises
 * nothing.
 *
 *     cg::memcpy_async(block, s, a + k, sizeof(float) * T);
 *     cg::wait(block);
 *
 * is
 *
 *     for (int e = block.thread_rank(); e < T; e += block.size())
 *         s[e] = (a + k)[e];
 *     block.sync();
 *
 * A copy may be made at any time between its issue and its wait, so also at its issue. A
 * barrier of the whole block orders more than a pipeline or barrier of the same threads.
 * Alignment is what the copy itself asks for: 4, 8 or 16 bytes of the primitives, what
 * aligned_size_t promises, else that of the elements. */
#include "async_operations.h"
#include "copies.h"
#include "expansions.h"

typedef struct rewriting {
  const pl_loop *loop; /* in a helper: the loop as if it were the helper's */
  const pl_put_func *funcs; /* helpers of plain copies */
  const pl_unit *unit;
  pl_arena *arena;
  const pl_async_use *use;
  pl_replacements own;
  pl_str name; /* that counts elements */
  bool fine;
} rewriting;

static pl_str text_of(const rewriting *w, const pl_node *node) {
  return pl_unit_slice(w->unit, node->range);
}

static bool is_spelt(const rewriting *w, const pl_node *node) {
  return pl_async_is_spelt(w->unit, node);
}

/* ---- places ---------------------------------------------------------------------- */

static bool is_simple(const pl_node *node) {
  return node->kind == PL_NODE_REF || node->kind == PL_NODE_INT ||
         node->kind == PL_NODE_PAREN || node->kind == PL_NODE_MEMBER ||
         node->kind == PL_NODE_SUBSCRIPT || node->kind == PL_NODE_CALL;
}

/* What is written ahead of an index into an array of rows: `&s[0][0]`, or its name. */
static pl_str first_cell(const rewriting *w, const pl_node *node) {
  const pl_type *type = pl_no_reference(node->type);
  const pl_type *rows = type && type->element ? type->element : NULL;
  bool deep = rows && rows->kind == PL_TYPE_ARRAY;
  pl_text out = {.arena = w->arena};
  if (!deep) {
    pl_text_printf(&out, is_simple(node) ? "%.*s" : "(%.*s)",
                   PL_FMT(text_of(w, node)));
    return pl_text_view(&out);
  }
  pl_text_printf(&out, is_simple(node) ? "(&%.*s[0]" : "(&(%.*s)[0]",
                 PL_FMT(text_of(w, node)));
  for (; rows && rows->kind == PL_TYPE_ARRAY; rows = rows->element)
    pl_text_printf(&out, "[0]");
  pl_text_printf(&out, ")");
  return pl_text_view(&out);
}

/* The cell `index` elements behind a pointer, empty: the one that it points to. A tile's
 * is named by the tile, where that is written: its indices do not wrap. */
static pl_str cell(const rewriting *w, const pl_node *pointer, pl_str index, bool tile) {
  const pl_node *bare = pl_node_bare((pl_node *)pointer);
  const pl_node *of = bare->kind == PL_NODE_UNARY && bare->op == PL_OP_ADDR
                          ? pl_node_bare(bare->kids[0])
                          : NULL;
  const pl_type *to = pl_no_reference(bare->type);
  bool flat = to && to->element && to->element->kind != PL_TYPE_ARRAY;
  if (of && is_spelt(w, of) && flat) {
    if (!index.n)
      return text_of(w, of);
    if (tile && of->kind == PL_NODE_SUBSCRIPT && is_simple(of->kids[0])) {
      pl_str base = text_of(w, of->kids[0]);
      if (pl_node_is_zero(of->kids[1]))
        return pl_arena_printf(w->arena, "%.*s[%.*s]", PL_FMT(base), PL_FMT(index));
      return pl_arena_printf(w->arena,
                             is_simple(of->kids[1]) ? "%.*s[%.*s + %.*s]"
                                                    : "%.*s[(%.*s) + %.*s]",
                             PL_FMT(base), PL_FMT(text_of(w, of->kids[1])),
                             PL_FMT(index));
    }
  }
  const pl_node *row = of && of->kind == PL_NODE_SUBSCRIPT && flat && index.n
                           ? pl_node_bare(of->kids[0])
                           : NULL;
  if (row && is_spelt(w, of) && row->kind == PL_NODE_REF)
    return pl_arena_printf(w->arena,
                           is_simple(of->kids[1]) ? "(%.*s + %.*s)[%.*s]"
                                                  : "(%.*s + (%.*s))[%.*s]",
                           PL_FMT(text_of(w, row)), PL_FMT(text_of(w, of->kids[1])),
                           PL_FMT(index));
  bool sum = flat && bare->kind == PL_NODE_BINARY && bare->op == PL_OP_ADD &&
             is_simple(bare->kids[0]) && bare->kids[0]->kind == PL_NODE_REF &&
             pl_no_reference(bare->kids[0]->type)->element;
  if (sum && (!index.n || tile))
    return pl_arena_printf(
        w->arena,
        !index.n                     ? "%.*s[%.*s]%.*s"
        : is_simple(bare->kids[1])   ? "%.*s[%.*s + %.*s]"
                                     : "%.*s[(%.*s) + %.*s]",
        PL_FMT(text_of(w, bare->kids[0])), PL_FMT(text_of(w, bare->kids[1])),
        PL_FMT(index));
  pl_str first = first_cell(w, bare);
  if (!index.n)
    return pl_arena_printf(w->arena, "*%.*s", PL_FMT(first));
  return pl_arena_printf(w->arena, "%.*s[%.*s]", PL_FMT(first), PL_FMT(index));
}

/* The same of words. */
static pl_str word_cell(const rewriting *w, const pl_node *pointer,
                        const pl_node *offset, const char *word, bool source,
                        pl_str index) {
  pl_text out = {.arena = w->arena};
  pl_text_printf(&out, "%sreinterpret_cast<%s%s *>(", index.n ? "" : "*",
                 source ? "const " : "", word);
  if (offset)
    pl_text_printf(&out, "reinterpret_cast<char *>(%.*s) + (%.*s))",
                   PL_FMT(text_of(w, pointer)), PL_FMT(text_of(w, offset)));
  else
    pl_text_printf(&out, "%.*s)", PL_FMT(text_of(w, pointer)));
  if (index.n)
    pl_text_printf(&out, "[%.*s]", PL_FMT(index));
  return pl_text_view(&out);
}

/* ---- statements --------------------------------------------------------------------- */

/* `to[e] = from[e];`, or zeros. */
static void add_assignment(const rewriting *w, pl_text *out, const pl_async_op *op,
                           const pl_async_pieces *p, pl_str index) {
  pl_str to = p->word ? word_cell(w, op->to, op->offset, p->word, false, index)
                      : cell(w, op->to, index, true);
  pl_str from = p->word ? word_cell(w, op->from, NULL, p->word, true, index)
                        : cell(w, op->from, index, false);
  if (!op->when) {
    pl_text_printf(out, "%.*s = %.*s;", PL_FMT(to), PL_FMT(from));
    return;
  }
  pl_str when = text_of(w, op->when);
  pl_text_printf(out, op->unless ? "if (!(%.*s)) %.*s = %.*s;" : "if (%.*s) %.*s = %.*s;",
                 PL_FMT(when), PL_FMT(to), PL_FMT(from));
  if (op->zeros)
    pl_text_printf(out, " else %.*s = %s;", PL_FMT(to), p->zero);
}

/* The assignments that a copy is. */
static pl_str copy_text(const rewriting *w, const pl_async_op *op) {
  pl_text out = {.arena = w->arena};
  pl_async_pieces p;
  if (pl_async_take_pieces(w->loop, op, &p))
    return PL_STR("");
  bool alone = op->by == PL_GROUP_THREAD;
  pl_str group = alone ? PL_STR("") : text_of(w, op->group), e = w->name;
  if (alone && p.count == 1) {
    add_assignment(w, &out, op, &p, PL_STR(""));
    return pl_text_view(&out);
  }
  if (p.one_each) {
    add_assignment(w, &out, op, &p,
                   pl_arena_printf(w->arena, "%.*s.thread_rank()", PL_FMT(group)));
    return pl_text_view(&out);
  }
  if (!p.counted.n)
    p.counted = PL_STR("1");
  if (alone)
    pl_text_printf(&out, "for (int %.*s = 0; %.*s < %.*s; ++%.*s) ", PL_FMT(e),
                   PL_FMT(e), PL_FMT(p.counted), PL_FMT(e));
  else
    pl_text_printf(&out,
                   "for (int %.*s = %.*s.thread_rank(); %.*s < %.*s; %.*s += "
                   "%.*s.size()) ",
                   PL_FMT(e), PL_FMT(group), PL_FMT(e), PL_FMT(p.counted), PL_FMT(e),
                   PL_FMT(group));
  if (p.limit.n)
    pl_text_printf(&out, "if (%.*s < %.*s) ", PL_FMT(e), PL_FMT(p.limit));
  add_assignment(w, &out, op, &p, e);
  return pl_text_view(&out);
}

static bool is_next_to_barrier(const pl_node *stmt) {
  const pl_node *block = stmt->parent;
  for (uint32_t i = 0; block && i < block->nkids; i++)
    if (block->kids[i] == stmt)
      return (i + 1 < block->nkids && block->kids[i + 1] &&
              pl_is_barrier(block->kids[i + 1])) ||
             (i > 0 && block->kids[i - 1] && pl_is_barrier(block->kids[i - 1]));
  return false;
}

/* What stands for an operation that is no copy; empty: nothing. */
static pl_str wait_text(const rewriting *w, const pl_async_op *op) {
  bool barrier = op->role == PL_ASYNC_WAIT || op->role == PL_ASYNC_WAIT_OLDEST ||
                 op->role == PL_ASYNC_ACQUIRE || op->role == PL_ASYNC_WAIT_TOKEN ||
                 op->role == PL_ASYNC_ARRIVE_AND_WAIT;
  bool group = op->keeper == PL_KEPT_BY_GROUP && op->by != PL_GROUP_THREAD;
  if (!barrier || (!group && !op->of_block))
    return PL_STR("");
  if ((op->by == PL_GROUP_BLOCK || op->of_block) && is_next_to_barrier(op->node))
    return PL_STR("");
  return group ? pl_arena_printf(w->arena, "%.*s.sync();", PL_FMT(text_of(w, op->group)))
               : PL_STR("__syncthreads();");
}

/* The range of a statement with its semicolon; false: none stands behind it. */
static bool whole_statement(const rewriting *w, const pl_node *node, pl_range *range) {
  pl_str text = w->unit->text;
  *range = node->range;
  if (range->end <= range->begin)
    return false;
  if (text.p[range->end - 1] == ';')
    return true;
  uint32_t at = range->end;
  while (at < text.n && (text.p[at] == ' ' || text.p[at] == '\n'))
    at++;
  range->end = at + 1;
  return at < text.n && text.p[at] == ';';
}

static void replace(rewriting *w, const pl_node *node, pl_str text) {
  pl_replacement one = {.text = text};
  bool listed = node->parent && node->parent->kind == PL_NODE_COMPOUND;
  if (!whole_statement(w, node, &one.range)) {
    w->fine = false;
    return;
  }
  if (!text.n && listed)
    one.range = pl_with_line(w->unit, one.range);
  else if (!text.n)
    one.text = PL_STR(";");
  else if (!listed)
    one.text = pl_arena_printf(w->arena, "{ %.*s }", PL_FMT(text));
  PL_PUSH(w->arena, w->own.items, w->own.n, w->own.cap, one);
}

/* ---- what nothing asks for any more ---------------------------------------------------- */

typedef struct ref_walk {
  const rewriting *of;
  const pl_decl *decl;
  bool used, left;
} ref_walk;

static bool find_ref(pl_node *node, void *context) {
  ref_walk *w = context;
  bool inside = false;
  if (node->kind != PL_NODE_REF || node->decl != w->decl)
    return true;
  for (size_t i = 0; i < w->of->use->n && !inside; i++)
    inside = pl_node_within(node, w->of->use->ops[i].node);
  w->used = true;
  w->left = w->left || !inside;
  return true;
}

/* A declaration of an address in shared memory that was made for copies alone. */
static bool find_address(pl_node *stmt, void *context) {
  rewriting *w = context;
  const pl_node *var = stmt->kind == PL_NODE_DECL_STMT && stmt->nkids == 1
                           ? stmt->kids[0]
                           : NULL;
  ref_walk walk = {w, var ? var->decl : NULL, false, false};
  if (!var || var->kind != PL_NODE_VAR || !var->decl || !is_spelt(w, stmt) ||
      !stmt->parent || stmt->parent->kind != PL_NODE_COMPOUND ||
      !var->nkids || !var->kids[0] ||
      !pl_async_makes_address(w->loop, var->kids[0]))
    return stmt->kind != PL_NODE_LAMBDA;
  pl_node_walk(w->loop->func->body, find_ref, &walk);
  if (walk.used && !walk.left)
    replace(w, stmt, PL_STR(""));
  return false;
}

/* ---- words ------------------------------------------------------------------------------- */

/* Whether the words of a part of a copy, from what a variable is made of, mean the same where
 * the copy is made: no parameter, declaration or directive says otherwise. */
static bool means_the_same(const rewriting *w, const pl_async_op *op, const pl_node *part) {
  if (!part || pl_range_inside(part->range, op->node->range))
    return true;
  pl_range between = {part->range.end, op->node->range.begin};
  for (uint32_t i = 0; op->helper && i < op->helper->nparams; i++)
    if (!pl_range_inside(part->range, op->helper->range) &&
        pl_count_words(w->unit, part->range, op->helper->params[i]->name))
      return false;
  pl_run run = pl_tokens_in(w->unit, between);
  for (uint32_t t = run.first; t < run.end; t++)
    if (w->unit->tokens[t].kind == PL_TOK_DIRECTIVE &&
        !pl_str_has(pl_token_text(w->unit, t), "pragma"))
      return false;
  return !pl_hidden_between(w->unit, w->loop->func->body, part->range, between);
}

/* ---- loops ------------------------------------------------------------------------------- */

static void replace_operation(rewriting *w, const pl_async_op *op) {
  bool copies = op->role == PL_ASYNC_COPY;
  pl_str text = copies ? copy_text(w, op) : wait_text(w, op);
  w->fine = w->fine && (text.n || !copies);
  const pl_node *parts[] = {op->to, op->from, op->offset, op->bytes, op->when, op->group};
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
    w->fine = w->fine && means_the_same(w, op, parts[i]);
  replace(w, op->node, text);
}

/* ---- functions that copy more than once --------------------------------------------- */

/* The text of a range with its parts replaced. */
static pl_str with_parts(rewriting *w, pl_range range, pl_replacements *parts) {
  pl_str text = {0};
  w->fine = pl_replaced_text(w->unit, w->arena, range, parts, &text) && w->fine;
  return text;
}

static pl_str plain_name(const rewriting *w, pl_str name) {
  return pl_name_not_taken(w->unit, w->arena,
                           pl_arena_printf(w->arena, "%.*s_plain", PL_FMT(name)));
}

/* A second text of a helper, with plain copies, under another name. */
static pl_str plain_helper(const rewriting *w, const pl_func *func, pl_str name,
                           bool *fine) {
  pl_loop own = *w->loop;
  rewriting inner = {.loop = &own, .unit = w->unit, .arena = w->arena, .use = w->use,
                     .name = w->name, .fine = true};
  own.func = (pl_func *)func;
  own.block = NULL;
  for (size_t i = 0; i < w->use->n; i++)
    if (w->use->ops[i].helper == func) {
      bool seen = false;
      for (size_t k = 0; k < i && !seen; k++)
        seen = w->use->ops[k].helper == func && w->use->ops[k].node == w->use->ops[i].node;
      if (!seen)
        replace_operation(&inner, &w->use->ops[i]);
    }
  pl_node_walk(func->body, find_address, &inner);
  pl_put(w->arena, &inner.own, func->name_range, name);
  bool words = func->name_range.end > func->name_range.begin && !func->from_macro &&
               pl_count_words(w->unit, func->range, func->name) == 1;
  pl_str text = with_parts(&inner, func->range, &inner.own);
  *fine = *fine && inner.fine && words;
  return text;
}

/* The name in a call, as it is written: `load` of `load<16>(...)`. */
static pl_range called_name(const rewriting *w, const pl_node *call) {
  pl_range range = call->kids[0] ? call->kids[0]->range : (pl_range){0, 0};
  pl_str name = call->decl->func->name;
  pl_str text = pl_unit_slice(w->unit, range);
  bool plain = text.n >= name.n && pl_str_eq((pl_str){text.p, name.n}, name);
  return plain ? (pl_range){range.begin, range.begin + (uint32_t)name.n}
               : (pl_range){0, 0};
}

static bool find_use_outside(pl_node *node, void *context) {
  ref_walk *w = context;
  w->left = w->left || (node->kind == PL_NODE_REF && node->decl == w->decl &&
                        !pl_node_within(node, w->of->loop->node));
  return !w->left;
}

/* A text that holds a function of a name, which is `once`, and says what stands in `of`, too. */
static void put_func(rewriting *w, pl_replacement one, pl_str name, pl_str once, pl_range of) {
  pl_put_func *put = PL_NEW(w->arena, pl_put_func);
  *put = (pl_put_func){one.text, name, w->funcs};
  w->funcs = put;
  pl_put_saying(w->arena, &w->own, one, once, of);
}

/* The statement that declares a lambda, with plain copies; and the one as it was, where
 * others than the loop call it. */
static void replace_lambda(rewriting *w, const pl_async_op *op) {
  const pl_node *object = pl_node_bare(op->call->kids[0]);
  while (object->kind == PL_NODE_MEMBER && object->nkids)
    object = pl_node_bare(object->kids[0]);
  const pl_decl *decl = object->kind == PL_NODE_REF ? object->decl : NULL;
  const pl_node *stmt = decl && decl->node ? decl->node->parent : NULL;
  ref_walk used = {w, decl, false, false};
  if (!stmt || stmt->kind != PL_NODE_DECL_STMT || stmt->nkids != 1 ||
      !pl_async_is_spelt(w->unit, stmt) || decl->from_macro ||
      pl_node_within(stmt, w->loop->node)) {
    w->fine = false;
    return;
  }
  pl_node_walk(w->loop->func->body, find_use_outside, &used);
  pl_str name = decl->name;
  if (used.left)
    name = plain_name(w, decl->name);
  rewriting inner = {.loop = w->loop, .unit = w->unit, .arena = w->arena, .use = w->use,
                     .name = w->name, .fine = true};
  for (size_t i = 0; i < w->use->n; i++)
    if (w->use->ops[i].helper == op->helper && w->use->ops[i].call == op->call)
      replace_operation(&inner, &w->use->ops[i]);
  pl_node_walk((pl_node *)stmt, find_address, &inner);
  if (used.left) {
    pl_put(w->arena, &inner.own, decl->name_range, name);
    pl_put(w->arena, &w->own, object->range, name);
  }
  pl_str text = with_parts(&inner, stmt->range, &inner.own), once = text;
  w->fine = w->fine && inner.fine;
  for (size_t i = 0; i < w->own.n; i++)
    if (w->own.items[i].range.begin == stmt->range.begin)
      return;
  if (used.left)
    text = pl_arena_printf(w->arena, "%.*s\n%.*s%.*s",
                           PL_FMT(pl_unit_slice(w->unit, stmt->range)),
                           PL_FMT(pl_indent_at(w->unit, stmt->range.begin)), PL_FMT(text));
  put_func(w, (pl_replacement){stmt->range, text}, name, once, (pl_range){0, 0});
}

/* Puts the second text behind the helper, once for all of its instantiations, and its
 * name into the call. */
static void replace_call(rewriting *w, const pl_async_op *op) {
  const pl_func *func = op->helper;
  pl_str name = plain_name(w, func->name);
  bool there = false;
  for (const pl_put_func *f = w->funcs; f; f = f->next)
    there = there || pl_str_eq(f->name, name);
  for (size_t i = 0; i < w->own.n; i++)
    if (w->own.items[i].range.begin == called_name(w, op->call).begin)
      return;
  w->fine = w->fine && called_name(w, op->call).end;
  pl_put(w->arena, &w->own, called_name(w, op->call), name);
  pl_str text = plain_helper(w, func, name, &w->fine);
  if (there)
    return;
  pl_replacement one = {{func->range.end - 1, func->range.end},
                        pl_arena_printf(w->arena, "}\n\n%.*s", PL_FMT(text))};
  put_func(w, one, name, text, func->range);
}

/* Whether the instantiations of a helper that the loop calls become one text. */
static bool helpers_agree(rewriting *w) {
  bool fine = true;
  for (size_t i = 0; i < w->use->n; i++)
    for (size_t k = 0; k < i; k++) {
      const pl_func *a = w->use->ops[i].helper, *b = w->use->ops[k].helper;
      if (a && b && a != b && !a->outer && !b->outer && a->range.begin == b->range.begin &&
          !pl_str_eq(plain_helper(w, a, PL_STR("x"), &fine),
                     plain_helper(w, b, PL_STR("x"), &fine)))
        return false;
    }
  return fine;
}

static bool rewrite_loop(const pl_loop *loop, pl_arena *arena, pl_replacements *out) {
  pl_async_use use;
  rewriting w = {.loop = loop, .unit = loop->unit, .arena = arena, .use = &use,
                 .name = pl_name_not_taken(loop->unit, arena, PL_STR("e")), .fine = true};
  pl_async_in_loop((pl_loop *)loop, &use);
  for (size_t i = 0; use.waited && i < use.n; i++) {
    const pl_async_op *op = &use.ops[i];
    bool first = !i || use.ops[i - 1].call != op->call;
    if (!op->helper)
      replace_operation(&w, op);
    else if (!first)
      continue;
    else if (pl_called_lambda(op->call))
      replace_lambda(&w, op);
    else
      replace_call(&w, op);
  }
  pl_node_walk(loop->body, find_address, &w);
  w.fine = w.fine && (!use.waited || helpers_agree(&w));
  *out = w.own;
  out->funcs = w.funcs;
  return use.waited && w.fine;
}

static bool same_text(const pl_replacements *a, const pl_replacements *b) {
  bool same = a->n == b->n;
  for (size_t i = 0; same && i < a->n; i++)
    same = a->items[i].range.begin == b->items[i].range.begin &&
           a->items[i].range.end == b->items[i].range.end &&
           pl_str_eq(a->items[i].text, b->items[i].text);
  return same;
}

static bool is_loop_at(pl_node *node, const void *context) {
  const pl_range *at = context;
  return node->range.begin == at->begin && node->range.end == at->end &&
         pl_node_is_loop(node);
}

/* The loop of the same text in another instantiation; false: there is none. */
static bool take_twin(const pl_loop *loop, pl_func *func, pl_loop *twin) {
  pl_node *found = pl_node_find(func->body, is_loop_at, &loop->node->range);
  *twin = *loop;
  twin->func = func;
  twin->node = found;
  twin->block = NULL;
  if (!found || found->kind != loop->node->kind)
    return false;
  bool counts = found->kind == PL_NODE_FOR, first = found->kind == PL_NODE_WHILE;
  twin->init = counts ? found->kids[0] : NULL;
  twin->cond = found->kids[first ? 0 : 1];
  twin->inc = counts ? found->kids[2] : NULL;
  twin->body = pl_node_loop_body(found);
  return twin->body != NULL;
}

/* Whether a template's loop is to be the same text in all its instantiations. */
static bool is_one_text(const pl_loop *loop, pl_arena *arena,
                        const pl_replacements *own) {
  for (uint32_t i = 0; loop->func->pattern && i < loop->unit->nfuncs; i++) {
    pl_func *func = loop->unit->funcs[i];
    pl_replacements theirs = {0};
    pl_loop twin;
    if (func->pattern == loop->func->pattern && func != loop->func && func->body &&
        (!take_twin(loop, func, &twin) || !rewrite_loop(&twin, arena, &theirs) ||
         !same_text(own, &theirs)))
      return false;
  }
  return true;
}

/* Whether a loop inside of another may be the one that is rewritten: it copies itself, or
 * nothing is said against it. */
static bool has_inner_loop(const pl_attempt *a, const pl_loop *loop) {
  for (size_t i = 0; i < a->loops.n; i++) {
    const pl_loop *other = a->loops.items[i];
    if (other != loop && other->node != loop->node &&
        pl_range_inside(other->node->range, loop->node->range) &&
        (!other->settled || other->verdict == PL_VERDICT_PIPELINED ||
         other->verdict == PL_VERDICT_KEPT || pl_is_refused_for(other, "PL2102") ||
         pl_is_refused_for(other, "PL2100")))
      return true;
  }
  return false;
}

void pl_copies_that_are_waited_for(const pl_attempt *a, const pl_loop *loop,
                                   pl_replacements *out) {
  pl_arena *arena = a->arena;
  pl_replacements own = {0};
  if (!pl_is_refused_for(loop, "PL2102") || !loop->body || has_inner_loop(a, loop) ||
      !rewrite_loop(loop, arena, &own) || !is_one_text(loop, arena, &own))
    return;
  pl_put_all(arena, out, &own);
  for (const pl_put_func *f = own.funcs; f; f = f->next) {
    pl_put_func *put = PL_NEW(arena, pl_put_func);
    *put = *f;
    put->next = out->funcs;
    out->funcs = put;
  }
  pl_changed_loop *waited = PL_NEW(arena, pl_changed_loop);
  *waited = (pl_changed_loop){loop->node->range, out->waited};
  out->waited = waited;
}
