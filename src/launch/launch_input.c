/* launch_input.c - see launch_input.h. */
#include "launch_input.h"

#include <stdlib.h>
#include <string.h>

#include "launch_taken.h"

/* What an error is placed in. */
typedef struct reading {
  pl_launch_error error;
  const char *place; /* a path, or the option */
  bool is_file;
} reading;

static pl_launch_list *read_option(const char *launch, reading *r) {
  pl_bytes bytes;
  r->place = "--launch";
  r->is_file = pl_read_file(launch, &bytes);
  if (!r->is_file)
    return pl_launches_from_text(launch, strlen(launch), &r->error);
  r->place = launch;
  pl_launch_list *list =
      pl_launches_from_text(bytes.data, bytes.size, &r->error);
  free(bytes.data);
  return list;
}

/* In its comments; where there are none, in kernel.launch beside it. */
static pl_launch_list *read_beside(const char *path, const pl_bytes *source,
                                   const char *beside, reading *r) {
  pl_bytes bytes;
  r->place = path;
  r->is_file = true;
  pl_launch_list *list =
      pl_launches_from_source(source->data, source->size, &r->error);
  if (!list || list->n || !pl_read_file(beside, &bytes))
    return list;
  pl_launch_list_free(list);
  r->place = beside;
  list = pl_launches_from_text(bytes.data, bytes.size, &r->error);
  free(bytes.data);
  return list;
}

pl_launch_list *pl_read_launches(const char *option, const char *path,
                                 const pl_bytes *source, FILE *err) {
  reading r;
  char *beside = pl_launch_file_of(path);
  pl_launch_list *list = option ? read_option(option, &r)
                                : read_beside(path, source, beside, &r);
  if (!list)
    fprintf(err, "%s:%d:%d: error: %s%s\n", r.place, r.error.line,
            r.error.column, r.error.text,
            !r.is_file && !strpbrk(option, " \n")
                ? ", or the name of a file that is there"
                : "");
  free(beside);
  return list;
}
