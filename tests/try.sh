#!/bin/sh
# try.sh - sets everything up, pipelines a sample kernel, shows the diff and
# proves on the CPU that both kernels leave the same bits behind.
. "$(dirname "$0")/setup.sh"

sample=testdata/accept/kernels/sgemm-tile32/kernel.cu
"$bin" -v --diff "$sample" || [ $? = 1 ]
"$bin" validate "$sample"
