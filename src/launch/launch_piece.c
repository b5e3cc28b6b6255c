/* launch_piece.c - see launch_piece.h. */
#include "launch_piece.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Reports at `at`; always false, so that callers can return it. */
bool pl_piece_fail(pl_launch_reader *r, const pl_piece *pc, const char *at,
                   const char *why) {
  if (!r->failed) {
    r->error->line = pc->line;
    r->error->column = (int)(at - pc->line_start) + 1;
    snprintf(r->error->text, sizeof r->error->text, "%s", why);
  }
  r->failed = true;
  return false;
}

bool pl_piece_fail_name(pl_launch_reader *r, const pl_piece *pc, const char *at,
                        const char *format, const char *name) {
  return pl_piece_fail(r, pc, at, pl_arena_printf(r->arena, format, name).p);
}

bool pl_piece_is_space(char c) { return c == ' ' || c == '\t' || c == '\r'; }

bool pl_piece_is_name(char c) {
  return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         (c >= '0' && c <= '9');
}

void pl_piece_trim(pl_piece *pc) {
  while (pc->p < pc->end && pl_piece_is_space(*pc->p))
    pc->p++;
  while (pc->end > pc->p && pl_piece_is_space(pc->end[-1]))
    pc->end--;
}

/* The identifier that `pc` goes on with; empty when there is none. */
pl_str pl_piece_name(pl_piece *pc) {
  pl_piece_trim(pc);
  const char *from = pc->p;
  while (pc->p < pc->end && pl_piece_is_name(*pc->p))
    pc->p++;
  return (pl_str){from, (size_t)(pc->p - from)};
}

bool pl_piece_take(pl_piece *pc, char c) {
  pl_piece_trim(pc);
  if (pc->p == pc->end || *pc->p != c)
    return false;
  pc->p++;
  return true;
}

static const char *closing(const char *p, const char *end) {
  int depth = 0;
  for (; p < end; p++) {
    if (strchr("([{", *p))
      depth++;
    else if (strchr(")]}", *p) && --depth == 0)
      return p;
  }
  return NULL;
}

/* The text up to a comma outside brackets; the comma is taken. */
pl_piece pl_piece_item(pl_piece *pc) {
  pl_piece item = *pc;
  int depth = 0;
  for (; pc->p < pc->end; pc->p++) {
    if (strchr("([", *pc->p))
      depth++;
    else if (strchr(")]", *pc->p))
      depth--;
    else if (*pc->p == ',' && depth == 0)
      break;
  }
  item.end = pc->p;
  if (pc->p < pc->end)
    pc->p++;
  pl_piece_trim(&item);
  return item;
}

const pl_expr *pl_piece_expr(pl_launch_reader *r, pl_piece pc) {
  const char *why;
  size_t at;
  pl_piece_trim(&pc);
  pl_str text = {pc.p, (size_t)(pc.end - pc.p)};
  text = pl_arena_str(r->arena, text.p, text.n);
  const pl_expr *e = pl_expr_parse(r->arena, text, &why, &at);
  if (!e)
    pl_piece_fail(r, &pc, pc.p + at, why);
  return e;
}

bool pl_piece_int(pl_launch_reader *r, pl_piece *pc, int64_t *value) {
  pl_piece_trim(pc);
  char *end;
  const char *from = pc->p;
  if (from == pc->end || !strchr("-0123456789", *from))
    return pl_piece_fail(r, pc, from, "expected an integer");
  *value = strtoll(from, &end, 10);
  if (end > pc->end || end == from || (end < pc->end && pl_piece_is_name(*end)))
    return pl_piece_fail(r, pc, from, "expected an integer");
  pc->p = end;
  return true;
}

bool pl_piece_real(pl_launch_reader *r, pl_piece pc, double *value) {
  pl_piece_trim(&pc);
  char *text = pl_arena_cstr(r->arena,
                             (pl_str){pc.p, (size_t)(pc.end - pc.p)});
  char *end;
  *value = strtod(text, &end);
  if (*end == 'f' || *end == 'F')
    end++;
  if (end == text || *end)
    return pl_piece_fail(r, &pc, pc.p, "expected a number");
  return true;
}

/* The bracketed text behind `pc`'s position, brackets taken off. */
bool pl_piece_bracketed(pl_launch_reader *r, pl_piece *pc, char open,
                        pl_piece *inside) {
  pl_piece_trim(pc);
  if (pc->p == pc->end || *pc->p != open)
    return pl_piece_fail(r, pc, pc->p,
                         open == '[' ? "expected '['" : "expected '('");
  const char *close = closing(pc->p, pc->end);
  if (!close)
    return pl_piece_fail(r, pc, pc->p, "no closing bracket");
  *inside = *pc;
  inside->p++;
  inside->end = close;
  pc->p = close + 1;
  return true;
}
