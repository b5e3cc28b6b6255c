LOOP pipelined
LOOP refused
