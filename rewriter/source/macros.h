/* macros.h - what stands for the use of a macro of the file's? */
#ifndef PL_MACROS_H
#define PL_MACROS_H

#include "unit.h"

/* `#define NAME(params) body`, the one definition that the file has. */
typedef struct pl_macro {
  pl_str name;
  bool takes; /* a list of arguments */
  bool own_lines; /* the body begins behind the line of its #define */
  pl_str *params;
  size_t nparams, params_cap;
  pl_str body; /* without continuations */
  pl_token *tokens; /* of the body */
  uint32_t ntokens;
} pl_macro;

typedef struct pl_macro_use {
  pl_range range;
  pl_str *args;
  size_t n, cap;
} pl_macro_use;

/* Takes the macro that is used at a token; false: there is none, or its body may
 * not stand there. *m and *u are zeroed. */
bool pl_macro_used(const pl_unit *unit, uint32_t token, pl_macro *m,
                   pl_macro_use *u);
/* The definition of a name, where the file has one, in no #if, ahead of `offset`,
 * and never takes it back. *m is zeroed. */
bool pl_macro_named(const pl_unit *unit, pl_str name, uint32_t offset,
                    pl_macro *m);
/* Whether an included file defines a name, as far as that is known. */
bool pl_macro_is_given(const pl_unit *unit, pl_str name);
/* Whether a macro of an included file is called so, or has the word in its body. */
bool pl_is_word_of_macros(const pl_unit *unit, pl_str word);
/* Whether a body may say a name, by way of other macros, too. */
bool pl_macro_leads_to(const pl_unit *unit, const pl_macro *m, pl_str name);
/* Whether a word is a macro of the file's of which some definition, under any condition, says
 * a name, or one of the user's own headers or of the command line that does. */
bool pl_macro_says(const pl_unit *unit, pl_str macro, pl_str name);
/* Whether a word is a macro that may say a name, in another build, too. */
bool pl_macro_may_say(const pl_unit *unit, pl_str macro, pl_str name);
/* Whether the body makes more than a part of an expression. */
bool pl_macro_makes_statements(const pl_macro *m);
/* Whether a token of the body is a word. */
bool pl_macro_token_is(const pl_macro *m, uint32_t token, const char *word);
bool pl_macro_has(const pl_macro *m, const char *word);
/* The body with its arguments, in lines of the use's indentation. */
pl_str pl_macro_text(const pl_unit *unit, const pl_macro *m,
                     const pl_macro_use *u);
/* The use, with its operands, that begins at a token, of a macro that may make strings
 * or other words of them: `#x`, `x##_i`, by way of others, too; empty: none does. */
pl_range pl_spelled_by(const pl_unit *unit, uint32_t token);
/* The blanks in front of the line that holds an offset. */
pl_str pl_indent_at(const pl_unit *unit, uint32_t offset);

#endif
