#ifndef SETTINGS_H
#define SETTINGS_H

#ifndef APART
// compilers call it in two ways
#define APART __restrict__
#endif

#if !defined(KEEP)
#  define KEEP(what)
#endif

#define NOTE(what)

#endif
