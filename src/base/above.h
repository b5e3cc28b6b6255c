/* above.h - the file of a name in the nearest directory above a source. What
 * was found for a directory is kept: most sources share theirs. */
#ifndef PL_ABOVE_H
#define PL_ABOVE_H

typedef struct pl_above pl_above;

/* `name` has to outlive the result; `other`, NULL: none, is looked for in a
 * directory without it. */
pl_above *pl_above_new(const char *name, const char *other);
void pl_above_free(pl_above *above);

/* The file's absolute path, NULL: there is none. Free with free. */
char *pl_above_find(pl_above *above, const char *source);

/* The real path of the directory that a source lies in. Free with free. */
char *pl_real_directory(const char *source);

#endif
