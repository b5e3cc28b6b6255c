int before;
LOOP pipelined
LOOP refused
LOOP not-a-tile-loop
