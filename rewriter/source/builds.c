/* builds.c - what does the preprocessor see in one build, and in another?
 *
 * Needs: the directives of the file and of its own headers. Gives: which branches of an #if
 * are seen in some builds and not in others, which builds there are to tell apart for some of
 * them, and what each of these sees of a text. Raises nothing.
 *
 * What a build may say is not known at first; where it is to be known, that of the first name
 * that an answer hangs on is said, each value that makes a difference in turn. */
#include "preprocessor.h"

#include "macros.h"

#include <string.h>

#define MOST_WALKS 4096

static pl_directives *directives_of(const pl_unit *unit) {
  if (!unit->preprocessed)
    ((pl_unit *)unit)->preprocessed = pl_directives_read(unit->arena, unit);
  return unit->preprocessed;
}

/* The op of a directive of the file or of a header. */
static const pl_step *op_at(const pl_directives *d, const pl_unit *of, uint32_t token) {
  for (size_t t = 0; t < d->ntexts; t++) {
    uint32_t low = d->texts[t].first, high = d->texts[t].end;
    while (d->texts[t].unit == of && low < high) {
      uint32_t middle = low + (high - low) / 2;
      if (d->ops[middle].token < token)
        low = middle + 1;
      else
        high = middle;
    }
    if (d->texts[t].unit == of && low < d->texts[t].end && d->ops[low].token == token)
      return &d->ops[low];
  }
  return NULL;
}

/* The next branch of a group, or its end; `end`: there is none. */
static uint32_t next_of_group(const pl_directives *d, uint32_t at, uint32_t end) {
  uint32_t next = at + 1;
  while (next < end && (d->ops[next].first != d->ops[at].first || d->ops[next].kind > PL_STEP_END))
    next++;
  return next;
}

bool pl_group_is_open(const pl_unit *unit, const pl_unit *of, uint32_t token) {
  const pl_directives *d = directives_of(unit);
  const pl_step *o = op_at(d, of, token);
  bool open = o && d->open->is_endless;
  for (uint32_t i = o ? (uint32_t)(o - d->ops) : (uint32_t)d->nops;
       i < d->nops && d->ops[i].kind == PL_STEP_BRANCH && !open;
       i = next_of_group(d, i, (uint32_t)d->nops))
    open = d->open->seen[i] & PL_SEEN_OPEN;
  return open;
}

/* ---- builds that are told apart ------------------------------------------------ */

typedef struct search {
  pl_arena *arena;
  pl_directives *d;
  uint32_t *marked; /* ops of the groups, branch by branch */
  size_t nmarked, cap;
  uint32_t *around; /* ops of branches that the places stand in */
  size_t naround, around_cap;
  const uint32_t *needed; /* places of the file, one of which a build is to see */
  size_t nneeded;
  pl_said said[PL_MOST_NESTED];
  size_t nsaid, nwalks, most;
  pl_builds *found;
} search;

static bool is_several(unsigned char seen) { return seen & (seen - 1); }

/* Whether a branch of the file is open at an offset. */
static bool is_around(const pl_directives *d, uint32_t at, uint32_t offset) {
  const pl_step_text *t = &d->texts[0];
  uint32_t next = next_of_group(d, at, t->end);
  return d->ops[at].kind == PL_STEP_BRANCH &&
         t->unit->tokens[d->ops[at].token].range.begin < offset &&
         (next == t->end || t->unit->tokens[d->ops[next].token].range.begin > offset);
}

static bool sees(const pl_seen *w, uint32_t offset) {
  const pl_step_text *t = &w->d->texts[0];
  bool seen = true;
  for (uint32_t i = t->first; i < t->end && seen; i++)
    seen = w->seen[i] != PL_SEEN_NO || !is_around(w->d, i, offset);
  return seen;
}

static bool is_build(const search *s, const pl_seen *w) {
  bool sees_one = s->nneeded == 0;
  for (size_t i = 0; i < s->nneeded && !sees_one; i++)
    sees_one = sees(w, s->needed[i]);
  return sees_one && (!w->stops || s->d->open->stops);
}

/* The name of a header, and the line of a directive of it, for a condition of its. */
static pl_str place_of(const search *s, uint32_t at) {
  const pl_directives *d = s->d;
  size_t t = d->ntexts - 1;
  while (d->texts[t].first > at)
    t--;
  const pl_unit *of = d->texts[t].unit;
  unsigned line, column;
  if (t == 0)
    return PL_STR("");
  pl_unit_position(of, of->tokens[d->ops[at].token].range.begin, &line, &column);
  size_t n = of->path.n;
  while (n && of->path.p[n - 1] != '/')
    n--;
  return pl_arena_printf(s->arena, " (%.*s, line %u)", (int)(of->path.n - n), of->path.p + n,
                         line);
}

