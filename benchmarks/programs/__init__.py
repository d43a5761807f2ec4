"""Recorded logic programs as SMT-LIB."""
