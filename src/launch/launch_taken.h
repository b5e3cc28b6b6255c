/* launch_taken.h - the launches that a source itself makes, where no launch
 * description says more: what was taken is told, and what is missing. */
#ifndef PL_LAUNCH_TAKEN_H
#define PL_LAUNCH_TAKEN_H

#include <stdio.h>

#include "launch.h"
#include "launch_infer.h"
#include "output.h"
#include "pipelinify.h"

/* Which form of each: see launch_infer.h. */
typedef enum pl_taken_form {
  PL_TAKEN_SMALL,
  PL_TAKEN_OWN,
  PL_TAKEN_FEW
} pl_taken_form;

typedef struct pl_taken {
  pl_taken_form form; /* that is asked for */
  pl_inferred_list *all;
  const pl_inferred **whole; /* nothing is missing; in the order of `all` */
  size_t n_whole;
  const pl_inferred **missing; /* of kernels of which none is whole */
  size_t n_missing;
} pl_taken;

/* Those of the kernels that `wanted` names, NULL: all; where `form` makes two the
 * same, one of them. */
void pl_taken_find(pl_taken *taken, const pl_bytes *source, pl_taken_form form,
                   const char *const *defines, size_t n_defines,
                   bool (*wanted)(const char *kernel, void *context),
                   void *context);
void pl_taken_free(pl_taken *taken);

/* forms[i] of whole[i]; NULL: all of `form`. Never NULL. */
pl_launch_list *pl_taken_launches(const pl_taken *taken, pl_taken_form form,
                                  const pl_taken_form *forms);

/* "k.cu:36: note: launch taken from the host code:" and what it was; of
 * whole[i] forms[i], NULL: the program's own sizes. */
void pl_taken_say(const pl_taken *taken, const char *path,
                  const pl_taken_form *forms, FILE *err);
/* Descriptions to be filled in, under an error. */
void pl_taken_say_missing(const pl_taken *taken, const char *path, FILE *err);

/* Writes kernel.launch beside kernel.cu. The exit code. */
int pl_taken_write(const pl_taken *taken, const char *path, bool quiet,
                   FILE *err);

/* "dir/kernel.launch" of "dir/kernel.cu". Free with free. */
char *pl_launch_file_of(const char *path);

#endif