/* That of a branch, or of its group for #else. */
static pl_str condition_at(const search *s, uint32_t at) {
  const pl_step *o = &s->d->ops[s->d->ops[at].term ? at : s->d->ops[at].first];
  return pl_arena_printf(s->arena, "'%.*s'%.*s", PL_FMT(o->read.condition),
                         PL_FMT(place_of(s, (uint32_t)(o - s->d->ops))));
}

/* "'X' is true and 'Y' is false" */
static pl_str describe(const search *s, const pl_seen *w) {
  pl_text out = {.arena = s->arena};
  for (size_t i = 0; i < s->nmarked; i++) {
    uint32_t at = s->marked[i];
    const pl_step *o = &s->d->ops[at];
    bool told = !w->held[at] || !(s->d->open->held[at] & PL_SEEN_OPEN);
    for (size_t k = 0; k < i && !told; k++)
      told = w->held[s->marked[k]] &&
             pl_str_eq(s->d->ops[s->marked[k]].read.condition, o->read.condition);
    if (!told)
      pl_text_printf(&out, "%s%.*s is %s", out.n ? " and " : "", PL_FMT(condition_at(s, at)),
                     (w->held[at] == PL_SEEN_YES) != o->read.negated ? "true" : "false");
  }
  return pl_text_view(&out);
}

/* One of those that see the same, which has the fewest names. */
static void keep_build(search *s, const pl_seen *w) {
  pl_builds *found = s->found;
  pl_build b = {.nsaid = s->nsaid}, *same = NULL;
  unsigned char *seen = PL_NEW_ARRAY(s->arena, unsigned char, s->nmarked + 1);
  b.is_here = true;
  for (size_t i = 0; i < s->nmarked; i++) {
    seen[i] = w->seen[s->marked[i]];
    b.is_here &= seen[i] == s->d->here->seen[s->marked[i]];
  }
  for (size_t i = 0; i < s->nsaid; i++)
    b.ngiven += !s->said[i].undefined;
  for (size_t i = 0; i < found->n; i++)
    if (memcmp(found->items[i].seen, seen, s->nmarked) == 0)
      same = &found->items[i];
  if (same && (same->ngiven < b.ngiven || (same->ngiven == b.ngiven && same->nsaid <= b.nsaid)))
    return;
  pl_said *said = PL_NEW_ARRAY(s->arena, pl_said, s->nsaid + 1);
  memcpy(said, s->said, s->nsaid * sizeof *said);
  b.said = said;
  b.seen = seen;
  b.description = describe(s, w);
  if (same)
    *same = b;
  else
    PL_PUSH(s->arena, found->items, found->n, found->cap, b);
  found->too_many |= found->n > s->most;
}

/* Goes through the directives with what is said so far, and says more where that does not
 * decide the marked groups. */
static void tell_apart(search *s) {
  size_t asks = PL_ASKS_NOTHING;
  s->found->too_many |= s->nwalks++ == MOST_WALKS || s->nsaid == PL_MOST_NESTED;
  if (s->found->too_many || s->found->unclear.n)
    return;
  pl_arena *arena = pl_arena_child(s->arena);
  const pl_seen *w = pl_preprocess(arena, s->d, s->said, s->nsaid, false);
  for (size_t i = 0; i < s->nmarked && asks == PL_ASKS_NOTHING; i++) {
    unsigned char seen = w->seen[s->marked[i]];
    asks = seen & PL_SEEN_OPEN ? w->asks[s->marked[i]] : PL_ASKS_NOTHING;
    bool several = is_several(seen) && seen != s->d->here->seen[s->marked[i]];
    if (asks == PL_ASKS_NOTHING && ((seen & PL_SEEN_OPEN) || several))
      s->found->unclear = condition_at(s, s->marked[i]);
  }
  for (size_t i = 0; i < s->naround && asks == PL_ASKS_NOTHING; i++)
    asks = w->seen[s->around[i]] & PL_SEEN_OPEN ? w->asks[s->around[i]] : PL_ASKS_NOTHING;
  if (w->is_endless && s->nmarked && !s->found->unclear.n)
    s->found->unclear = condition_at(s, s->marked[0]);
  bool is = is_build(s, w);
  if (asks == PL_ASKS_NOTHING && is && !s->found->unclear.n)
    keep_build(s, w);
  pl_arena_free(arena);
  if (asks == PL_ASKS_NOTHING || !is)
    return;
  s->found->too_many |= s->d->atoms[asks].is_full;
  pl_sayings all = pl_sayings_of(&s->d->atoms[asks]);
  for (size_t i = 0; i < all.n; i++) {
    s->said[s->nsaid++] = all.items[i];
    tell_apart(s);
    s->nsaid--;
  }
}

