int before;
LOOP pipelined
int after;
