"""Words of mathematics that claim nothing of a number by themselves."""

from __future__ import annotations

from agentflow.domains.spelling import word_set

OF_MATHEMATICS = word_set("""
    absolute acceleration addition adding added algebraic algebra analysis angle angles annual
    antiderivative applied approximation area arithmetic arrangement arrangements array average
    axis base binomial bounds boundary calculus cancel canceling cancelled cartesian case cases
    central chain characteristic circle circumference class coefficient coefficients cofactor
    cofactors column columns combination combinations combinatorial common commutative
    complement complementary complex components concave conditional congruence conjugate
    consecutive constant constants constraint constraints continuous convergence convergent
    converge converges converges convert converted conversion coordinate coordinates cosine cost
    counting critical cross cube cubed cubes cubic curve curves cyclic cylinder decimal
    decreasing definite degree degrees denominator denominators density derivative derivatives
    determinant determinants diagonal diagonals diameter difference differences differential
    differentiated differentiating differentiation digit digits dimension dimensions direct
    discriminant disjoint distance distinct distribution distributions distributive divide
    divided dividend divides dividing divisible division divisor divisors domain dot double edge
    edges eigenvalue eigenvalues eigenvector eigenvectors element elements elimination equal
    equality equals equation equations equilateral equivalent estimate euclidean evaluate
    evaluated evaluation even event events exact expand expanded expanding expansion expectation
    exponent exponential exponents expression expressions extremum factor factored factorial
    factoring factorization factors finite formula formulas fraction fractions function
    functions geometric geometry graph graphs greatest height hypotenuse identities identity
    imaginary independence independent index indices induction inequality infinite infinity
    initial integer integers integral integrals integrand integrate integrated integrating
    integration intercept intercepts interest intersection intersections interval intervals
    inverse irrational isolate isolating joint kernel lagrange largest least leg legs length
    lengths limit limits line linear lines logarithm logarithmic logarithms long lower
    magnitude manipulation marginal mathematical mathematics matrices matrix maximize maximum
    mean median method methods midpoint minimize minimum minus mode modular modulo modulus
    multiple multiples multiplication multiplied multiplies multiply multiplying mutually
    natural negative normal normalized number numbers numerator numerators numerical occurring
    odd operation operations operator opposite ordered original orthogonal pair pairs parabola
    parallel parameter parametric part parts path percent percentage perimeter period periodic
    permutation permutations perpendicular pi plane plus point points polygon polynomial
    polynomials positive power powers prime primes principle prism probabilities probability
    problem product products progression projection proof proper property properties
    proportion proportional pyramid pythagorean quadratic quadrilateral quantity quotient radian
    radians radical radicals radius random range rank rate rates ratio rational rationalize
    rationalizing ratios real reciprocal rectangle recurrence recursive recursively reduce
    reduced reducing region relation relations relationship remainder residue respect root roots
    rotation row rows rule rules sample scalar sector segment sequence sequences series set
    sets side sides sign similar similarity simplification simplified simplifies simplify
    simplifying simultaneous sine single singular slope smallest solid solution solutions
    space special sphere square squared squares standard structure subinterval subset subsets
    substitute substituted substituting substitution subtract subtracted subtracting subtraction
    sum summation summed summing sums surface symmetric symmetry system systems tangent
    technique techniques term terms tetrahedron theorem theorems theory third three total totals
    trace transform transformation transformations triangle triangles triangular trigonometric
    trigonometry triple two uniform unique unit units unknown unknowns upper using value values
    variable variables variance vector vectors vertex vertical vertices volume volumes weight
    whole width zero zeros individual corresponding involves uses formed form forms
    definition defined each per all total together also leading leads gives given yields shows
    counts occur occurs expressed resulting results happening scenarios scenario
    achieved across after between binary characteristics concluded condition conditions considering
    continuously cos denote denoted determined determining differentiable domain dv dx dy du
    equating exist exists followed included invariant iterating law laws non principles repeatedly
    satisfy selecting sin specified sqrt tan under valid was were when without
    quickly systematically then first second third next final finally
""")
