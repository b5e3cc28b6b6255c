/* unit.h - the text of a translation unit: tokens, lines, directives, places.
 *
 * tokens.c, lexer.c, directives.c and unit.c act on it; what it means is model.h's.
 * Source positions are byte offsets into the main file. */
#ifndef PL_UNIT_H
#define PL_UNIT_H

#include "arena.h"

typedef struct pl_range {
  uint32_t begin, end; /* [begin, end), bytes; {0, 0}: not in the main file */
} pl_range;

/* ---- tokens of the main file ------------------------------------------- */

typedef enum pl_token_kind {
  PL_TOK_IDENT,
  PL_TOK_NUMBER,
  PL_TOK_STRING, /* string or character literal, raw strings too */
  PL_TOK_PUNCT,  /* one operator or bracket, longest match */
  PL_TOK_COMMENT,
  PL_TOK_DIRECTIVE /* a whole preprocessor line with its continuations */
} pl_token_kind;

typedef struct pl_token {
  pl_token_kind kind;
  pl_range range;
} pl_token;

/* ---- a unit ------------------------------------------------------------ */

typedef struct pl_problem {
  pl_range range;  /* where, in the main file; {0,0}: elsewhere */
  pl_str message;  /* clang's text, or "no cursor covers ..." */
  bool uncovered;  /* tokens without a cursor, not a diagnostic */
} pl_problem;

/* An #error that was met. */
typedef struct pl_stop {
  pl_range range; /* in the main file; {0,0}: elsewhere */
  pl_str message; /* the text behind it */
  pl_str file;    /* the header that it stands in; empty: the main file */
  pl_str flags;   /* "-DNAME", with which it is not met; empty: not known */
} pl_stop;

/* A text and where each of its lines begins. */
typedef struct pl_lines {
  pl_str text;
  uint32_t *begins;
  uint32_t n;
} pl_lines;

/* A name that a pass has put in the place of one of the user's. */
typedef struct pl_made_name {
  pl_str made, meant;
  const struct pl_made_name *next;
} pl_made_name;

/* A function that was put into a text, for what is to call it. */
typedef struct pl_made_func {
  pl_str name;
  const struct pl_made_func *next;
} pl_made_func;

/* A loop that a text has otherwise, by its bytes of the source. */
typedef struct pl_changed_loop {
  pl_range range;
  const struct pl_changed_loop *next;
} pl_changed_loop;

/* What some of a text was put there for: a function, which stays where the rewritten text
 * calls it, something that stays whatever else does, or for which the source gets a text of
 * its own. */
typedef enum pl_made_kind {
  PL_NOT_MADE,
  PL_MADE_FUNC,
  PL_MADE_TO_STAY,
  PL_MADE_OTHERWISE
} pl_made_kind;

/* By the bytes of the source that a part of the text stands for. */
typedef struct pl_made_otherwise {
  pl_range source;
  pl_str text;
  pl_range with; /* only where something there is edited; empty: anywhere */
  const struct pl_made_otherwise *next;
} pl_made_otherwise;

/* A text in which macros' bodies stand in the place of their uses, and for each of
 * its bytes the bytes of the source that it stands for; NULL: it is the source. */
typedef struct pl_expanded {
  pl_str text, source;
  pl_lines lines; /* of the source */
  pl_range *origins;
  const unsigned char *made; /* for each byte, pl_made_kind; NULL: none is made */
  const pl_made_func *funcs;
  const pl_made_otherwise *otherwise;
  const pl_changed_loop *waited; /* loops whose asynchronous copies and waits have been
                                    replaced: all of it is rewritten or none */
  const pl_changed_loop *undone; /* loops that had two buffers, and have one here */
  bool renames; /* it has names that the source does not */
  const pl_made_name *renamed;
  bool for_async; /* it is good for nothing but more asynchronous copies */
  const struct pl_expanded *padded; /* it is that one with rows of tiles that lie further
                                       apart; NULL: they lie as they did */
} pl_expanded;

/* A line that defines a macro, or takes it back. */
typedef struct pl_macro_line {
  bool defines; /* else it is #undef */
  pl_str name;  /* empty: it is neither */
  pl_str body;  /* the parameters included */
  uint32_t begin; /* the directive's, where it is one of a unit's */
  bool is_default; /* by the directive before it: `#ifndef N`, `#define N 64` */
} pl_macro_line;

/* Whether the text, a macro of the user's or the command line has a word. */
typedef struct pl_asked_word {
  const char *word;
  bool has;
} pl_asked_word;

