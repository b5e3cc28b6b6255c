"""`python -m pipelinify`, as `pipelinify`."""
from pipelinify._program import main

if __name__ == "__main__":
    main()
