"""Tools that check what is not language; usable without the rest of agentflow."""
