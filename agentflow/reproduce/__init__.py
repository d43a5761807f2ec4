"""The papers' tables and figures as data, and what runs them: ``agentflow reproduce``.

A manifest (``manifests/PAPER/NAME.toml``) says what a table is measured on, with which models, arms
and settings, and what the paper printed. One runner serves all; there is no code for any table.
"""
