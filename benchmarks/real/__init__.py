"""What ``benchmarks/real_text.py`` asks of recorded model outputs, one module a section."""
