/* build_id.h - which builds of the program and of its libraries are running. */
#ifndef PL_BUILD_ID_H
#define PL_BUILD_ID_H

#include "digest.h"

/* One digest of the program and of every library that is loaded: their linker's
 * build IDs, or, of one that has none, the state of its file; and of the files of
 * libclang, which is loaded late. */
pl_digest pl_loaded_builds(void);

#endif