/* Marks the group that an op begins. */
static void mark(search *s, uint32_t first) {
  uint32_t end = (uint32_t)s->d->nops;
  for (uint32_t at = first; at < end && s->d->ops[at].kind == PL_STEP_BRANCH;
       at = next_of_group(s->d, at, end))
    PL_PUSH(s->arena, s->marked, s->nmarked, s->cap, at);
}

/* Again where a comparison was met that makes a difference which was not known. */
static void find_builds(search *s) {
  do {
    *s->found = (pl_builds){0};
    s->d->learned = false;
    tell_apart(s);
  } while (s->d->learned && !s->found->too_many && !s->found->unclear.n);
}

pl_builds pl_builds_of(pl_arena *arena, const pl_unit *unit, const pl_marked *groups, size_t n,
                       const uint32_t *needed, size_t nneeded, size_t most) {
  pl_builds found = {0};
  search s = {.arena = arena, .d = directives_of(unit), .needed = needed, .nneeded = nneeded,
              .most = most, .found = &found};
  for (size_t i = 0; i < n; i++) {
    const pl_step *o = op_at(s.d, groups[i].of, groups[i].token);
    if (o)
      mark(&s, (uint32_t)(o - s.d->ops));
  }
  for (uint32_t i = s.d->texts[0].first; i < s.d->texts[0].end; i++)
    for (size_t k = 0; k < nneeded; k++)
      if (is_around(s.d, i, needed[k]))
        PL_PUSH(arena, s.around, s.naround, s.around_cap, i);
  find_builds(&s);
  return found;
}

/* ---- what a build sees ----------------------------------------------------------- */

pl_seen *pl_see(pl_arena *arena, pl_directives *d, const pl_build *build) {
  return pl_preprocess(arena, d, build->said, build->nsaid, false);
}

bool pl_seen_stops(const pl_seen *seen) { return seen->stops && !seen->d->open->stops; }

/* Whether the conditions of a group are gone: the build decides them. In a header all that
 * every build decides alike stays. */
static bool is_decided(const pl_seen *w, const pl_step_text *t, uint32_t first) {
  const pl_directives *d = w->d;
  bool open = t == d->texts;
  if (!w->seen[first])
    return false;
  for (uint32_t i = first; i < t->end && d->ops[i].kind == PL_STEP_BRANCH;
       i = next_of_group(d, i, t->end)) {
    if ((w->seen[i] & PL_SEEN_OPEN) || is_several(w->seen[i]))
      return false;
    open |= d->open->seen[i] & PL_SEEN_OPEN;
  }
  return open;
}

static void blank(char *out, uint32_t begin, uint32_t end) {
  for (uint32_t i = begin; i < end; i++)
    if (out[i] != '\n' && out[i] != '\r')
      out[i] = ' ';
}

/* The #define of a default, which a build that gives another value reads as well: what is
 * asked of the text is asked for each value. */
static pl_range kept_default(const pl_seen *w, const pl_step_text *t, uint32_t branch) {
  const pl_step *o = &w->d->ops[branch];
  bool kept = o->is_default && !w->defined[branch] &&
              pl_command_line_says(w->d->unit, w->d->names[o[1].name]) != 'D';
  return kept ? t->unit->tokens[o[1].token].range : (pl_range){0, 0};
}

pl_str pl_text_seen(const pl_seen *w, size_t header) {
  const pl_directives *d = w->d;
  const pl_step_text *t = &d->texts[header];
  const pl_token *tokens = t->unit->tokens;
  char *out = pl_arena_cstr(w->arena, t->unit->text);
  for (uint32_t i = t->first; i < t->end; i++) {
    pl_range at = tokens[d->ops[i].token].range;
    if (d->ops[i].kind > PL_STEP_END || !is_decided(w, t, d->ops[i].first))
      continue;
    blank(out, at.begin, at.end);
    uint32_t next = next_of_group(d, i, t->end);
    if (d->ops[i].kind != PL_STEP_BRANCH || w->seen[i] != PL_SEEN_NO || next == t->end)
      continue;
    pl_range kept = kept_default(w, t, i);
    blank(out, at.end, kept.end ? kept.begin : at.end);
    blank(out, kept.end ? kept.end : at.end, tokens[d->ops[next].token].range.begin);
  }
  return (pl_str){out, t->unit->text.n};
}

