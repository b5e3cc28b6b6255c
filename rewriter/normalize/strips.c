/* strips.c - a loop over single elements that refills a tile now and then, strip-mined.
 *
 * Needs: an attempt in which a loop is refused whose fills stand under a branch of its
 * counter. Gives: a loop over tiles, around one over the elements of a tile. Raises
 * nothing.
 *
 *     for (int j = 0; j < n; ++j) {          for (int j_first = 0; j_first < n; ...) {
 *         int k = j % B;                         barrier; fill(j_first); barrier;
 *         if (k == 0) {                          for (int j_in = 0; j_in < B &&
 *             barrier; fill(j); barrier;                   j_first + j_in < n; ++j_in) {
 *         }                                          int k = j_in;
 *         use(k);                                    use(k);
 *     }                                          }
 *                                            }
 *
 * What names j beside its place in the tile has it as `int j = j_first + j_in;`. The place
 * as a counter of its own lets the compiler unroll what indexes by it.
 *
 * The step of the tiles goes no further than to the bound, so that it cannot overflow
 * where the original does not. */
#include "cfg.h"
#include "copies.h"
#include "expansions.h"

#include <string.h>

typedef struct strips {
  const pl_loop *loop;
  const pl_unit *unit;
  pl_arena *arena;
  const pl_decl *counter; /* j */
  const pl_node *start, *bound;
  const pl_node *branch, *cond, *fills; /* of its text, as the source has it */
  const pl_node *place;   /* what is declared ahead of the branch, NULL: nothing */
  const pl_decl *rest;    /* k, where that is it */
  pl_str zero;            /* in the type of k */
  pl_str length;          /* B */
} strips;

static pl_str text_of(const strips *s, const pl_node *node) {
  return pl_unit_slice(s->unit, node->range);
}

static bool is_spelt(const strips *s, const pl_node *node) {
  return node && !node->from_macro && node->range.end > node->range.begin &&
         !pl_has_comment(text_of(s, node));
}

/* ---- the header --------------------------------------------------------------- */

static bool names(const pl_node *node, const pl_decl *decl) {
  node = pl_node_bare((pl_node *)node);
  return node && node->kind == PL_NODE_REF && node->decl == decl;
}

/* Whether an expression is the same whenever a part of the loop asks for it, and no
 * memory. */
static bool stays(const strips *s, pl_node *part, pl_node *node) {
  pl_effects effects = {0};
  pl_loop *loop = (pl_loop *)s->loop;
  pl_effects_of(loop->effects, loop->func, node, &effects);
  for (size_t i = 0; i < effects.n; i++)
    if (effects.items[i].kind != PL_EFFECT_READ ||
        (effects.items[i].space != PL_SPACE_LOCAL &&
         effects.items[i].space != PL_SPACE_CONSTANT) ||
        (effects.items[i].root.decl &&
         pl_assigned_anywhere(part, effects.items[i].root.decl)))
      return false;
  return true;
}

/* `for (int j = start; j < bound; ++j)`. */
static bool take_header(strips *s) {
  pl_node *node = s->loop->node;
  pl_node *init = node->kind == PL_NODE_FOR ? node->kids[0] : NULL;
  pl_node *cond = init ? pl_node_bare(node->kids[1]) : NULL;
  pl_node *step = cond && node->kids[2] ? pl_node_bare(node->kids[2]) : NULL;
  pl_node *var = init && init->kind == PL_NODE_DECL_STMT && init->nkids == 1
                     ? init->kids[0]
                     : NULL;
  if (!step || !var || var->kind != PL_NODE_VAR || !var->decl || !var->nkids ||
      !var->kids[0] || !var->decl->type || var->decl->type->kind != PL_TYPE_INT ||
      var->decl->from_macro || cond->kind != PL_NODE_BINARY)
    return false;
  s->counter = var->decl;
  s->start = var->kids[0];
  bool less = cond->op == PL_OP_LT && names(cond->kids[0], s->counter);
  bool more = cond->op == PL_OP_GT && names(cond->kids[1], s->counter);
  s->bound = cond->kids[less ? 1 : 0];
  return (less || more) && pl_node_is_step(step) &&
         (step->op == PL_OP_PREINC || step->op == PL_OP_POSTINC) &&
         names(step->kids[0], s->counter) && is_spelt(s, s->start) &&
         is_spelt(s, s->bound) && stays(s, node, (pl_node *)s->bound) &&
         stays(s, node, (pl_node *)s->start) && s->bound->type &&
         s->bound->type->kind == PL_TYPE_INT &&
         !pl_mentions(s->bound, s->counter);
}

