#include <cuda_runtime.h>

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
    __shared__ float4 other_stage[2][BOX];
    const int t = threadIdx.x;
    int w = t;
    float4 sum = {0, 0, 0, 0};
    // pipelinify: ldg, 2 stages, source 67bdd9aa
    int k = 0, stage = 0;
    if (k < boxes) {
        auto compute_tile = [&]() {
            w = t;
            while (w < BOX) {
                for (int j = 0; j < BOX; j++)
                    sum.x += other_stage[stage][j].w - other_stage[stage][w].x;
                w = w + THREADS;
            }
            w = t;
        };
        {
            int w_load = t;
            const float4 *from = atoms + first[k];
            while (w_load < BOX) {
                other_stage[0][w_load] = from[w_load];
                w_load = w_load + THREADS;
            }
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (k++; k < boxes; k++) {
            float4 other_next[(BOX + THREADS - 1) / THREADS];
            int w_load = t;
            const float4 *from = atoms + first[k];
            #pragma unroll
            for (int slot = 0; slot < (BOX + THREADS - 1) / THREADS && w_load < BOX; ++slot) {
                other_next[slot] = from[w_load];
                w_load = w_load + THREADS;
            }
            compute_tile();
            stage ^= 1;
            {
                int w_load = t;
                #pragma unroll
                for (int slot = 0; slot < (BOX + THREADS - 1) / THREADS && w_load < BOX; ++slot) {
                    other_stage[stage][w_load] = other_next[slot];
                    w_load = w_load + THREADS;
                }
            }
            __syncthreads();
        }
        compute_tile();
    }
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
		__shared__ float4 box_stage[2][20];
		__shared__ float q_box_stage[2][20];

		while (wtx < 20) {
			home[wtx] = pos[bx * 20 + wtx];
			wtx = wtx + 16;
		}
		wtx = tx;
		__syncthreads();

		// home box first, then its neighbours
		// pipelinify: ldg, 2 stages, source 640141ba
		k = 0;
		if (k < (1 + neighbours)) {
			int stage = 0;
			auto compute_tile = [&]() {
				wtx = tx;
				while (wtx < 20) {
					for (j = 0; j < 20; j++) {
						r2 = home[wtx].w + box_stage[stage][j].w -
						     home[wtx].x * box_stage[stage][j].x;
						w = expf(-a2 * r2);
						out[bx * 20 + wtx].w += q_box_stage[stage][j] * w;
						out[bx * 20 + wtx].x += q_box_stage[stage][j] * w *
						                        (home[wtx].x - box_stage[stage][j].x);
					}
					wtx = wtx + 16;
				}

				// reset work index
				wtx = tx;
			};
			{
				int wtx_load = tx;
				if (k == 0) {
					pointer = bx;
				}
				else {
					pointer = list[bx * neighbours + k - 1];
				}
				first_j = pointer * 20;
				from = &pos[first_j];
				q_from = &charge[first_j];

				while (wtx_load < 20) {
					box_stage[0][wtx_load] = from[wtx_load];
					q_box_stage[0][wtx_load] = q_from[wtx_load];
					wtx_load = wtx_load + 16;
				}
			}
			__syncthreads();
			// Main loop: fetch the next tile while computing on this one.
			for (k++; k < (1 + neighbours); k++) {
				float4 box_next[2];
				float q_box_next[2];
				int wtx_load = tx;
				if (k == 0) {
					pointer = bx;
				}
				else {
					pointer = list[bx * neighbours + k - 1];
				}
				first_j = pointer * 20;
				from = &pos[first_j];
				q_from = &charge[first_j];

				#pragma unroll
				for (int slot = 0; slot < 2 && wtx_load < 20; ++slot) {
					box_next[slot] = from[wtx_load];
					q_box_next[slot] = q_from[wtx_load];
					wtx_load = wtx_load + 16;
				}
				compute_tile();
				stage ^= 1;
				{
					int wtx_load = tx;
					#pragma unroll
					for (int slot = 0; slot < 2 && wtx_load < 20; ++slot) {
						box_stage[stage][wtx_load] = box_next[slot];
						q_box_stage[stage][wtx_load] = q_box_next[slot];
						wtx_load = wtx_load + 16;
					}
				}
				__syncthreads();
			}
			compute_tile();
			__syncthreads();
		}
	}
}
