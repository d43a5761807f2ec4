"""Training the fast verifier of FlexiVe (paper 002, section 3.2 and appendix A.1.1)."""