/* ---- the branch ---------------------------------------------------------------- */

/* The counter, from where it begins: `j` of one that begins at zero, or `j - start`. */
static bool counts_from_start(const strips *s, const pl_node *node) {
  node = pl_node_bare((pl_node *)node);
  if (names(node, s->counter))
    return pl_node_is_zero(s->start) && !s->start->from_macro;
  return node->kind == PL_NODE_BINARY && node->op == PL_OP_SUB &&
         names(node->kids[0], s->counter) &&
         pl_same_text(s->unit, pl_node_bare(node->kids[1]),
                      pl_node_bare((pl_node *)s->start)) &&
         pl_same_names(pl_node_bare(node->kids[1]),
                       pl_node_bare((pl_node *)s->start));
}

/* Whether a constant is one number in every build of the file, and no matter of a
 * template's arguments. */
static bool is_closed(const strips *s, const pl_node *node) {
  pl_run run = pl_tokens_in(s->unit, node->range);
  for (uint32_t t = run.first; t < run.end; t++)
    if (s->unit->tokens[t].kind == PL_TOK_IDENT &&
        !pl_macro_is_number(s->unit, s->unit->tokens[t].range))
      return false;
  return node->has_ival && run.end > run.first;
}

static bool is_template_value(const pl_node *node) {
  return node->kind == PL_NODE_REF && node->decl &&
         node->decl->kind == PL_DECL_TEMPLATE_VALUE;
}

/* `j % B`, `j & (B - 1)`: of a number of elements that a tile can have. No macro makes it: of
 * its body B could not be said alone, and another build may have another one. */
static bool is_place_in_tile(strips *s, const pl_node *node) {
  node = pl_node_bare((pl_node *)node);
  const pl_node *by = node->kind == PL_NODE_BINARY ? pl_node_bare(node->kids[1])
                                                   : NULL;
  if (!by || !by->range.end || node->from_macro || pl_has_comment(text_of(s, by)))
    return false;
  pl_str text = text_of(s, by);
  bool known = by->has_ival && by->ival >= 0 && by->ival < 1 << 20;
  if (node->op == PL_OP_REM && (is_template_value(by) || (known && by->ival > 0)))
    s->length = by->kind == PL_NODE_INT || by->kind == PL_NODE_REF
                    ? text
                    : pl_arena_printf(s->arena, "(%.*s)", PL_FMT(text));
  else if (node->op == PL_OP_AND && known && (by->ival & (by->ival + 1)) == 0 &&
           is_closed(s, by))
    s->length = pl_arena_printf(s->arena, "%lld", (long long)by->ival + 1);
  return s->length.n && counts_from_start(s, node->kids[0]);
}

/* Zero as a number of the type of k, where that holds each value of `j % B`; empty: it may
 * not, or no number is written in it. */
static pl_str zero_of(const pl_decl *k) {
  const pl_type *type = k->type, *from = pl_node_bare(k->init)->type;
  if (!type || type->kind != PL_TYPE_INT || type->size < 4 || !from ||
      from->kind != PL_TYPE_INT || from->size > type->size)
    return PL_STR("");
  if (type->size == 4)
    return type->is_unsigned ? PL_STR("0u") : PL_STR("0");
  if (pl_str_has(type->spelling, "long long"))
    return type->is_unsigned ? PL_STR("0ull") : PL_STR("0ll");
  return type->is_unsigned ? PL_STR("0ul") : PL_STR("0l");
}

/* `k == 0` and `!k`, of the place in the tile. */
static bool asks_for_begin(strips *s, const pl_decl *first) {
  const pl_node *cond = pl_node_bare((pl_node *)s->cond), *of = NULL;
  if (cond->kind == PL_NODE_UNARY && cond->op == PL_OP_LNOT)
    of = cond->kids[0];
  else if (cond->kind == PL_NODE_BINARY && cond->op == PL_OP_EQ)
    of = pl_node_is_zero(cond->kids[1]) ? cond->kids[0]
         : pl_node_is_zero(cond->kids[0]) ? cond->kids[1]
                                  : NULL;
  of = of ? pl_node_bare((pl_node *)of) : NULL;
  if (of && first && names(of, first)) {
    s->rest = first;
    s->zero = zero_of(first);
    of = s->zero.n ? first->init : NULL;
  }
  return of && is_place_in_tile(s, of);
}

/* The branch that holds the barriers, as the source has it; what stands ahead of it
 * may declare the place in the tile. */
