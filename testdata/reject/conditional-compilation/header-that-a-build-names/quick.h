typedef float weight;
