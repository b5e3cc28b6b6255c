/* program.h - where a command prints, and how it ends. */
#ifndef PL_PROGRAM_H
#define PL_PROGRAM_H

#include <stdio.h>

/* The product goes to `out`, all else to `err`. */
typedef struct pl_streams {
  FILE *out, *err;
} pl_streams;

enum pl_exit {
  PL_EXIT_FINE = 0,
  PL_EXIT_CHANGED = 1,
  PL_EXIT_ERROR = 2,
  PL_EXIT_PROOF_FAILED = 3,
  PL_EXIT_NOT_PROVEN = 4
};

/* Of several things that were done: the gravest code. What was found is worth more
 * than what could not be run. */
static inline void pl_note_exit(int *worst, int code) {
  if (*worst != PL_EXIT_PROOF_FAILED)
    *worst = code == PL_EXIT_PROOF_FAILED || code > *worst ? code : *worst;
}

#endif
