/* The portability layer of a code base that also builds for OpenCL. */
#define KERNEL      extern "C" __global__ void
#define LOCAL       __shared__
#ifdef ONE_WARP
#define GROUP_SYNC  __syncwarp()
#else
#define GROUP_SYNC  __syncthreads()
#endif
#define LID         threadIdx.x
#define GID         blockIdx.x

KERNEL nbody_accel(float4 *__restrict__ acc, const float4 *__restrict__ pos,
                   int n_tiles, float eps2)
{
	LOCAL float4 cache[128];
	const float4 me = pos[GID * 128 + LID];
	float3 a = make_float3(0.f, 0.f, 0.f);

	for (int tile = 0; tile < n_tiles; ++tile) {
		cache[LID] = pos[tile * 128 + LID];
		GROUP_SYNC;
		for (int j = 0; j < 128; ++j) {
			const float4 o = cache[j];
			const float dx = o.x - me.x, dy = o.y - me.y, dz = o.z - me.z;
			const float d2 = dx * dx + dy * dy + dz * dz + eps2;
			const float inv = rsqrtf(d2);
			const float s = o.w * inv * inv * inv;
			a.x += dx * s;
			a.y += dy * s;
			a.z += dz * s;
		}
		GROUP_SYNC;
	}
	acc[GID * 128 + LID] = make_float4(a.x, a.y, a.z, 0.f);
}
