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
    __shared__ real_t sL[ NB ][ NB + 1 ];
    __shared__ real_t sX[ NB ][ NB + 1 ];

    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    dL += size_t( blockIdx.x ) * ldl * n;
    dX += size_t( blockIdx.x ) * ldx * NB;

    real_t rC = dX[ ( jb * NB + ty ) + tx * ldx ];

    for( int kb = 0; kb < jb; ++kb ) {
        // block row jb of L, block kb
        if( jb * NB + ty < n ) {
            sL[ ty ][ tx ] = dL[ ( jb * NB + ty ) + ( kb * NB + tx ) * ldl ];
        } else {
            sL[ ty ][ tx ] = 0;
        }
        // already solved block kb of X
        sX[ ty ][ tx ] = dX[ ( kb * NB + ty ) + tx * ldx ];
        __syncthreads();

        #pragma unroll
        for( int k = 0; k < NB; ++k ) {
            rC -= sL[ ty ][ k ] * sX[ k ][ tx ];
        }
        __syncthreads();
    } // kb

    dY[ ( blockIdx.x * NB + ty ) * NB + tx ] = rC;
}

void trsm( int n, int jb, int batch, const double* L, const double* X, double* Y )
{
    trsm_update_kernel< double ><<< batch, dim3( NB, NB ) >>>( n, jb, L, n, X, Y, n );
}
