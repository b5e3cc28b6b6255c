// What a build of the mixer may ask for.
#pragma once
#ifdef WITH_BIAS
#define BIAS_TAPS 1
#else
#define BIAS_TAPS 0
#endif
#ifdef WITH_GAIN
#define GAIN_TAPS 2
#else
#define GAIN_TAPS 0
#endif
#ifdef WITH_CLAMP
#define CLAMP_TAPS 3
#else
#define CLAMP_TAPS 0
#endif
#ifdef WITH_DITHER
#define DITHER_TAPS 4
#else
#define DITHER_TAPS 0
#endif
#ifdef WITH_NOISE
#define NOISE_TAPS 5
#else
#define NOISE_TAPS 0
#endif
#ifdef WITH_TAPER
#define TAPER_TAPS 6
#else
#define TAPER_TAPS 0
#endif
#ifdef WITH_SKEW
#define SKEW_TAPS 7
#else
#define SKEW_TAPS 0
#endif
#ifdef WITH_DRIFT
#define DRIFT_TAPS 1
#else
#define DRIFT_TAPS 0
#endif
#ifdef WITH_OFFSET
#define OFFSET_TAPS 2
#else
#define OFFSET_TAPS 0
#endif
#ifdef WITH_TILT
#define TILT_TAPS 3
#else
#define TILT_TAPS 0
#endif
#ifdef WITH_ECHO
#define ECHO_TAPS 4
#else
#define ECHO_TAPS 0
#endif
#ifdef WITH_DELAY
#define DELAY_TAPS 5
#else
#define DELAY_TAPS 0
#endif
#ifdef WITH_FADE
#define FADE_TAPS 6
#else
#define FADE_TAPS 0
#endif
#ifdef WITH_PAN
#define PAN_TAPS 7
#else
#define PAN_TAPS 0
#endif
#ifdef WITH_DRIVE
#define DRIVE_TAPS 1
#else
#define DRIVE_TAPS 0
#endif
#ifdef WITH_CRUSH
#define CRUSH_TAPS 2
#else
#define CRUSH_TAPS 0
#endif
#ifdef WITH_GATE
#define GATE_TAPS 3
#else
#define GATE_TAPS 0
#endif
#ifdef WITH_DUCK
#define DUCK_TAPS 4
#else
#define DUCK_TAPS 0
#endif
#ifdef WITH_WIDTH
#define WIDTH_TAPS 5
#else
#define WIDTH_TAPS 0
#endif
#ifdef WITH_DEPTH
#define DEPTH_TAPS 6
#else
#define DEPTH_TAPS 0
#endif
#ifdef WITH_RATE
#define RATE_TAPS 7
#else
#define RATE_TAPS 0
#endif
#ifdef WITH_PHASE
#define PHASE_TAPS 1
#else
#define PHASE_TAPS 0
#endif
#ifdef WITH_DAMP
#define DAMP_TAPS 2
#else
#define DAMP_TAPS 0
#endif
#ifdef WITH_ROOM
#define ROOM_TAPS 3
#else
#define ROOM_TAPS 0
#endif
#ifdef WITH_SIZE
#define SIZE_TAPS 4
#else
#define SIZE_TAPS 0
#endif
#ifdef WITH_MIX
#define MIX_TAPS 5
#else
#define MIX_TAPS 0
#endif
#ifdef WITH_TONE
#define TONE_TAPS 6
#else
#define TONE_TAPS 0
#endif
#ifdef WITH_BODY
#define BODY_TAPS 7
#else
#define BODY_TAPS 0
#endif
#ifdef WITH_EDGE
#define EDGE_TAPS 1
#else
#define EDGE_TAPS 0
#endif
#ifdef WITH_AIR
#define AIR_TAPS 2
#else
#define AIR_TAPS 0
#endif
#ifdef WITH_WARMTH
#define WARMTH_TAPS 3
#else
#define WARMTH_TAPS 0
#endif
#ifdef WITH_PRESENCE
#define PRESENCE_TAPS 4
#else
#define PRESENCE_TAPS 0
#endif
#ifdef WITH_SUB
#define SUB_TAPS 5
#else
#define SUB_TAPS 0
#endif
#ifdef WITH_LOW
#define LOW_TAPS 6
#else
#define LOW_TAPS 0
#endif
#ifdef WITH_MID
#define MID_TAPS 7
#else
#define MID_TAPS 0
#endif
#ifdef WITH_HIGH
#define HIGH_TAPS 1
#else
#define HIGH_TAPS 0
#endif
#ifdef WITH_TOP
#define TOP_TAPS 2
#else
#define TOP_TAPS 0
#endif
#ifdef WITH_FLOOR
#define FLOOR_TAPS 3
#else
#define FLOOR_TAPS 0
#endif
#ifdef WITH_KNEE
#define KNEE_TAPS 4
#else
#define KNEE_TAPS 0
#endif
#ifdef IN_PLACE
#define KEEP(to, value) *(to) = (value)
#else
#define KEEP(to, value) ((void)(value))
#endif
