// Blanks inside of all brackets, none behind a keyword, as in dense linear algebra libraries.
#include <cuda_pipeline.h>

#ifndef NB
#define NB 16
#endif

//==============================================================================
// Batched update with the solved blocks of a lower triangular system
//   X_jb -= sum over kb < jb of  L_jb,kb * X_kb
//------------------------------------------------------------------------------
//   grid.x  : batch
//   block   : NB x NB
//==============================================================================
// pipelinify: launch trsm_update_kernel<double>
//   sizes jb=0,1,2,4 batch=1,2
//   target jb=64 batch=512
//   grid batch
//   block 16,16
//   let n = (jb + 1) * 16
//   n: n
//   jb: jb
//   dL: in [batch * n * n] range(-1, 1)
//   ldl: n
//   dX: in [batch * n * 16] range(-1, 1)
//   dY: out [batch * 16 * 16]
//   ldx: n
template< typename real_t >
__global__ void
trsm_update_kernel( int n, int jb, const real_t* dL, int ldl, const real_t* __restrict__ dX,
                    real_t* __restrict__ dY, int ldx )
{
    __shared__ real_t sL_stage[ 2 ][ NB ][ NB + 1 ];
    __shared__ real_t sX_stage[ 2 ][ NB ][ NB + 1 ];

    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    dL += size_t( blockIdx.x ) * ldl * n;
    dX += size_t( blockIdx.x ) * ldx * NB;

    real_t rC = dX[ ( jb * NB + ty ) + tx * ldx ];

    // pipelinify: cp.async, 2 stages, source 276356fa
    static_assert( __is_trivially_copyable( real_t ) && !__is_same( real_t, volatile real_t ),
                   "real_t must be plain data and not volatile" );
    static_assert( __is_trivially_copyable( real_t ) &&
                   (sizeof( real_t ) == 4 || sizeof( real_t ) == 8 || sizeof( real_t ) == 16) &&
                   alignof( real_t ) == sizeof( real_t ),
                   "asynchronous copies move 4, 8 or 16 aligned bytes" );
    int kb_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if( kb_load < jb ) {
            // block row jb of L, block kb
            if( jb * NB + ty < n ) {
                __pipeline_memcpy_async( &sL_stage[ load_stage ][ ty ][ tx ],
                                         &dL[ ( jb * NB + ty ) + ( kb_load * NB + tx ) * ldl ],
                                         sizeof( real_t ) );
            } else {
                sL_stage[ load_stage ][ ty ][ tx ] = 0;
            }
            // already solved block kb of X
            __pipeline_memcpy_async( &sX_stage[ load_stage ][ ty ][ tx ],
                                     &dX[ ( kb_load * NB + ty ) + tx * ldx ], sizeof( real_t ) );
            ++kb_load;
        }
        __pipeline_commit();
    };
    copy_tile( 0 );
    // Main loop: 1 tile is in flight while computing on one.
    for( int kb = 0; kb < jb; ++kb ) {
        __pipeline_wait_prior( 0 );
        __syncthreads();
        copy_tile( stage ^ 1 );

        #pragma unroll
        for( int k = 0; k < NB; ++k ) {
            rC -= sL_stage[ stage ][ ty ][ k ] * sX_stage[ stage ][ k ][ tx ];
        }
        stage ^= 1;
    } // kb
    __pipeline_wait_prior( 0 );

    dY[ ( blockIdx.x * NB + ty ) * NB + tx ] = rC;
}

void trsm( int n, int jb, int batch, const double* L, const double* X, double* Y )
{
    trsm_update_kernel< double ><<< batch, dim3( NB, NB ) >>>( n, jb, L, n, X, Y, n );
}
