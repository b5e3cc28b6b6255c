/* spacing.c - blanks around brackets, as the source has them.
 *
 * Needs: the source's text and the edits of it. Gives: the edits with these blanks. Raises
 * nothing.
 *
 * What is printed has the blanks of `if (c)`, `f(x)` and `a[i]`; what the user says in
 * another way all over the file is put so. */
#include "spacing.h"

#include "unit.h"

#include <string.h>

#define SAYS 3 /* so many places say how a file has its blanks */
#define DEEPEST 64

static const char *const KEYWORDS[] = {"if", "for", "while", "switch"};
enum { NKEYWORDS = sizeof KEYWORDS / sizeof *KEYWORDS };

typedef struct habit {
  size_t with, without; /* a blank */
} habit;

typedef struct spacing {
  habit keyword[NKEYWORDS]; /* `for (` */
  habit call;               /* `f (x)` */
  habit head;               /* `if( c )` */
  habit inside;             /* `f( x )` */
  habit index;              /* `a[ i ]` */
} spacing;

typedef struct line_of_tokens {
  pl_str text;
  const pl_token *tokens;
  uint32_t n;
} line_of_tokens;

static bool is(const line_of_tokens *l, uint32_t i, const char *spelling) {
  return i < l->n && pl_str_is(pl_token_in(l->text, &l->tokens[i]), spelling);
}

/* What stands between a token and the one before it. */
static pl_str gap_before(const line_of_tokens *l, uint32_t i) {
  uint32_t begin = i ? l->tokens[i - 1].range.end : 0;
  return (pl_str){l->text.p + begin, l->tokens[i].range.begin - begin};
}

static bool has_line_break(pl_str gap) {
  return gap.n && memchr(gap.p, '\n', gap.n);
}

/* Which keyword a bracket stands behind; -1: none. */
static int keyword_before(const line_of_tokens *l, uint32_t i) {
  for (int k = 0; i && k < NKEYWORDS; k++)
    if (is(l, i - 1, KEYWORDS[k]))
      return k;
  return -1;
}

static bool is_name(const line_of_tokens *l, uint32_t i) {
  static const char *const words[] = {"return", "case", "else", "do", "constexpr", "operator"};
  return l->tokens[i].kind == PL_TOK_IDENT && !PL_STR_IS_ONE(pl_token_in(l->text, &l->tokens[i]), words);
}

/* `(` of a call, a list of parameters or a head, with something in it; `float (*p)` has none
 * of these. */
static bool opens_list(const line_of_tokens *l, uint32_t i) {
  return is(l, i, "(") && i && is_name(l, i - 1) && i + 1 < l->n && !is(l, i + 1, ")") &&
         !((is(l, i + 1, "*") || is(l, i + 1, "&")) && gap_before(l, i).n);
}

/* `[` behind what is indexed: not that of a lambda. */
static bool opens_index(const line_of_tokens *l, uint32_t i) {
  return is(l, i, "[") && i && (is_name(l, i - 1) || is(l, i - 1, "]") || is(l, i - 1, ")")) &&
         i + 1 < l->n && !is(l, i + 1, "]");
}

static void note(habit *h, pl_str gap) {
  if (has_line_break(gap))
    return;
  h->with += gap.n > 0;
  h->without += gap.n == 0;
}

static spacing spacing_of(const line_of_tokens *l) {
  spacing s = {0};
  for (uint32_t i = 1; i < l->n; i++) {
    int keyword = keyword_before(l, i);
    if (is(l, i, "(") && keyword >= 0)
      note(&s.keyword[keyword], gap_before(l, i));
    else if (is(l, i, "(") && is_name(l, i - 1))
      note(&s.call, gap_before(l, i));
    if (opens_list(l, i))
      note(keyword >= 0 ? &s.head : &s.inside, gap_before(l, i + 1));
    if (opens_index(l, i))
      note(&s.index, gap_before(l, i + 1));
  }
  return s;
}

static bool always(const habit *h) {
  return h->with >= SAYS && !h->without;
}

/* Whether a keyword's bracket follows without a blank; what the source has no place of is as
 * the other keywords are. */
static bool is_close(const spacing *s, int keyword) {
  habit all = {0};
  for (int k = 0; k < NKEYWORDS; k++) {
    all.with += s->keyword[k].with;
    all.without += s->keyword[k].without;
  }
  const habit *own = &s->keyword[keyword];
  return own->with || own->without ? !own->with : all.without && !all.with;
}

