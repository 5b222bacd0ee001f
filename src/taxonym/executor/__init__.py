"""Where work runs: this process or others, memory, checkpoints, and the context of a run."""
