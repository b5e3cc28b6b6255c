#ifndef SOURCE_TERM_H
#define SOURCE_TERM_H

#ifdef __GNUC__
#define ALIGNED(n) __attribute__((aligned(n)))
#else
#define ALIGNED(n) __declspec(align(n))
#endif

#if MODEL_SINCE(3, 2)
#define SOURCE(p, v) (*(p) += (v))
#else
#define SOURCE(p, v) ((void)(v))
#endif

#endif
