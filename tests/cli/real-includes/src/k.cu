#include "near.h"
#include <far.h>
__global__ void NAME(int *p) { p[0] = 1; }
