/* replace.h - a file's bytes replaced in one step.
 *
 * The new bytes go to a file without a name in the same directory. Whole and on
 * the disk, it gets the name, if that is free, or one of its own that a rename
 * takes to the other file's place:
 *
 *   dir/.kernel.cu.PID.pipelinify       (of a long name, what fits)
 *
 * Only in the moment between those two steps can a kill -9 leave anything
 * behind, and the next write to the same place removes that. */
#ifndef PL_REPLACE_H
#define PL_REPLACE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>

/* `old` is what is at `target`, whose mode, attributes and, where that is
 * allowed, owner stay; NULL: nothing. `mark`: see attributes.h; NULL: none.
 * False with errno. */
bool pl_replace_file(const char *target, const struct stat *old,
                     const char *data, size_t size, const char *mark);

/* All of it; false with errno. */
bool pl_write_all(int fd, const char *data, size_t size);

#endif
