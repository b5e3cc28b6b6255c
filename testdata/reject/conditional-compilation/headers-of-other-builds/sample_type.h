#pragma once
// Words that a sensor writes while they are read, where the build is for the station.
#if defined(ON_STATION)
typedef volatile float sample;
#else
typedef float sample;
#endif
