LOOP pipelined
LOOP refused
LOOP kept
LOOP suppressed
LOOP already-pipelined
LOOP not-a-tile-loop
LOOP refused
