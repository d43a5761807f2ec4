"""The bundled judge's training: solutions that the bundled solver wrote, and what is said of them.

Mistakes that a program puts into a right solution are not those that a solver makes. So the solver
solves training problems (:mod:`training.judging.sample`), the domains tell which step of each
solution is the first wrong one (:mod:`training.judging.label`), and the judge learns from both.
"""
