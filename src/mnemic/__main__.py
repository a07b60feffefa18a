"""`python -m mnemic` is the command line."""

from mnemic.cli import main

main()
