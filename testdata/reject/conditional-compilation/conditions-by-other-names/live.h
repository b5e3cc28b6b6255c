typedef volatile float sample;
