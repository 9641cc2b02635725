"""`python -m gramy`, the same as the `gramy` command."""

import sys

from gramy.cli import main

if __name__ == "__main__":
    sys.exit(main())
