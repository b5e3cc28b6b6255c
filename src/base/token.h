/* token.h - CUDA text token by token, for emutext.c and emuptx.c.
 *
 * No preprocessor and no parser: comments, space and line splices are skipped,
 * strings, raw strings, numbers and names are tokens, all else is a token a
 * character. A stretch is [p, end). */
#ifndef PL_TOKEN_H
#define PL_TOKEN_H

#include "arena.h"

#include <stdbool.h>

bool pl_tok_is_name(char c);
bool pl_tok_is_digit(char c);
bool pl_tok_is_space(char c);

pl_str pl_tok_between(const char *p, const char *end);
/* Does the stretch begin with `text`? */
bool pl_tok_at(const char *p, const char *end, const char *text);

/* The end of the block comment at `p`. */
const char *pl_tok_skip_comment(const char *p, const char *end);
/* The end of the comments and space at `p`; `p` itself where there are none. */
const char *pl_tok_skip_blank(const char *p, const char *end);
/* The end of the token at `p`. */
const char *pl_tok_skip(const char *p, const char *end);
/* The token behind comments and space, empty at the end; its end. */
const char *pl_tok_next(const char *p, const char *end, pl_str *token);
/* The bracket that closes the one at `p`; NULL where none does. */
const char *pl_tok_closing(const char *p, const char *end);
/* Is `word` one of the text's tokens? */
bool pl_tok_in(pl_str text, const char *word);

#endif
