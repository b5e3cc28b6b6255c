/* report_tree.c - see report_tree.h. */
#include "report_tree.h"

#include <stdlib.h>
#include <string.h>

#include "remarks.h"
#include "text.h"

const char *pl_tree_text(const json_t *object, const char *key) {
  const char *text = json_string_value(json_object_get(object, key));
  return text ? text : "";
}

long long pl_tree_number(const json_t *object, const char *key) {
  json_t *value = json_object_get(object, key);
  return json_is_integer(value) ? json_integer_value(value) : -1;
}

bool pl_tree_is(const json_t *object, const char *key, const char *text) {
  return strcmp(pl_tree_text(object, key), text) == 0;
}

char *pl_tree_sentence(const json_t *loop) {
  const char *lead = pl_verdict_lead(pl_tree_text(loop, "verdict"));
  const char *message = pl_tree_text(loop, "message");
  return *message ? pl_format("%s: %s", lead, message)
                  : pl_format("%s", lead);
}

static void each_loop_of_file(pl_report_place place,
                              void (*visit)(void *, const pl_report_place *),
                              void *context) {
  size_t k, i;
  json_array_foreach(json_object_get(place.file, "kernels"), k, place.kernel)
    json_array_foreach(json_object_get(place.kernel, "loops"), i, place.loop)
      visit(context, &place);
}

void pl_report_each_loop(const pl_report *report,
                         void (*visit)(void *, const pl_report_place *),
                         void *context) {
  pl_report_place place = {.report = report};
  json_array_foreach(pl_report_files(report), place.file_index, place.file)
    each_loop_of_file(place, visit, context);
}