static bool take_branch(strips *s) {
  const pl_node *body = s->loop->body;
  s->branch = s->loop->branch;
  for (uint32_t i = 0; !s->branch && i < body->nkids; i++)
    if (body->kids[i] && body->kids[i]->kind == PL_NODE_IF)
      s->branch = body->kids[i];
  if (!s->branch || s->branch->from_macro || pl_if_has_init(s->branch) ||
      (s->branch->nkids > 2 && s->branch->kids[2]))
    return false;
  s->cond = s->loop->branch ? s->branch->kids[0]->kids[0] : s->branch->kids[0];
  if (s->cond->from_macro)
    return false;
  s->fills = s->loop->branch ? s->loop->branch_body : s->branch->kids[1];
  const pl_node *first = body->kids[0];
  const pl_decl *place = NULL;
  if (first && first != s->branch) {
    if (first->kind != PL_NODE_DECL_STMT || first->nkids != 1 ||
        first->kids[0]->kind != PL_NODE_VAR || !first->kids[0]->decl ||
        !first->kids[0]->decl->init || body->kids[1] != s->branch ||
        pl_assigned_anywhere(s->loop->node, first->kids[0]->decl) ||
        !stays(s, s->loop->body, first->kids[0]->decl->init))
      return false;
    s->place = first;
    place = first->kids[0]->decl;
  }
  return s->fills && s->fills->kind == PL_NODE_COMPOUND && s->fills->nkids > 1 &&
         asks_for_begin(s, place);
}

/* ---- what else must be so --------------------------------------------------------- */

static bool is_rest(const strips *s, const pl_node *stmt) {
  return stmt && stmt->range.begin >= s->fills->range.end;
}

static bool has_barrier(const strips *s, pl_node *node) {
  pl_effects effects = pl_effects_in(s->loop, node);
  return pl_effects_find(&effects, PL_EFFECT_BARRIER) ||
         pl_effects_find(&effects, PL_EFFECT_SPECIAL_BARRIER);
}

/* Whether the fills wait first and last, and the rest, which is gone through element
 * by element, neither waits nor leaves the loop. */
static bool is_refilled(const strips *s) {
  const pl_node *body = s->loop->body;
  bool any = false;
  if (!pl_is_barrier(s->fills->kids[0]) ||
      !pl_is_barrier(s->fills->kids[s->fills->nkids - 1]))
    return false;
  for (uint32_t i = 0; i < s->fills->nkids; i++)
    if (!s->fills->kids[i] || pl_cfg_jump_out(s->fills->kids[i], PL_JUMP_ANY))
      return false;
  for (uint32_t i = 0; i < body->nkids; i++) {
    if (!is_rest(s, body->kids[i]))
      continue;
    any = true;
    if (pl_cfg_jump_out(body->kids[i], PL_JUMP_AWAY | PL_JUMP_BREAK) ||
        has_barrier(s, body->kids[i]))
      return false;
  }
  return any && !pl_assigned_anywhere(body, s->counter);
}

/* Whether text can be put elsewhere: no directive but pragmas, no label. */
static bool can_be_moved(const strips *s) {
  pl_run run = pl_tokens_in(s->unit, s->loop->node->range);
  for (uint32_t t = run.first; t < run.end; t++)
    if (s->unit->tokens[t].kind == PL_TOK_DIRECTIVE)
      return false;
  return !pl_node_has(s->loop->body, PL_NODE_LABEL) &&
         !pl_node_has(s->loop->body, PL_NODE_LAMBDA);
}

/* ---- the text ------------------------------------------------------------------------ */

typedef struct renaming {
  const strips *s;
  pl_str first;
  pl_replacements parts;
  bool fine;
} renaming;

/* Whether a call is handed a name as it is: of a zero in its place a pointer could be made,
 * and another function be meant. */
static bool is_handed(const pl_node *name) {
  const pl_node *up = pl_node_around(name);
  return up && (up->kind == PL_NODE_CALL || up->kind == PL_NODE_CONSTRUCT ||
                up->kind == PL_NODE_INIT_LIST);
}

static bool rename_counter(pl_node *node, void *context) {
  renaming *r = context;
  const strips *s = r->s;
  bool counter = names(node, s->counter) && node->kind == PL_NODE_REF;
  bool place = s->rest && node->kind == PL_NODE_REF && node->decl == s->rest;
  if (s->place && !s->rest && names(node, s->place->kids[0]->decl))
    r->fine = false;
  if (node->kind == PL_NODE_VAR && node->decl &&
      (pl_str_eq(node->decl->name, s->counter->name) ||
       pl_str_eq(node->decl->name, r->first)))
    r->fine = false;
  if (!counter && !place)
    return r->fine;
  r->fine = r->fine && !node->from_macro && !(place && is_handed(node)) &&
            pl_str_eq(pl_unit_slice(s->unit, node->range), node->decl->name);
  pl_put(s->arena, &r->parts, node->range, counter ? r->first : s->zero);
  return r->fine;
}