/* ---- what makes a place seen ------------------------------------------------------- */

/* A directive on one line, without the comments behind it. */
static pl_str shown(pl_arena *arena, pl_str directive) {
  pl_text out = {.arena = arena};
  pl_text_add(&out, PL_STR("#"));
  pl_str word = pl_directive_word(directive);
  for (size_t i = 0; i < word.n; i++) {
    bool comment = i + 1 < word.n && word.p[i] == '/' &&
                   (word.p[i + 1] == '/' || word.p[i + 1] == '*');
    if (comment || word.p[i] == '\n')
      break;
    bool blank = strchr(" \t\r", word.p[i]) != NULL;
    if (!blank || out.p[out.n - 1] != ' ')
      pl_text_printf(&out, "%c", blank ? ' ' : word.p[i]);
  }
  while (out.n && out.p[out.n - 1] == ' ')
    out.n--;
  return pl_text_view(&out);
}

/* What a command says for a build, by names that are its to define; empty: it takes more.
 * A name that is not to be defined is most often not. */
static pl_str flags_of(pl_arena *arena, const pl_build *b) {
  pl_text out = {.arena = arena};
  bool defines = b->ngiven > 0;
  for (size_t i = 0; i < b->nsaid; i++) {
    const pl_said *one = &b->said[i];
    if (pl_first_word(one->key).n != one->key.n || pl_str_starts(one->key, "__"))
      return PL_STR("");
    if (one->undefined != defines)
      pl_text_printf(&out, "%s-%c%.*s", out.n ? " " : "", defines ? 'D' : 'U',
                     PL_FMT(one->key));
    if (!one->undefined && one->value != 1)
      pl_text_printf(&out, "=%lld", (long long)one->value);
  }
  return pl_text_view(&out);
}

/* The flags of a build that sees a place as far as the marked groups say, or does not. */
static pl_str flags_for(search *s, uint32_t offset, bool seen) {
  pl_builds found = {0};
  s->found = &found;
  s->most = PL_MOST_NESTED;
  find_builds(s);
  for (size_t i = 0; i < found.n; i++) {
    bool sees = true;
    for (size_t k = 0; k < s->nmarked; k++)
      sees &= found.items[i].seen[k] == PL_SEEN_YES || !is_around(s->d, s->marked[k], offset);
    if (sees == seen)
      return flags_of(s->arena, &found.items[i]);
  }
  return PL_STR("");
}

bool pl_condition_at(pl_arena *arena, const pl_unit *unit, uint32_t offset, uint32_t from,
                     pl_condition *c) {
  search s = {.arena = arena, .d = directives_of(unit)};
  *c = (pl_condition){0};
  for (uint32_t i = s.d->texts[0].first; i < s.d->texts[0].end; i++) {
    pl_range at = unit->tokens[s.d->ops[i].token].range;
    if (!is_around(s.d, i, offset) || at.end <= from)
      continue;
    if (!c->directive.n) {
      uint32_t first = s.d->ops[s.d->ops[i].first].token;
      c->at = at;
      c->directive = shown(arena, pl_token_text(unit, s.d->ops[i].token));
      if (!s.d->ops[i].term)
        c->directive = pl_arena_printf(arena, "#else of %.*s",
                                       PL_FMT(shown(arena, pl_token_text(unit, first))));
    }
    mark(&s, s.d->ops[i].first);
  }
  c->flags = c->directive.n ? flags_for(&s, offset, true) : PL_STR("");
  return c->directive.n > 0;
}

pl_str pl_flags_past(pl_arena *arena, pl_str source, uint32_t offset) {
  pl_unit *unit = PL_NEW(arena, pl_unit);
  *unit = (pl_unit){.arena = arena, .text = source};
  unit->tokens = pl_lex(arena, source, &unit->ntokens);
  pl_unit_index(unit);
  pl_directives *d = pl_directives_read(arena, unit);
  for (uint32_t i = d->texts[0].end; i-- > d->texts[0].first;) {
    search s = {.arena = arena, .d = d};
    if (!is_around(d, i, offset) || !(d->open->seen[i] & PL_SEEN_OPEN))
      continue;
    mark(&s, d->ops[i].first);
    pl_str flags = flags_for(&s, offset, false);
    if (flags.n)
      return flags;
  }
  return PL_STR("");
}
