/* facts.h - what the file system answered when a source was parsed, to be
 * asked again: where all answers are the same, so is the parse. */
#ifndef PL_FACTS_H
#define PL_FACTS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "codec.h"
#include "digest.h"
#include "watch.h"

/* Which object it is: two paths to one file are another thing than two files
 * with the same bytes (#pragma once). */
typedef struct pl_object {
  dev_t device;
  ino_t inode; /* 0: none */
} pl_object;

/* A question and its answer. */
typedef struct pl_fact {
  uint32_t question; /* pl_question */
  int mode;
  const char *path;
  uint32_t error, kind; /* errno, S_IFMT bits */
  pl_digest content;    /* of files, links, lists; else zeroes */
  pl_object object;     /* not kept, see pl_objects_digest */
} pl_fact;

typedef struct pl_facts {
  pl_fact *items; /* by path, then by question */
  size_t count;
} pl_facts;

/* The answers to all that was asked, each once. False: they have changed since
 * the parse, or may have done so unseen, or a file has the time in it. Free
 * with pl_facts_free; the paths are those of the sights. */
bool pl_facts_from(const pl_sights *sights, pl_facts *facts);
void pl_facts_free(pl_facts *facts);

/* Asks a fact's question now. */
pl_fact pl_fact_now(const pl_fact *fact);
bool pl_fact_same(const pl_fact *a, const pl_fact *b);

void pl_fact_fields(pl_codec *codec, pl_fact *fact);

/* Which of the objects are the same ones, as a number for each: the index of
 * the first that it equals. */
pl_digest pl_objects_digest(const pl_object *objects, size_t count);

/* Whether a text asks the preprocessor for the time or the date. */
bool pl_has_time(const char *text, size_t length);

#endif