/* Where each word of a text is, so that nobody looks for one token by token. */
typedef struct pl_word_index {
  uint32_t *first; /* of each word, by its hash; ntokens: none */
  uint32_t *next;  /* for each token, the next one that reads the same */
  uint32_t mask;   /* `first` has so many places, and one more */
  bool *hidden;    /* plan_open.c's; NULL: not asked yet */
  pl_asked_word *asked; /* places.c's */
  size_t nasked, asked_cap;
} pl_word_index;

/* A header of the user's: not the toolkit's, the system's, or one of a library, which is
 * included by `<...>`, by -isystem or with many others. */
typedef struct pl_own_header {
  const char *path; /* as clang names it */
  pl_str text;
  struct pl_unit *unit; /* of its tokens; NULL: not asked for yet */
  pl_str by; /* the path of what includes it first; empty: the command line does */
  uint32_t at; /* ... and where there */
} pl_own_header;

typedef struct pl_unit {
  pl_arena *arena;
  pl_str path;
  pl_str text;
  const pl_expanded *expanded; /* NULL: text is the source */
  const struct pl_unit *conditional; /* of the text with its conditions, where this
                                        one is what a build sees of it; else itself */
  pl_token *tokens;
  uint32_t ntokens;
  pl_lines lines;
  bool mixes_tabs; /* lines are indented by blanks, and from 8 on by tabs for 8 */
  pl_word_index *words;
  uint32_t *directives, *comments; /* which tokens are such, in order */
  size_t ndirectives, ncomments, directives_cap, comments_cap;
  pl_macro_line *defines; /* the #define lines, in order */
  size_t ndefines, defines_cap;
  struct pl_func **funcs; /* with bodies; main file's first, in source order */
  uint32_t nfuncs;
  pl_problem *problems; /* errors; sorted by offset */
  uint32_t nproblems;
  pl_str *lost; /* names that declarations with an error in them declare */
  size_t nlost, lost_cap;
  pl_problem *absent; /* headers that were not found: where, and the name */
  size_t nabsent, absent_cap;
  pl_stop *stops;
  size_t nstops, stops_cap;
  const char *const *args; /* clang's, of the command line */
  size_t nargs;
  int arch; /* 80 for sm_80; 0: as if */
  const pl_range *left_out; /* of the main file, by its #if */
  size_t nleft_out;
  pl_str *macros; /* that included files define; of those that are not the user's none
                     with a '_' first */
  size_t nmacros, macros_cap;
  pl_str *macro_words; /* of their bodies, for the user's own */
  size_t nmacro_words, macro_words_cap;
  pl_str *definitions; /* of the macros in the user's own headers: `NAME(x) x` */
  size_t ndefinitions, definitions_cap;
  pl_macro_line *defaults; /* the #define lines of the file and of the user's headers
                              that are defaults */
  size_t ndefaults, defaults_cap;
  const char **headers; /* that were opened, as clang names them; not our own */
  size_t nheaders;
  pl_own_header *own_headers; /* in the order in which they were opened */
  size_t nown_headers;
  struct pl_declared_names *declared; /* branch_names.c's; NULL: not asked yet */
  struct pl_directives *preprocessed; /* preprocessor.c's; the same */
  struct pl_open_name *open_names; /* open_values.c's answers so far */
  size_t nopen_names, open_names_cap;
  bool headers_ask_for_line; /* one of the user's says __builtin_LINE, or a
                                source_location */
  uint64_t digest; /* pl_unit_digest, as it was parsed; 0: not asked for */
  bool used_toolkit; /* parsed with real CUDA headers, not with the shim */
  bool used_usual; /* with those that the headers of libraries often bring */
  unsigned nbroken; /* its functions for the GPU that hold an error */
  bool shim_is_bad; /* its precompiled form could not be read */
} pl_unit;

/* ---- its text ---------------------------------------------------------- */

pl_str pl_unit_slice(const pl_unit *unit, pl_range range);
/* Whether other sources may include the file, by its name: then they may use its
 * templates with other arguments. */
bool pl_unit_is_header(const pl_unit *unit);

/* Once for a text and its tokens: where its lines begin, its directives and
 * comments, and its macros. */
void pl_unit_index(pl_unit *unit);
pl_lines pl_find_lines(pl_arena *arena, pl_str text);
/* Line and column, both from 1, columns in bytes. */
void pl_unit_position(const pl_unit *unit, uint32_t offset, unsigned *line,
                      unsigned *column);

/* A range as one of the source, with the line and column where it begins there. */
pl_range pl_unit_place(const pl_unit *unit, pl_range range, unsigned *line,
                       unsigned *column);
/* The same of an expanded text. */
pl_range pl_origin_of(const pl_expanded *expanded, pl_range range);
/* Where in an expanded text a place of the source is, that nothing stands for. */
uint32_t pl_offset_in(const pl_expanded *e, uint32_t offset);

