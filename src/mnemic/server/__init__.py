"""Servers: the memory for programs that speak a protocol."""
