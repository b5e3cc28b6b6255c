#undef TRACE
#ifdef TRACED
#define TRACE 2
#else
#define TRACE 1
#endif
