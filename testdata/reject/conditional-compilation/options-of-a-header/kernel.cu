// More options of a header have a say in the loop than builds are looked at: what the last of
// them says is not known.
#include <cuda_runtime.h>
#include "mixer_options.h"

#define FRAME 64

__global__ void mix(float *track, float *peak, int samples)
{
    __shared__ float frame[FRAME];
    const int tap = threadIdx.x;
    float sum = 0.0f;
    for (int first = 0; first < samples; first += FRAME) {
        frame[tap] = track[first + tap];
        __syncthreads();
        const int taps = 1 +
                        BIAS_TAPS + GAIN_TAPS + CLAMP_TAPS + DITHER_TAPS + NOISE_TAPS
                       + TAPER_TAPS + SKEW_TAPS + DRIFT_TAPS + OFFSET_TAPS + TILT_TAPS
                       + ECHO_TAPS + DELAY_TAPS + FADE_TAPS + PAN_TAPS + DRIVE_TAPS
                       + CRUSH_TAPS + GATE_TAPS + DUCK_TAPS + WIDTH_TAPS + DEPTH_TAPS
                       + RATE_TAPS + PHASE_TAPS + DAMP_TAPS + ROOM_TAPS + SIZE_TAPS
                       + MIX_TAPS + TONE_TAPS + BODY_TAPS + EDGE_TAPS + AIR_TAPS
                       + WARMTH_TAPS + PRESENCE_TAPS + SUB_TAPS + LOW_TAPS + MID_TAPS
                       + HIGH_TAPS + TOP_TAPS + FLOOR_TAPS + KNEE_TAPS;
        for (int j = 0; j < FRAME; ++j)
            sum += frame[j] * (taps * j + tap);
        KEEP(track + first + FRAME + tap, sum);
        __syncthreads();
    }
    peak[tap] = sum;
}