typedef struct bracket {
  bool pads;      /* has blanks inside */
  size_t was, is; /* the column of what follows it */
} bracket;

typedef struct respacer {
  const spacing *s;
  line_of_tokens l;
  pl_text out;
  bracket open[DEEPEST];
  int depth;
  size_t was, is; /* the column that has been reached */
} respacer;

/* The bracket that the token before `i` has opened, or that `i` closes. */
static const bracket *bracket_at(const respacer *r, uint32_t i) {
  const line_of_tokens *l = &r->l;
  bool edge = is(l, i - 1, "(") || is(l, i - 1, "[") || is(l, i, ")") || is(l, i, "]");
  return edge && r->depth > 0 && r->depth <= DEEPEST ? &r->open[r->depth - 1] : NULL;
}

/* Where a line goes on that is lined up with what a bracket begins with. */
static pl_str lined_up(respacer *r, pl_str gap) {
  const bracket *open = r->depth > 0 && r->depth <= DEEPEST ? &r->open[r->depth - 1] : NULL;
  const char *line = gap.p + gap.n;
  while (line[-1] != '\n')
    line--;
  size_t blanks = (size_t)(gap.p + gap.n - line);
  r->was = r->is = blanks;
  if (!open || open->was != blanks || open->is == open->was || memchr(line, '\t', blanks))
    return gap;
  r->is = open->is;
  return pl_arena_printf(r->out.arena, "%.*s%*s", (int)(line - gap.p), gap.p, (int)open->is, "");
}

/* The gap in front of a token. */
static pl_str gap_of(respacer *r, uint32_t i) {
  const line_of_tokens *l = &r->l;
  pl_str gap = gap_before(l, i);
  if (has_line_break(gap))
    return lined_up(r, gap);
  r->was += gap.n;
  int keyword = keyword_before(l, i);
  const bracket *at = i ? bracket_at(r, i) : NULL;
  if (is(l, i, "(") && keyword >= 0)
    gap = is_close(r->s, keyword) ? PL_STR("") : gap;
  else if (gap.n == 0 && i && ((at && at->pads) || (is(l, i, "(") && is_name(l, i - 1) &&
                                                    always(&r->s->call))))
    gap = PL_STR(" ");
  r->is += gap.n;
  return gap;
}

static void pass(respacer *r, uint32_t i) {
  const line_of_tokens *l = &r->l;
  size_t n = pl_token_in(l->text, &l->tokens[i]).n;
  r->was += n;
  r->is += n;
  r->depth -= r->depth > 0 && (is(l, i, ")") || is(l, i, "]"));
  if ((is(l, i, "(") || is(l, i, "[")) && r->depth++ < DEEPEST) {
    bool head = keyword_before(l, i) >= 0 && (r->s->head.with || r->s->head.without);
    bool inside = head ? !r->s->head.without : always(&r->s->inside);
    bool pads = (opens_list(l, i) && inside) || (opens_index(l, i) && always(&r->s->index));
    bool pads_now = pads && i + 1 < l->n && gap_before(l, i + 1).n == 0;
    r->open[r->depth - 1] = (bracket){pads, r->was, r->is + pads_now};
  }
}

/* Columns count from the last line break; in the edit's first line they are not known. */
static pl_str respaced(pl_arena *arena, const spacing *s, pl_str text) {
  respacer r = {.s = s, .l.text = text, .out.arena = arena, .was = text.n, .is = text.n};
  r.l.tokens = pl_lex(arena, text, &r.l.n);
  for (uint32_t i = 0; i < r.l.n; i++) {
    pl_text_add(&r.out, gap_of(&r, i));
    pl_text_add(&r.out, pl_token_in(text, &r.l.tokens[i]));
    pass(&r, i);
  }
  uint32_t end = r.l.n ? r.l.tokens[r.l.n - 1].range.end : 0;
  pl_text_add(&r.out, (pl_str){text.p + end, text.n - end});
  return pl_text_view(&r.out);
}

bool pl_keep_spacing(pl_arena *arena, pl_str source, pl_edit *edits, size_t n) {
  line_of_tokens l = {.text = source};
  l.tokens = pl_lex(arena, source, &l.n);
  const spacing s = spacing_of(&l);
  bool any = false;
  for (size_t i = 0; i < n; i++) {
    pl_str text = {edits[i].text, edits[i].text_length};
    pl_str out = respaced(arena, &s, text);
    if (pl_str_eq(out, text))
      continue;
    any = true;
    edits[i].text = out.p;
    edits[i].text_length = out.n;
  }
  return any;
}
