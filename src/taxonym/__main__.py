"""python -m taxonym, the same as the command."""

import sys

from taxonym.cli import main

if __name__ == "__main__":
    sys.exit(main())
