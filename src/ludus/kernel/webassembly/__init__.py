"""Compiled code for browsers: entries as a WebAssembly module, and the arrays that it reads."""