bool pl_range_inside(pl_range inner, pl_range outer);

/* ---- tokens (tokens.c) --------------------------------------------------- */

/* Tokens from `first` to before `end`, by their index. */
typedef struct pl_run {
  uint32_t first, end;
} pl_run;

/* The index of the first token that begins at or after `offset`; ntokens at the
 * end. `_code` passes over comments and directives. */
uint32_t pl_token_from(const pl_unit *unit, uint32_t offset);
uint32_t pl_token_code(const pl_unit *unit, uint32_t index);
/* The first directive, or comment, at or after a token; ntokens: none. Those of a
 * range are found without a look at the tokens between them. */
uint32_t pl_directive_from(const pl_unit *unit, uint32_t index);
uint32_t pl_comment_from(const pl_unit *unit, uint32_t index);
/* Those that lie in a range with all their bytes. */
pl_run pl_tokens_in(const pl_unit *unit, pl_range range);
/* Empty behind the last. */
pl_str pl_token_text(const pl_unit *unit, uint32_t index);
bool pl_token_is(const pl_unit *unit, uint32_t index, const char *spelling);
/* The first token that reads so, whatever it is; ntokens: none. `words->next` says the
 * next one. */
uint32_t pl_token_of(const pl_unit *unit, pl_str word);
/* Once for a unit's tokens. */
void pl_index_words(pl_unit *unit);
/* The tokens of one of the unit's own headers. */
const pl_unit *pl_header_unit(const pl_unit *unit, size_t header);
/* Whether a name is one of the words of a range. */
bool pl_unit_says(const pl_unit *unit, pl_range range, pl_str name);
/* How often a word stands in a range, whatever it is there but a member. */
size_t pl_count_words(const pl_unit *unit, pl_range range, pl_str word);
/* Whether a directive other than a pragma stands in a range. */
bool pl_has_conditional_text(const pl_unit *unit, pl_range range);

/* ---- words (lexer.c, directives.c) ------------------------------------- */

/* The tokens of the main file: comments and directives included. */
pl_token *pl_lex(pl_arena *arena, pl_str text, uint32_t *count);
pl_str pl_token_in(pl_str text, const pl_token *token);

/* A word of C++, by which nothing is declared. */
bool pl_is_keyword(pl_str word);

/* Whether a token follows `.`, `->` or `::`. */
bool pl_is_qualified(const pl_unit *unit, uint32_t at);
/* Whether a word is one of a text's tokens, whatever it is there. */
bool pl_text_says(pl_arena *arena, pl_str text, pl_str word);

/* The letters, digits and underscores that a text begins with. */
pl_str pl_first_word(pl_str text);
/* "if X" of "# if X". */
pl_str pl_directive_word(pl_str text);
/* The name that `pragma pop_macro("NAME")` gives its meaning of before; empty: another
 * directive. */
pl_str pl_popped_name(pl_str word);
/* What follows blanks, ends of continued lines and comments. */
pl_str pl_past_blanks(pl_str text);
/* That of token `i`; empty: it is no directive. */
pl_str pl_directive_at(const pl_unit *unit, uint32_t i);
/* Whether a directive, without its '#', is `pragma once`. */
bool pl_is_pragma_once(pl_str word);

/* Reads a directive from its word on. */
pl_macro_line pl_macro_of(pl_str word);
/* What the command line says of a macro in the end: 'U' of -U, 'D' of -D; 0: not a
 * word. */
char pl_command_line_says(const pl_unit *unit, pl_str name);
/* What -D gives it there; empty: it gives nothing. */
pl_str pl_command_line_value(const pl_unit *unit, pl_str name);
/* Whether a definition has its value as a default, by the directive before it (from its
 * word on). */
bool pl_is_default_of(pl_arena *arena, pl_str before, pl_str name);
/* Whether a place stands between `#if` and `#endif`, a guard of the file's aside. */
bool pl_is_conditional(const pl_unit *unit, uint32_t at);
/* How many directives ahead of `end` (offset) define a macro. */
int pl_macro_definitions(const pl_unit *unit, pl_str name, uint32_t end);
/* Whether the text of a use is a name that stands for one number in every build:
 * the file defines it, or a header of the user's own, once, under no #if. */
bool pl_macro_is_number(const pl_unit *unit, pl_range use);
/* How many do so in the user's own headers, as this build reads them. */
int pl_header_macro_definitions(const pl_unit *unit, pl_str name);
/* The line of an own header that says what a macro is in every build: it alone defines it, and
 * neither stands under an #if nor is its header included under one. NULL: there is none. */
const pl_macro_line *pl_header_macro(const pl_unit *unit, pl_str name);

#endif
