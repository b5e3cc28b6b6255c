/* launch_input.c - see launch_input.h. */
#include "launch_input.h"

#include <stdlib.h>
#include <string.h>

static pl_launch_list *read_option(const char *launch,
                                   pl_launch_error *error) {
  pl_bytes bytes;
  if (!pl_read_file(launch, &bytes))
    return pl_launches_from_text(launch, strlen(launch), error);
  pl_launch_list *list = pl_launches_from_text(bytes.data, bytes.size, error);
  free(bytes.data);
  return list;
}

pl_launch_list *pl_read_launches(const char *option, const char *path,
                                 const pl_bytes *source, FILE *err) {
  pl_launch_error error;
  pl_launch_list *list =
      option ? read_option(option, &error)
             : pl_launches_from_source(source->data, source->size, &error);
  if (!list)
    fprintf(err, "%s:%d:%d: error: %s%s\n", option ? "--launch" : path,
            error.line, error.column, error.text,
            option && !strpbrk(option, " \n")
                ? ", or the name of a file that is there"
                : "");
  return list;
}
