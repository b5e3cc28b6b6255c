int level_of(float value);
