/* attributes.h - what the file system keeps beside a file's bytes: access lists,
 * extended attributes, and among these our mark on what -o and --out-dir wrote.
 *
 * The mark is for products that cannot carry a line of ours: a copy of a source
 * that did not change is to be that source to the byte. It lies with the file
 * itself, so it is gone where the file is, and is never that of another. Where
 * a file system has no attributes, or a program puts a new file in the place
 * without them, there is no mark: such a file is like one that we never wrote. */
#ifndef PL_ATTRIBUTES_H
#define PL_ATTRIBUTES_H

#include <stdbool.h>

enum { PL_MARK_SIZE = 17 }; /* 16 digits */

/* Gives the file what the one at `path` has, but for its mark, as far as the
 * system lets us. */
void pl_attributes_copy(const char *path, int fd);

void pl_mark_file(int fd, const char *mark);
/* The same for a file that is there already. */
void pl_mark_path(const char *path, const char *mark);
/* False: it has none. */
bool pl_mark_of(const char *path, char mark[PL_MARK_SIZE]);

#endif
