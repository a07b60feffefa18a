"""What coding assistants keep on a machine, read into drafts: one module a program."""
