/* stub_prefilter.c - a double of the prefilter, that lets the stub library see
 * every text. */
#include <stdlib.h>

#include "prefilter.h"

pl_prefilter *pl_prefilter_new(void) { return NULL; }

void pl_prefilter_free(pl_prefilter *filter) { (void)filter; }

pl_relevance pl_prefilter_look(const pl_prefilter *filter, const char *text,
                               size_t length, const char *const *flags,
                               size_t nflags) {
  (void)filter, (void)text, (void)length, (void)flags, (void)nflags;
  return PL_MAY_HOLD_LOOP;
}
