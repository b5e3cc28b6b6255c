// Blanks inside of all brackets, none behind a keyword, as in dense linear algebra libraries.
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

    // pipelinify: ldg, 2 stages, source 276356fa
    static_assert( __is_trivially_copyable( real_t ) && !__is_same( real_t, volatile real_t ),
                   "real_t must be plain data and not volatile" );
    int kb = 0, stage = 0;
    if( kb < jb ) {
        // block row jb of L, block kb
        if( jb * NB + ty < n ) {
            sL_stage[ 0 ][ ty ][ tx ] = dL[ ( jb * NB + ty ) + ( kb * NB + tx ) * ldl ];
        } else {
            sL_stage[ 0 ][ ty ][ tx ] = 0;
        }
        // already solved block kb of X
        sX_stage[ 0 ][ ty ][ tx ] = dX[ ( kb * NB + ty ) + tx * ldx ];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for( ++kb; kb < jb; ++kb ) {
            real_t sL_next;
            // block row jb of L, block kb
            if( jb * NB + ty < n ) {
                sL_next = dL[ ( jb * NB + ty ) + ( kb * NB + tx ) * ldl ];
            } else {
                sL_next = 0;
            }
            // already solved block kb of X
            real_t sX_next = dX[ ( kb * NB + ty ) + tx * ldx ];

            #pragma unroll
            for( int k = 0; k < NB; ++k ) {
                rC -= sL_stage[ stage ][ ty ][ k ] * sX_stage[ stage ][ k ][ tx ];
            }
            stage ^= 1;
            sL_stage[ stage ][ ty ][ tx ] = sL_next;
            sX_stage[ stage ][ ty ][ tx ] = sX_next;
            __syncthreads();
        } // kb
        #pragma unroll
        for( int k = 0; k < NB; ++k ) {
            rC -= sL_stage[ stage ][ ty ][ k ] * sX_stage[ stage ][ k ][ tx ];
        }
    }

    dY[ ( blockIdx.x * NB + ty ) * NB + tx ] = rC;
}

void trsm( int n, int jb, int batch, const double* L, const double* X, double* Y )
{
    trsm_update_kernel< double ><<< batch, dim3( NB, NB ) >>>( n, jb, L, n, X, Y, n );
}
