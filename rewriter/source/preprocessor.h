/* preprocessor.h - the directives of a text and of its headers, gone through as the
 * preprocessor does it in some build. For preprocessor.c and builds.c. */
#ifndef PL_PREPROCESSOR_H
#define PL_PREPROCESSOR_H

#include "answers.h"
#include "builds.h"
#include "conditions.h"

enum {
  PL_MOST_NESTED = 64, /* groups and headers, one inside the other; names that a build says */
  PL_MOST_COMPARED = 24,
  PL_ATOM_LISTS = 4096
};

typedef enum pl_step_kind {
  PL_STEP_BRANCH,
  PL_STEP_END,
  PL_STEP_DEFINE,
  PL_STEP_UNDEF,
  PL_STEP_POP, /* what a name was again, which is not followed */
  PL_STEP_INCLUDE,
  PL_STEP_ONCE,
  PL_STEP_ERROR
} pl_step_kind;

/* A directive. */
typedef struct pl_step {
  pl_step_kind kind;
  uint32_t token;
  pl_directive read;   /* of a branch */
  const pl_term *term; /* its condition; NULL: #else */
  uint32_t first;      /* the op of its group's #if */
  bool is_default;     /* of an #if: `#ifndef NAME`, `#define NAME` */
  bool in_braces;      /* of the file: what stands there is rewritten for all to see */
  uint32_t name;       /* that is defined, by which a header is included (0: by its path) */
  pl_str body;         /* what it is defined as, or the path */
  size_t header;       /* the text that is included; 0: none of the user's */
} pl_step;

typedef struct pl_step_text {
  const pl_unit *unit;
  uint32_t first, end; /* ops */
  bool is_included;
  bool is_once; /* it is read no second time: #pragma once, or a name that guards it */
} pl_step_text;

typedef struct pl_comparison {
  pl_str op;
  int64_t value;
} pl_comparison;

/* What a build may say: of a name, or of a part of a condition that is not read further. */
typedef struct pl_atom {
  pl_str key;
  bool is_always; /* defined */
  bool asked;     /* whether it is */
  pl_comparison compared[PL_MOST_COMPARED];
  size_t n;
  bool is_full; /* there are more */
  size_t next;  /* of its hash, and one; 0: it is the last */
} pl_atom;

struct pl_directives {
  pl_arena *arena;
  const pl_unit *unit;
  pl_step_text *texts; /* the file's first */
  size_t ntexts;
  pl_step *ops;
  size_t nops, ops_cap;
  pl_str *names; /* 1 and up */
  uint32_t nnames, *slots, nslots;
  size_t names_cap;
  bool *guards; /* of names: a header's */
  pl_atom *atoms;
  size_t natoms, atoms_cap;
  size_t atoms_by_hash[PL_ATOM_LISTS]; /* the last of each hash, and one; 0: none */
  bool learned; /* of a difference that what is said of an atom does not make */
  const pl_seen *open; /* what is seen where nothing is known of the build */
  const pl_seen *here; /* ... and with what the command line says alone */
};

/* What a branch, or its condition, was each time that it was met: some of these. */
enum { PL_SEEN_NO = 1, PL_SEEN_YES = 2, PL_SEEN_OPEN = 4 };

#define PL_ASKS_NOTHING SIZE_MAX

struct pl_seen {
  pl_arena *arena;
  pl_directives *d;
  const pl_said *said;
  size_t nsaid;
  bool is_here; /* what is not said is as the command line says */
  struct macro *macros; /* preprocessor.c's */
  bool *once; /* texts that are not read again */
  bool *within; /* texts that are being read */
  /* How many names were settled when a text had been read by a build that may not read it,
   * and one; nothing is new in it for such a build until another is. */
  size_t *read, nsettled, nincluded;
  bool is_endless; /* more is included than is gone through */
  unsigned char *seen, *held; /* for each op: the branches' answers, and the conditions' */
  bool *defined; /* ... of a default: the name was, by a directive ahead */
  size_t *asks;
  size_t asked; /* by the last condition */
  const pl_term *whole; /* that condition, or what a macro that is all of it stands for */
  bool in_braces; /* ... which stands in them */
  int depth;
  bool stops; /* upon an #error */
};

/* Goes through the file, and through what it includes; of what is not said nothing is known,
 * or (`is_here`) what the command line says. */
pl_seen *pl_preprocess(pl_arena *arena, pl_directives *d, const pl_said *said, size_t nsaid,
                       bool is_here);

/* All that can be said of an atom, as far as some condition tells the difference. */
typedef struct pl_sayings {
  pl_said items[3 * PL_MOST_COMPARED + 3];
  size_t n;
} pl_sayings;

pl_sayings pl_sayings_of(const pl_atom *a);

#endif
