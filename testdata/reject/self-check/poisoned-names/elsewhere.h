// Names of the solver's old interface. Nobody is to use them again.
#pragma GCC poison stage slot a_next b_next
