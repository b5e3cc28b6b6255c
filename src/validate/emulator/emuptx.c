/* emuptx.c - see emuptx.h. */
#include "emuptx.h"

#include "token.h"

#include <string.h>

typedef struct ptx {
  pl_text *out;
  pl_str code;
  pl_str operands[64];
  pl_str names[64];
  size_t n;
} ptx;

static void unescape(pl_text *to, pl_str literal) {
  for (size_t i = 1; i + 1 < literal.n; i++) {
    char c = literal.p[i];
    if (c == '\\' && i + 2 < literal.n) {
      c = literal.p[++i];
      c = c == 'n' || c == 't' || c == 'r' || c == '\n' ? ' ' : c;
    }
    pl_text_add(to, (pl_str){&c, 1});
  }
}

/* The string literals at the front of an asm; NULL where something else is. */
static const char *read_code(ptx *x, const char *p, const char *end) {
  pl_text code = {.arena = x->out->arena};
  pl_str token;
  const char *next = pl_tok_next(p, end, &token);
  while (token.n && *token.p == '"') {
    unescape(&code, token);
    p = next;
    next = pl_tok_next(p, end, &token);
  }
  x->code = pl_text_view(&code);
  return token.n == 0 || *token.p == ':' ? p : NULL;
}

/* One `[name] "constraint"(expression)`; false at anything else. */
static bool read_operand(ptx *x, const char **at, const char *end) {
  pl_str token, name = {0};
  const char *p = pl_tok_next(*at, end, &token);
  if (pl_str_is(token, "[")) {
    p = pl_tok_next(p, end, &name);
    p = pl_tok_next(p, end, &token);
    p = pl_tok_next(p, end, &token);
  }
  if (token.n == 0 || *token.p != '"' || x->n == 64)
    return false;
  pl_tok_next(p, end, &token);
  if (!pl_str_is(token, "("))
    return false;
  const char *close = pl_tok_closing(token.p, end);
  if (!close)
    return false;
  x->names[x->n] = name;
  x->operands[x->n++] = pl_tok_between(token.p + 1, close);
  *at = close + 1;
  return true;
}

/* Outputs and inputs, in order; clobbers are skipped. */
static bool read_operands(ptx *x, const char *p, const char *end) {
  for (int section = 0; section < 2; section++) {
    pl_str token;
    const char *next = pl_tok_next(p, end, &token);
    if (token.n == 0)
      return true;
    if (!pl_str_is(token, ":"))
      return false;
    p = next;
    next = pl_tok_next(p, end, &token);
    if (token.n == 0 || pl_str_is(token, ":"))
      continue;
    do {
      if (!read_operand(x, &p, end))
        return false;
      next = pl_tok_next(p, end, &token);
      if (pl_str_is(token, ","))
        p = next;
    } while (pl_str_is(token, ","));
  }
  return true;
}

static bool put_place(ptx *x, const char **at, const char *end) {
  const char *p = *at + 1;
  pl_text *out = x->out;
  if (p < end && *p == '%')
    p++;
  if (p < end && *p == '[')
    p++;
  const char *from = p;
  while (p < end && pl_tok_is_name(*p))
    p++;
  pl_str name = pl_tok_between(from, p);
  if (p < end && *p == ']' && from[-1] == '[')
    p++;
  *at = p;
  if (name.n && pl_tok_is_digit(*name.p)) {
    size_t which = 0;
    for (size_t i = 0; i < name.n; i++)
      which = which * 10 + (size_t)(name.p[i] - '0');
    if (which >= x->n)
      return false;
    pl_text_printf(out, "(%.*s)", PL_FMT(x->operands[which]));
    return true;
  }
  for (size_t i = 0; i < x->n; i++)
    if (x->names[i].n && pl_str_eq(x->names[i], name)) {
      pl_text_printf(out, "(%.*s)", PL_FMT(x->operands[i]));
      return true;
    }
  pl_text_printf(out, "pl_ptx_register_%.*s()", PL_FMT(name));
  return name.n > 0;
}

/* A number, or a register, which may have the name of a variable beside it:
 * `{ .reg .u64 at; cvta.to.shared.u64 at, %1; cvt.u32.u64 %0, at; }`. */
static const char *put_word(ptx *x, const char *p, const char *end) {
  const char *to = p;
  while (to < end && pl_tok_is_name(*to))
    to++;
  if (!pl_tok_is_digit(*p))
    pl_text_add(x->out, PL_STR("pl_reg_"));
  pl_text_add(x->out, pl_tok_between(p, to));
  return to;
}

