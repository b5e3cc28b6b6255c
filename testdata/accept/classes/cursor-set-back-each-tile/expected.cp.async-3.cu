#include <cuda_runtime.h>
#include <cuda_pipeline.h>

#define BOX 40
#define THREADS 32

// One cursor for the loads, for compute and for the next loads: it is set back each time.
//
// pipelinify: launch box_forces
//   sizes  boxes=0,1,2,3,4,7
//   target boxes=64
//   block  32
//   first: in  [boxes + 1] below(9)
//   atoms: in  [48] random
//   force: out [32]
//   boxes: boxes
__global__ void box_forces(const int *__restrict__ first, const float4 *__restrict__ atoms,
                           float4 *__restrict__ force, int boxes)
{
    constexpr int stages = 3;
    __shared__ float4 other_stage[stages][BOX];
    const int t = threadIdx.x;
    int w = t;
    float4 sum = {0, 0, 0, 0};
    // pipelinify: cp.async, 3 stages, source 67bdd9aa
    int k_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (k_load < boxes) {
            int w_load = t;
            const float4 *from = atoms + first[k_load];
            while (w_load < BOX) {
                __pipeline_memcpy_async(&other_stage[load_stage][w_load], &from[w_load],
                                        sizeof(float4));
                w_load = w_load + THREADS;
            }
            k_load++;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (int k = 0; k < boxes; k++) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);
        w = t;
        while (w < BOX) {
            for (int j = 0; j < BOX; j++)
                sum.x += other_stage[stage][j].w - other_stage[stage][w].x;
            w = w + THREADS;
        }
        w = t;
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
    force[blockIdx.x * THREADS + t] = sum;
}

// The same as older code has it, with everything declared at the top: the box that is loaded
// is chosen by a branch, and the home box is loaded before.
//
// pipelinify: launch neighbour_boxes
//   sizes  neighbours=0,1,2,4,5
//   target neighbours=26
//   grid   2
//   block  16
//   neighbours: neighbours
//   list:   in  [2 * neighbours + 1] below(4)
//   pos:    in  [4 * 20] random
//   charge: in  [4 * 20] random
//   out:    inout [2 * 20] random
//   alpha:  0.5
__global__ void neighbour_boxes(int neighbours, const int *__restrict__ list,
				const float4 *__restrict__ pos, const float *__restrict__ charge,
				float4 *__restrict__ out, float alpha)
{
	int bx = blockIdx.x;	// box
	int tx = threadIdx.x;	// thread
	int wtx = tx;

	if (bx < 2) {
		float a2 = 2.0f * alpha * alpha;
		int pointer, first_j, j, k = 0;
		const float4 *from;
		const float *q_from;
		float r2, w;
		__shared__ float4 home[20];
		constexpr int stages = 3;
		__shared__ float4 box_stage[stages][20];
		__shared__ float q_box_stage[stages][20];

		while (wtx < 20) {
			home[wtx] = pos[bx * 20 + wtx];
			wtx = wtx + 16;
		}
		wtx = tx;
		__syncthreads();

		// home box first, then its neighbours
		// pipelinify: cp.async, 3 stages, source 640141ba
		k = 0;
		int k_load = k;
		// Starts to copy the next tile to a stage, if there is one.
		auto copy_tile = [&](int load_stage) {
			if (k_load < (1 + neighbours)) {
				int wtx_load = tx;
				if (k_load == 0) {
					pointer = bx;
				}
				else {
					pointer = list[bx * neighbours + k_load - 1];
				}
				first_j = pointer * 20;
				from = &pos[first_j];
				q_from = &charge[first_j];

				while (wtx_load < 20) {
					__pipeline_memcpy_async(&box_stage[load_stage][wtx_load], &from[wtx_load],
					                        sizeof(float4));
					__pipeline_memcpy_async(&q_box_stage[load_stage][wtx_load], &q_from[wtx_load],
					                        sizeof(float));
					wtx_load = wtx_load + 16;
				}
				k_load++;
			}
			__pipeline_commit();
		};
		for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
			copy_tile(load_stage);
		int stage = 0;
		// Main loop: stages - 1 tiles are in flight while computing on one.
		for (; k < (1 + neighbours); k++) {
			__pipeline_wait_prior(stages - 2);
			__syncthreads();
			copy_tile(stage == 0 ? stages - 1 : stage - 1);

			wtx = tx;
			while (wtx < 20) {
				for (j = 0; j < 20; j++) {
					r2 = home[wtx].w + box_stage[stage][j].w - home[wtx].x * box_stage[stage][j].x;
					w = expf(-a2 * r2);
					out[bx * 20 + wtx].w += q_box_stage[stage][j] * w;
					out[bx * 20 + wtx].x += q_box_stage[stage][j] * w *
					                        (home[wtx].x - box_stage[stage][j].x);
				}
				wtx = wtx + 16;
			}

			// reset work index
			wtx = tx;
			stage = stage == stages - 1 ? 0 : stage + 1;
		}
		__pipeline_wait_prior(0);
		__syncthreads();
	}
}
