#ifndef PORTABLE_H
#define PORTABLE_H

#include "sample_type.h"

// Some hosts' tools choke on the word.
#ifdef NO_RESTRICT
#define APART
#else
#define APART __restrict__
#endif

// For a look at partial sums: a build says so.
#ifdef _DEBUG
#define PROBE(place, value) *(place) = (value)
#else
#define PROBE(place, value)
#endif

typedef sample reading;

struct Station {
    const float *base;
    __device__ float at(float *seen, int i) const
    {
#ifdef COUNT_READS
        seen[i] = 1.f;
#endif
        return base[i];
    }
};

#define JOINED(a, b) a##b
#define KIND_OF(name) JOINED(name, _kind)
#if defined(LIVE_INPUT)
#define tide_kind volatile float
#else
#define tide_kind float
#endif

#endif
