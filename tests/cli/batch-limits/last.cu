LOOP pipelined