/* The text inside the fills' braces, with the tile's first element for the counter. */
static pl_str fills_text(renaming *r) {
  const strips *s = r->s;
  for (uint32_t i = 0; i < s->fills->nkids; i++)
    pl_node_walk(s->fills->kids[i], rename_counter, r);
  pl_range all = {s->fills->range.begin + 1, s->fills->range.end - 1};
  pl_str text = {0};
  r->fine &= pl_replaced_text(s->unit, s->arena, all, &r->parts, &text);
  return text;
}

/* "j_first", "j_in": of the counter's name; empty: the file has such a word. */
static pl_str new_name(const strips *s, const char *end) {
  pl_range all = {0, (uint32_t)s->unit->text.n};
  pl_str name = pl_arena_printf(s->arena, "%.*s%s", PL_FMT(s->counter->name), end);
  return pl_count_words(s->unit, all, name) ? PL_STR("") : name;
}

/* ---- the place in the tile ------------------------------------------------------------ */

/* What the elements' loop names: places in the tile, and the counter beside them. */
typedef struct places {
  const strips *s;
  pl_str in;             /* the place's name; empty: the counter counts, as in the source */
  pl_replacements ahead; /* of the declaration ahead of the branch */
  pl_replacements rest;  /* of what stands behind the fills */
  bool counter;
} places;

/* Whether an expression is the place in the tile, in the counter's type whatever a
 * template's arguments are. */
static bool is_place(const strips *s, const pl_node *node) {
  strips asked = *s;
  asked.length = (pl_str){0};
  const pl_type *type = node->type, *own = s->counter->type;
  if (node->kind != PL_NODE_BINARY || node->from_macro || !type ||
      type->kind != PL_TYPE_INT || type->size != own->size ||
      type->is_unsigned != own->is_unsigned || !is_place_in_tile(&asked, node))
    return false;
  const pl_node *by = pl_node_bare(node->kids[1]);
  return pl_str_eq(asked.length, s->length) &&
         (!by->decl || pl_written_type(by->decl->type)->kind == PL_TYPE_INT);
}

static bool find_place(pl_node *node, void *context) {
  places *p = context;
  if (is_place(p->s, node)) {
    pl_put(p->s->arena, is_rest(p->s, node) ? &p->rest : &p->ahead, node->range, p->in);
    return false;
  }
  p->counter = p->counter || (node->kind == PL_NODE_REF && names(node, p->s->counter));
  return true;
}

/* Where the place begins, in the counter's type: `auto` takes that from the number. Empty:
 * no number is written there. */
static pl_str zero_of_place(const strips *s) {
  pl_range type = {s->loop->node->kids[0]->range.begin, s->counter->name_range.begin};
  if (!pl_str_has(pl_unit_slice(s->unit, type), "auto"))
    return PL_STR("0");
  return pl_node_is_zero(s->start) ? text_of(s, s->start) : PL_STR("");
}

static places find_places(const strips *s) {
  const pl_node *body = s->loop->body;
  places p = {.s = s, .in = new_name(s, "_in")};
  if (s->place)
    pl_node_walk((pl_node *)s->place, find_place, &p);
  for (uint32_t i = 0; i < body->nkids; i++)
    if (is_rest(s, body->kids[i]))
      pl_node_walk(body->kids[i], find_place, &p);
  return p.in.n && (p.ahead.n || p.rest.n) && zero_of_place(s).n ? p : (places){.s = s};
}

static pl_str trimmed_end(pl_str text) {
  while (text.n && strchr(" \t\r\n", text.p[text.n - 1]))
    text.n--;
  return text;
}

/* `once`: what is kept of the loop, with the length of a tile as often as a place in it is
 * counted. */
