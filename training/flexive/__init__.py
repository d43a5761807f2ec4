"""Training the fast verifier of FlexiVe (Solve-Detect-Verify, section 3.2 and appendix A.1.1)."""
