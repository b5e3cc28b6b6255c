/* records.c - members of a shared record as objects of their own.
 *
 * Needs: an attempt in which a loop has one buffer, or is refused, for what lies beside its
 * tiles in a record in static shared memory. Gives: a text in which each member that the
 * function names is an object (scalar replacement of aggregates). Raises nothing.
 *
 *     __shared__ Shared sh;        __shared__ __align__(16) decltype(Shared::a) sh_a;
 *                                  __shared__ __align__(16) decltype(Shared::sums) sh_sums;
 *     sh.a[i] ... sh.sums[j]       sh_a[i] ... sh_sums[j]
 *
 * The record is named by its members alone, which do not overlap. Each object is aligned as
 * a member at any place of the record may be. */
#include "expansions.h"
#include "slices.h"

#include <string.h>

#define MOST_MEMBERS 16
#define ALIGN 16 /* of a member, at least: of what is read in one piece */

typedef struct splitting {
  pl_loop *loop;
  pl_arena *arena;
  const pl_decl *record;
  const pl_decl *members[MOST_MEMBERS];
  size_t n, nnames;
  pl_replacements parts;
  bool in_loop, fine;
} splitting;

static bool is_record(pl_node *node, const void *func) {
  const pl_decl *decl = node->kind == PL_NODE_VAR ? node->decl : NULL;
  const pl_type *type = decl ? decl->type : NULL;
  return decl && decl->is_shared && !decl->is_extern && decl->owner == func && type &&
         type->kind == PL_TYPE_RECORD && !type->is_union && !type->has_constructors &&
         !type->made_by_code && !type->is_volatile && type->written.n &&
         !pl_str_is(type->written, "auto") && !decl->from_macro && !node->from_macro &&
         node->parent->kind == PL_NODE_DECL_STMT && node->parent->nkids == 1 &&
         node->parent->parent && node->parent->parent->kind == PL_NODE_COMPOUND;
}

static pl_str name_of(const splitting *s, const pl_decl *member) {
  return pl_name_not_taken(s->loop->unit, s->arena,
                           pl_arena_printf(s->arena, "%.*s_%.*s", PL_FMT(s->record->name),
                                           PL_FMT(member->name)));
}

static void add_member(splitting *s, const pl_decl *member) {
  for (size_t i = 0; i < s->n; i++)
    if (s->members[i] == member)
      return;
  s->fine = s->fine && s->n < MOST_MEMBERS;
  if (s->n < MOST_MEMBERS)
    s->members[s->n++] = member;
}

static bool find_name(pl_node *node, void *context) {
  splitting *s = context;
  if (node->kind != PL_NODE_REF || node->decl != s->record)
    return s->fine;
  const pl_node *up = node->parent;
  bool field = up && up->kind == PL_NODE_MEMBER && !up->is_arrow && up->decl &&
               up->decl->is_field && up->decl->name.n && !up->from_macro && !node->from_macro;
  s->nnames++;
  s->fine = s->fine && field;
  if (!s->fine)
    return false;
  pl_str due = pl_arena_printf(s->arena, "%.*s.%.*s", PL_FMT(s->record->name),
                               PL_FMT(up->decl->name));
  s->fine = pl_str_eq(pl_unit_slice(s->loop->unit, up->range), due);
  s->in_loop = s->in_loop || pl_node_within(node, s->loop->node);
  add_member(s, up->decl);
  pl_put(s->arena, &s->parts, up->range, name_of(s, up->decl));
  return s->fine;
}

/* Whether no two of the members have a byte in common. */
static bool lie_apart(const splitting *s) {
  const pl_func *func = s->loop->func;
  for (size_t i = 0; i < s->n; i++)
    for (size_t k = 0; k < s->n; k++) {
      int64_t size = pl_type_size(s->members[i]->type, func, pl_own_instance(func));
      int64_t from = s->members[i]->field_offset, other = s->members[k]->field_offset;
      if (size <= 0 || (i != k && other >= from && other < from + size))
        return false;
    }
  return s->n > 1;
}

static pl_str objects_text(const splitting *s) {
  pl_text out = {.arena = s->arena};
  const pl_node *stmt = s->record->node->parent;
  pl_str indent = pl_indent_at(s->loop->unit, stmt->range.begin);
  int64_t align = s->record->type->align > ALIGN ? s->record->type->align : ALIGN;
  align = s->record->align_attr > align ? s->record->align_attr : align;
  for (size_t i = 0; i < s->n; i++) {
    if (i)
      pl_text_printf(&out, "\n%.*s", PL_FMT(indent));
    pl_text_printf(&out, "__shared__ __align__(%lld) decltype(%.*s::%.*s) %.*s;", (long long)align,
                   PL_FMT(s->record->type->written), PL_FMT(s->members[i]->name),
                   PL_FMT(name_of(s, s->members[i])));
  }
  return pl_text_view(&out);
}

static bool can_be_split(splitting *s) {
  const pl_unit *unit = s->loop->unit;
  const pl_node *stmt = s->record->node->parent;
  pl_node_walk(s->loop->func->body, find_name, s);
  return s->fine && s->in_loop && lie_apart(s) && s->record->align_attr >= 0 &&
         pl_count_words(unit, s->loop->func->range, s->record->name) == s->nnames + 1 &&
         stmt->range.end > 0 && unit->text.p[stmt->range.end - 1] == ';';
}

void pl_record_as_objects(pl_loop *loop, pl_arena *arena, pl_replacements *out) {
  const pl_node *var = pl_node_find(loop->func->body, is_record, loop->func);
  splitting s = {.loop = loop, .arena = arena, .record = var ? var->decl : NULL, .fine = true};
  if (!var || !pl_asks_for_parts(loop, true) || !can_be_split(&s))
    return;
  pl_replacement objects = {var->parent->range, objects_text(&s)};
  for (size_t i = 0; i < out->n; i++)
    if (out->items[i].range.begin == objects.range.begin)
      return; /* of another loop, or instantiation */
  pl_replace_with(arena, out, objects, objects.text, loop->func->body->range);
  for (size_t i = 0; i < s.parts.n; i++)
    pl_replace_with(arena, out, s.parts.items[i], s.parts.items[i].text, loop->func->body->range);
  out->for_async = true;
}
