#pragma once

// Only one compiler is told that buffers do not meet.
#if defined(__clang__)
#define APART __restrict__
#elif defined(_MSC_VER)
#define APART __restrict
#else
#define APART
#endif
