ERROR
LOOP pipelined
