// Graph attention, the weighted sum of neighbours: auto holds no 72 values a thread; one who asks for it may.
template<int F> struct Features { float f[F]; };

// pipelinify: launch gat_aggregate<8, 64>
//   sizes  blocks=1,2,3
//   target blocks=64
//   grid   blocks
//   block  64
//   let    n = blocks * 64
//   h:     in [n * 8] range(-1, 1)
//   alpha: in [n * n] range(0, 1)
//   out:   out [n * 8]
//   n:     n
template<int F, int T>
__global__ void __launch_bounds__(T) gat_aggregate(const Features<F>* __restrict__ h, const float* __restrict__ alpha,
                                                   Features<F>* __restrict__ out, int n)
{
	__shared__ Features<F> hs[T];
	__shared__ float as[T][T + 1];

	const int i = blockIdx.x*T + threadIdx.x;
	Features<F> acc = {};

	for (int j0 = 0; j0 < n; j0 += T)
	{
		hs[threadIdx.x] = h[j0 + threadIdx.x];
		for (int r = 0; r < T; ++r)
			as[r][threadIdx.x] = alpha[(blockIdx.x*T + r)*n + j0 + threadIdx.x];
		__syncthreads();

		for (int j = 0; j < T; ++j)
			for (int f = 0; f < F; ++f)
				acc.f[f] += as[threadIdx.x][j]*hs[j].f[f];
		__syncthreads();
	}
	out[i] = acc;
}

void gat(const float* h, const float* alpha, float* out, int n)
{
	gat_aggregate<8, 64><<<n/64, 64>>>(reinterpret_cast<const Features<8>*>(h), alpha, reinterpret_cast<Features<8>*>(out), n);
}