/* Operand text with places filled in and brackets of groups dropped. */
static bool put_arguments(ptx *x, const char *p, const char *end) {
  while (p < end) {
    if (*p == '%') {
      if (!put_place(x, &p, end))
        return false;
    } else if (pl_tok_is_name(*p)) {
      p = put_word(x, p, end);
    } else {
      if (!strchr("{}[]", *p))
        pl_text_add(x->out, (pl_str){p, 1});
      p++;
    }
  }
  return true;
}

static const struct {
  const char *ptx, *type;
} REGISTERS[] = {
    {".pred", "bool"},
    {".b16", "unsigned short"},
    {".u16", "unsigned short"},
    {".f16", "unsigned short"},
    {".s16", "short"},
    {".b32", "unsigned"},
    {".u32", "unsigned"},
    {".s32", "int"},
    {".f32", "float"},
    {".b64", "unsigned long long"},
    {".u64", "unsigned long long"},
    {".s64", "long long"},
    {".f64", "double"},
    {".f16x2", "unsigned"},
};

static const char *skip_word(const char *p, const char *end) {
  while (p < end && !pl_tok_is_space(*p))
    p++;
  return p;
}

/* The end of an instruction's name: operands may follow it at once. */
static const char *skip_name(const char *p, const char *end) {
  while (p < end && (pl_tok_is_name(*p) || *p == '.' || *p == ':'))
    p++;
  return p;
}

static const char *skip_spaces(const char *p, const char *end) {
  while (p < end && pl_tok_is_space(*p))
    p++;
  return p;
}

static bool put_declaration(ptx *x, const char *p, const char *end) {
  p = skip_spaces(p, end);
  const char *to = skip_word(p, end);
  for (size_t i = 0; i < sizeof REGISTERS / sizeof *REGISTERS; i++)
    if (pl_str_is(pl_tok_between(p, to), REGISTERS[i].ptx)) {
      pl_text_printf(x->out, "%s", REGISTERS[i].type);
      bool read = put_arguments(x, to, end);
      pl_text_add(x->out, PL_STR("; "));
      return read;
    }
  return false;
}

/* `@p`, `@!p` in front of an instruction. */
static const char *put_predicate(ptx *x, const char *p, const char *end) {
  if (p == end || *p != '@')
    return p;
  const char *to = skip_word(p, end);
  pl_text_add(x->out, PL_STR("if ("));
  pl_str name = pl_tok_between(p + 1, to);
  if (name.n && *name.p == '!') {
    pl_text_add(x->out, PL_STR("!"));
    name = pl_tok_between(p + 2, to);
  }
  put_arguments(x, name.p, name.p + name.n);
  pl_text_add(x->out, PL_STR(") "));
  return skip_spaces(to, end);
}

/* One instruction: `mma.sync... {a, b}, c` becomes `pl_ptx_mma_sync...(a, b,
 * c)`. */
static bool put_instruction(ptx *x, const char *p, const char *end) {
  p = skip_spaces(p, end);
  if (p == end)
    return true;
  p = put_predicate(x, p, end);
  const char *to = skip_name(p, end);
  if (pl_str_is(pl_tok_between(p, to), ".reg"))
    return put_declaration(x, to, end);
  if (!pl_tok_is_name(*p))
    return false;
  pl_text_add(x->out, PL_STR("pl_ptx_"));
  for (; p < to; p++)
    pl_text_add(x->out, pl_tok_is_name(*p) ? (pl_str){p, 1} : PL_STR("_"));
  pl_text_add(x->out, PL_STR("("));
  if (!put_arguments(x, skip_spaces(to, end), end))
    return false;
  pl_text_add(x->out, PL_STR("); "));
  return true;
}

/* The end of an instruction: its `;`. A `{` or `}` that stands where one could
 * begin is a block of its own. */
static bool put_code(ptx *x) {
  const char *p = x->code.p, *end = p + x->code.n;
  while ((p = skip_spaces(p, end)) < end) {
    if (*p == '{' || *p == '}') {
      pl_text_add(x->out, (pl_str){p++, 1});
      continue;
    }
    if (pl_tok_at(p, end, "//"))
      return false;
    const char *semicolon = memchr(p, ';', (size_t)(end - p));
    const char *to = semicolon ? semicolon : end;
    if (!put_instruction(x, p, to))
      return false;
    p = semicolon ? to + 1 : end;
  }
  return true;
}

bool pl_emuptx_put(pl_text *out, const char *open, const char *close) {
  ptx x = {.out = out};
  const char *p = read_code(&x, open + 1, close);
  size_t before = out->n;
  pl_text_add(out, PL_STR("do { "));
  bool readable = p && read_operands(&x, p, close) && put_code(&x);
  if (!readable) {
    out->n = before;
    pl_text_add(out, PL_STR("do { pl_ptx_unreadable();"));
  }
  pl_text_add(out, PL_STR(" } while (0)"));
  return readable;
}