static pl_str strips_text(const strips *s, renaming *r, pl_str *once) {
  pl_text out = {.arena = s->arena}, kept = {.arena = s->arena};
  const pl_node *init = s->loop->node->kids[0];
  pl_range type = {init->range.begin, s->counter->name_range.begin};
  pl_str kind = pl_str_trimmed(pl_unit_slice(s->unit, type));
  pl_str j = s->counter->name, first = r->first, start = text_of(s, s->start);
  pl_str bound = pl_arena_printf(s->arena, "%s%.*s%s",
                                 s->bound->kind == PL_NODE_REF ? "" : "(",
                                 PL_FMT(text_of(s, s->bound)),
                                 s->bound->kind == PL_NODE_REF ? "" : ")");
  pl_str n = s->length;
  pl_str indent = pl_indent_at(s->unit, s->loop->node->range.begin);
  pl_text_printf(&out,
                 "for (%.*s %.*s = %.*s; %.*s < %.*s; %.*s = %.*s - %.*s > %.*s ? "
                 "%.*s + %.*s : %.*s) {",
                 PL_FMT(kind), PL_FMT(first), PL_FMT(start), PL_FMT(first),
                 PL_FMT(bound), PL_FMT(first), PL_FMT(bound), PL_FMT(first), PL_FMT(n),
                 PL_FMT(first), PL_FMT(n), PL_FMT(bound));
  pl_str own = pl_indent_at(s->unit, s->branch->range.begin);
  pl_str inner = pl_indent_at(s->unit, s->fills->kids[0]->range.begin);
  pl_str fills = trimmed_end(pl_reindented(s->arena, fills_text(r), inner, own));
  pl_text_add(&out, fills);
  places p = find_places(s);
  pl_text_printf(&kept, "%.*s;%.*s;%.*s;%.*s;%.*s;", PL_FMT(kind), PL_FMT(start), PL_FMT(bound),
                 PL_FMT(n), PL_FMT(fills));
  for (size_t i = s->place ? 1 : 0; i < p.ahead.n + p.rest.n; i++)
    pl_text_printf(&kept, "%.*s;", PL_FMT(n));
  if (p.in.n)
    pl_text_printf(&out, "\n%.*sfor (%.*s %.*s = %.*s; %.*s < %.*s && %.*s + %.*s < %.*s; "
                         "++%.*s) {",
                   PL_FMT(own), PL_FMT(kind), PL_FMT(p.in), PL_FMT(zero_of_place(s)),
                   PL_FMT(p.in), PL_FMT(n), PL_FMT(first), PL_FMT(p.in), PL_FMT(bound),
                   PL_FMT(p.in));
  else
    pl_text_printf(&out, "\n%.*sfor (%.*s %.*s = %.*s; %.*s < %.*s && %.*s - %.*s < "
                         "%.*s; ++%.*s) {",
                   PL_FMT(own), PL_FMT(kind), PL_FMT(j), PL_FMT(first), PL_FMT(j),
                   PL_FMT(bound), PL_FMT(j), PL_FMT(first), PL_FMT(n), PL_FMT(j));
  if (p.in.n && p.counter)
    pl_text_printf(&out, "\n%.*s%.*s %.*s = %.*s + %.*s;", PL_FMT(inner), PL_FMT(kind),
                   PL_FMT(j), PL_FMT(first), PL_FMT(p.in));
  pl_str text = {0};
  if (s->place) {
    r->fine &= pl_replaced_text(s->unit, s->arena, s->place->range, &p.ahead, &text);
    pl_text_printf(&out, "\n%.*s%.*s", PL_FMT(inner), PL_FMT(text));
    pl_text_add(&kept, text);
  }
  pl_range rest = {s->fills->range.end, s->loop->body->range.end};
  r->fine = pl_replaced_text(s->unit, s->arena, rest, &p.rest, &text) && r->fine;
  if (!r->fine)
    return text;
  text = trimmed_end(text);
  text.n--; /* the brace of the body */
  pl_text_add(&out, trimmed_end(pl_reindented(s->arena, text, own, inner)));
  pl_text_add(&kept, text);
  *once = pl_text_view(&kept);
  pl_text_printf(&out, "\n%.*s}\n%.*s}", PL_FMT(own), PL_FMT(indent));
  return pl_text_view(&out);
}

void pl_strip_mine(pl_loop *loop, pl_arena *arena, pl_replacements *out) {
  strips s = {.loop = loop, .unit = loop->unit, .arena = arena};
  bool refused = loop->settled && loop->verdict == PL_VERDICT_REFUSED;
  if (!refused || !loop->body || loop->body->kind != PL_NODE_COMPOUND ||
      loop->body->from_macro || loop->node->from_macro || !loop->body->nkids ||
      !take_header(&s) || !take_branch(&s) || !is_refilled(&s) ||
      !can_be_moved(&s))
    return;
  renaming r = {.s = &s, .first = new_name(&s, "_first"), .fine = true};
  pl_str once = {0}, text = r.first.n ? strips_text(&s, &r, &once) : PL_STR("");
  if (!r.first.n || !r.fine)
    return;
  pl_put_saying(arena, out, (pl_replacement){loop->node->range, text}, once, (pl_range){0, 0});
  out->renames = true;
}
