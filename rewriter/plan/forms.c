/* forms.c - which forms are there, and what is known of a variant?
 *
 * Needs: pipelinify_forms.def, the forms' own files. Gives: rows by variant, stages and ways.
 * Raises nothing. */
#include "forms.h"
#include "macros.h"

#include <string.h>

#define PL_FORM(file, variant, name, least, most, tried)                       \
  extern const pl_form pl_form_##file;
#define PL_FORM_OF(file, variant, least, most) extern const pl_form pl_form_##file;
#include "pipelinify_forms.def"
#undef PL_FORM
#undef PL_FORM_OF

static const pl_form_row rows[] = {
#define PL_FORM(file, variant, name, least, most, tried)                       \
  {&pl_form_##file, PL_VARIANT_##variant, least, most},
#define PL_FORM_OF(file, variant, least, most)                                 \
  {&pl_form_##file, PL_VARIANT_##variant, least, most},
#include "pipelinify_forms.def"
#undef PL_FORM
#undef PL_FORM_OF
};

#define ROWS (sizeof rows / sizeof *rows)

const pl_form_row *pl_form_rows(size_t *count) {
  *count = ROWS;
  return rows;
}

static bool is_mixed(const pl_form *form) {
  return form->registers && form->async;
}

static bool suits(const pl_form *form, const pl_loop *loop) {
  pl_str why = {0};
  return !loop || !form->obstacle || !form->obstacle(loop, &why);
}

const pl_form *pl_form_for(const pl_loop *loop, pl_variant variant, int stages,
                           bool mixed) {
  for (size_t i = 0; i < ROWS; i++)
    if (rows[i].variant == variant && rows[i].least <= stages &&
        stages <= rows[i].most && is_mixed(rows[i].form) == mixed &&
        suits(rows[i].form, loop))
      return rows[i].form;
  return NULL;
}

const pl_form *pl_form_of(const pl_loop *loop) {
  return pl_form_for(loop, loop->variant, loop->stages, loop->mixed);
}

const char *pl_votes_first(const pl_loop *loop, pl_str *why) {
  if (!loop->nvotes)
    return NULL;
  *why = PL_STR("the block may vote to leave the loop, and tiles are loaded ahead of "
                "that");
  return "PL2003";
}

const char *pl_all_take_part(const pl_loop *loop, pl_str *why) {
  const char *id = pl_votes_first(loop, why);
  if (id || (!loop->counts_differ && !pl_some_stay_away(loop)))
    return id;
  *why = pl_others_have_ended(loop)
             ? PL_STR("threads may return ahead of the loop, and it would wait for them, "
                      "which 'barrier' does not")
             : PL_STR("not all threads of the block may come to the loop, for each of its "
                      "tiles, and it would wait for all of them");
  return "PL2006";
}

const char *pl_those_left_take_part(const pl_loop *loop, pl_str *why) {
  const char *id = pl_votes_first(loop, why);
  return id || pl_others_have_ended(loop) ? id : pl_all_take_part(loop, why);
}

int64_t pl_state_bytes(const pl_loop *loop, pl_variant variant, int stages) {
  const pl_form *form = pl_form_for(loop, variant, stages, false);
  const pl_copy_words *words = form ? form->words : NULL;
  return words && words->state ? words->state_bytes + stages * words->stage_bytes : 0;
}

/* Whether the file, or a header of the user's, has a macro of a name, or a function of a
 * class or a namespace. */
static bool is_said_otherwise(const pl_unit *unit, pl_str name) {
  if (name.p[0] == '_' && pl_macro_is_given(unit, name))
    return true;
  for (size_t i = 0; i < unit->ndefines; i++)
    if (pl_str_eq(unit->defines[i].name, name))
      return true;
  for (uint32_t i = 0; i < unit->nfuncs; i++)
    if (pl_str_eq(unit->funcs[i]->name, name) &&
        !pl_str_eq(unit->funcs[i]->qualified, name))
      return true;
  return false;
}

/* The first name of the toolkit's in a text that would not lead there. What stands behind
 * '$' is the form's own, what stands behind a dot or a colon a member's. */
static pl_str hidden_word(const pl_unit *unit, const char *text) {
  char before = 0;
  while (text && *text) {
    pl_str word = pl_first_word((pl_str){text, strlen(text)});
    if (word.n && !strchr("$.:", before ? before : ' ') && is_said_otherwise(unit, word))
      return word;
    text += word.n + !word.n;
    before = text[-1];
  }
  return (pl_str){0};
}

/* Asynchronous copies and waits are the toolkit's functions, called by their names: in a
 * namespace or a class that has its own `__pipeline_commit` nothing would be waited for. */
static const char *hidden_words(const pl_loop *loop, const pl_form *form, pl_str *why) {
  const pl_copy_words *w = form->words;
  if (!w)
    return NULL;
  const char *texts[] = {w->object, w->parameter, w->state,  w->end,    w->acquire,
                         w->commit, w->wait,      w->issued, w->meet,   w->order,
                         w->copy,   w->together,  w->fence,  w->row,    w->release,
                         w->copy_or_zeros,        w->wait_oldest};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    pl_str word = hidden_word(loop->unit, texts[i]);
    if (!word.n)
      continue;
    *why = pl_arena_printf(loop->arena,
                           "the file has its own '%.*s', which hides the toolkit's",
                           PL_FMT(word));
    return "PL2013";
  }
  return NULL;
}

const char *pl_form_obstacle(const pl_loop *loop, pl_variant variant, pl_str *why) {
  const char *id = NULL;
  for (size_t i = 0; i < ROWS; i++) {
    if (rows[i].variant != variant)
      continue;
    id = hidden_words(loop, rows[i].form, why);
    if (!id && rows[i].form->obstacle)
      id = rows[i].form->obstacle(loop, why);
    if (!id)
      return NULL;
  }
  return id;
}

bool pl_variant_mixes(pl_variant variant) {
  for (size_t i = 0; i < ROWS; i++)
    if (rows[i].variant == variant && is_mixed(rows[i].form))
      return true;
  return false;
}

int pl_variant_usual(pl_variant variant) {
  int usual = 0;
  for (size_t i = 0; i < ROWS; i++)
    if (rows[i].variant == variant && rows[i].form->usual > usual)
      usual = rows[i].form->usual;
  return usual;
}

bool pl_leads_far(const pl_loop *loop) {
  const pl_form *form = pl_form_of(loop);
  return form && form->schedule->rounds != PL_ROUNDS_BUT_LAST;
}

bool pl_has_roles(const pl_loop *loop) {
  const pl_form *form = loop->settled ? NULL : pl_form_of(loop);
  return form && form->schedule->rounds == PL_ROUNDS_OF_ROLES;
}

/* ---- words -------------------------------------------------------------------- */

pl_str pl_copy_text(pl_arena *arena, const char *words,
                    const pl_copy_values *values) {
  const struct {
    const char *word;
    pl_str value;
  } known[] = {{"$NAME", values->name},
               {"$N", values->n},
               {"$STATE", values->state},
               {"$STAGE", values->stage},
               {"$TO", values->to},
               {"$FROM", values->from},
               {"$BYTES", values->bytes},
               {"$ZEROS", values->zeros}};
  pl_text out = {.arena = arena};
  while (*words) {
    size_t i = 0, n = sizeof known / sizeof *known;
    while (i < n && strncmp(words, known[i].word, strlen(known[i].word)) != 0)
      i++;
    pl_text_add(&out, i < n ? known[i].value : (pl_str){words, 1});
    words += i < n ? strlen(known[i].word) : 1;
  }
  return pl_text_view(&out);
}

/* ---- the public side --------------------------------------------------------- */

int pl_variant_least(pl_variant variant) {
  int least = 0;
  for (size_t i = 0; i < ROWS; i++)
    if (rows[i].variant == variant && (!least || rows[i].least < least))
      least = rows[i].least;
  return least;
}

int pl_variant_most(pl_variant variant) {
  int most = 0;
  for (size_t i = 0; i < ROWS; i++)
    if (rows[i].variant == variant && rows[i].most > most)
      most = rows[i].most;
  return most;
}

bool pl_variant_is_async(pl_variant variant) {
  for (size_t i = 0; i < ROWS; i++)
    if (rows[i].variant == variant && rows[i].form->async)
      return true;
  return false;
}

bool pl_variant_is_tried(pl_variant variant) {
  enum { ASKED, TRIED };
  static const bool tried[PL_VARIANTS] = {
#define PL_FORM(file, variant, name, least, most, when)                        \
  [PL_VARIANT_##variant] = when == TRIED,
#define PL_FORM_OF(file, variant, least, most)
#include "pipelinify_forms.def"
#undef PL_FORM
#undef PL_FORM_OF
  };
  return tried[variant];
}
