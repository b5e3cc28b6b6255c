/* output.h - reading and writing whole files.
 *
 * A file is replaced in one step or stays as it was, see replace.h. Symbolic
 * links are followed, equal bytes are not written again, and a signal leaves no
 * temporary file. */
#ifndef PL_OUTPUT_H
#define PL_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

typedef struct pl_bytes {
  char *data; /* NUL after `size` bytes; free with free */
  size_t size;
} pl_bytes;

/* The whole of a file; "-" is standard input. False: errno says why; EFBIG:
 * it has more than clang can number. */
bool pl_read_file(const char *path, pl_bytes *bytes);

/* What is left of an open file. */
bool pl_read_descriptor(int fd, pl_bytes *bytes);

typedef enum pl_write_status {
  PL_WRITE_DONE,
  PL_WRITE_SAME,  /* these bytes were there already */
  PL_WRITE_FAILED /* errno says why */
} pl_write_status;

/* Devices and pipes are written in place. */
pl_write_status pl_write_file(const char *path, const char *data, size_t size);
/* The file gets a mark too, see attributes.h. */
pl_write_status pl_write_marked(const char *path, const char *data, size_t size,
                                const char *mark);

/* Makes the directories above `path`. */
bool pl_make_parents(const char *path);

/* dir/kernel.cu and _pipe: dir/kernel_pipe.cu. Free with free. */
char *pl_path_with_suffix(const char *path, const char *suffix);

/* Where a source goes below `dir`: a relative path stays what it is, less what
 * leads up from there; of an absolute path the name is left. Free with free. */
char *pl_path_below(const char *dir, const char *path);

/* The number of a stream that is closed must not become that of a file which
 * we write. What stands in for it fails as the stream would; only messages that
 * nobody wants get lost. */
void pl_guard_streams(void);

#endif
