"""Programs of Z3 whose premises contradict each other prove nothing, whatever they say."""

from __future__ import annotations

import pytest

from agentflow.tools.z3_tool import z3_tool

TOOL = z3_tool()
HEAD = "from z3 import *\n"
BOOLS = HEAD + "a, b, c, d = Bools('a b c d')\ns = Solver()\n"

PROVED = [
    pytest.param(
        BOOLS
        + """s.add(Implies(a,b),a)
r1=s.check(b);r2=s.check(Not(b))
ans='Agree' if r2==unsat else 'Contradict' if r1==unsat else 'Uncertain'""",
        "Agree",
        id="two-sided",
    ),
    pytest.param(
        BOOLS
        + """s.add(Implies(a,b))
s.add(a)
s.add(Not(b))
ans='Agree' if s.check()==unsat else 'Uncertain'""",
        "Agree",
        id="one-sided",
    ),
    pytest.param(
        BOOLS
        + """s.add(c)
s.add(Not(d))
s.add(Implies(a,b))
s.add(a)
s.add(Not(b))
ans='Agree' if s.check()==unsat else 'Uncertain'""",
        "Agree",
        id="irrelevant first",
    ),
    pytest.param(
        BOOLS
        + """s.add(Implies(a,b))
s.add(a)
s.push()
s.add(Not(b))
r=s.check()
s.pop()
ans='Agree' if r==unsat else 'Uncertain'""",
        "Agree",
        id="push",
    ),
    pytest.param(
        BOOLS
        + """s.add(Not(Implies(And(Implies(a,b),a),b)))
ans = s.check()==unsat""",
        True,
        id="imp",
    ),
    pytest.param(
        BOOLS
        + """s.add(Not(Implies(Implies(a,b),Implies(a,b))))
ans = s.check()==unsat""",
        True,
        id="imp chain",
    ),
    pytest.param(
        BOOLS
        + """s.add(And(Implies(a,b),a,Not(b)))
ans = 'True' if s.check()==unsat else 'False'""",
        "True",
        id="and",
    ),
    pytest.param(
        BOOLS
        + """s.add(Implies(a,Not(b)),a)
s.add(b)
ans = 'Contradict' if s.check()==unsat else 'Uncertain'""",
        "Contradict",
        id="claim positive",
    ),
    pytest.param(
        BOOLS
        + """s.add(Implies(a,Not(b)),a,Not(c))
s.push()
s.add(b)
x=s.check()
s.pop()
s.add(Not(b))
y=s.check()
ans = 'Contradict' if x==unsat and y==sat else 'Uncertain'""",
        "Contradict",
        id="claim positive two",
    ),
    pytest.param(
        HEAD
        + """x=Int('x')
s=Solver()
s.add(x>3,x<5)
s.check()
v=s.model()[x].as_long()
s.add(x!=v)
ans=v if s.check()==unsat else None""",
        4,
        id="number",
    ),
    pytest.param(
        HEAD
        + """ans=None
for k in range(1,6):
    s=Solver()
    xs=[Int(f'x{i}') for i in range(4)]
    s.add([And(x>=0,x<k) for x in xs])
    s.add(Distinct(xs))
    if s.check()==sat:
        ans=k
        break""",
        4,
        id="search",
    ),
    pytest.param(
        BOOLS
        + """s.add(Implies(a,b))
s.add(a)
s.add(Not(b))
'Agree' if s.check()==unsat else 'Uncertain'""",
        "Agree",
        id="last expr",
    ),
    pytest.param(
        HEAD
        + """S=DeclareSort('S')
bob=Const('bob',S)
m=Function('m',S,BoolSort())
t=Function('t',S,BoolSort())
x=Const('x',S)
s=Solver()
s.add(ForAll([x],Implies(m(x),t(x))))
s.add(m(bob))
s.add(Not(t(bob)))
ans='Agree' if s.check()==unsat else 'no'""",
        "Agree",
        id="fol",
    ),
    pytest.param(
        BOOLS
        + """s.add(Not(Or(a,Not(a))))
ans='Agree' if s.check()==unsat else 'Uncertain'""",
        "Agree",
        id="tautology",
    ),
    pytest.param(
        BOOLS
        + """import sys
s.add(Implies(a,b))
s.add(a)
s.add(Not(b))
ans='Agree' if s.check()==unsat else 'Uncertain'
sys.exit(0)""",
        "Agree",
        id="exit",
    ),
    pytest.param(
        HEAD
        + """x=Int('x')
o=Optimize()
o.add(x>2,x<9)
o.maximize(x)
o.check()
ans=o.model()[x].as_long()""",
        8,
        id="opt",
    ),
    pytest.param(
        HEAD
        + """x=Int('x')
s=Solver()
s.add(x>3,x<5)
ans=None
for l,c in [('A',x==7),('B',x==4)]:
    s.push()
    s.add(Not(c))
    if s.check()==unsat: ans=l
    s.pop()""",
        "B",
        id="options",
    ),
    pytest.param(
        HEAD
        + """x=Int('x')
s=Solver()
s.add(x>3,x<6)
ans=None
for l,c in [('A',x==7),('B',x==4)]:
    s.push()
    s.add(c)
    if s.check()==sat: ans=l
    s.pop()""",
        "B",
        id="could be",
    ),
    pytest.param(
        BOOLS
        + """s.add(a,Not(a))
x=s.check(b);y=s.check(Not(b))
ans='unsolvable' if x==y==unsat else 'Agree'""",
        "unsolvable",
        id="unsolvable said",
    ),
]
VACUOUS = [
    pytest.param(
        BOOLS
        + """s.add(Implies(a,b))
s.add(a)
s.add(Not(a))
s.add(Not(b))
ans='Agree' if s.check()==unsat else 'Uncertain'""",
        id="one-sided contra",
    ),
    pytest.param(
        BOOLS
        + """s.add(a)
s.add(Not(a))
s.add(Not(b))
r=s.check()
ans='Agree' if r==unsat else 'unsolvable' if r==unknown else 'Uncertain'""",
        id="contra unknown named",
    ),
    pytest.param(
        BOOLS
        + """s.add(a,Not(a))
s.push()
s.add(Not(b))
r=s.check()
s.pop()
ans='Agree' if r==unsat else 'Uncertain'""",
        id="push",
    ),
    pytest.param(
        BOOLS
        + """s.add(Not(Implies(And(a,Not(a)),b)))
ans = s.check()==unsat""",
        id="imp",
    ),
    pytest.param(
        BOOLS
        + """s.add(c)
s.add(Not(Implies(And(a,Not(a)),b)))
ans = s.check()==unsat""",
        id="imp ctx",
    ),
    pytest.param(
        BOOLS
        + """s.add(Not(Implies(a,Implies(Not(a),b))))
ans = s.check()==unsat""",
        id="imp chain",
    ),
    pytest.param(
        BOOLS
        + """s.add(And(a,Not(a),Not(b)))
ans = 'True' if s.check()==unsat else 'False'""",
        id="and",
    ),
    pytest.param(
        BOOLS
        + """s.add(Not(d))
s.add(a)
s.add(Implies(a,b))
s.add(Implies(b,c))
s.add(Implies(c,And(a,b,d,Not(b))))
ans = 'True' if s.check()==unsat else 'False'""",
        id="claim first",
    ),
    pytest.param(
        BOOLS
        + """s.add(a,Not(a))
ans = 'True' if s.check(Not(b))==unsat else 'False'""",
        id="assumed",
    ),
    pytest.param(
        BOOLS + """ans = 'True' if s.check(a,Not(a),Not(b))==unsat else 'False'""", id="all assumed"
    ),
    pytest.param(
        BOOLS
        + """s.add(a,Not(a))
x=s.check(b);y=s.check(Not(b))
ans='Agree' if (x,y)==(sat,unsat) else 'Contradict' if (x,y)==(unsat,sat) else 'Uncertain'""",
        id="uncertain both",
    ),
    pytest.param(
        BOOLS
        + """s.add(a,Not(a))
s.add(Not(b))
'Agree' if s.check()==unsat else 'Uncertain'""",
        id="last expr",
    ),
    pytest.param(
        BOOLS
        + """import sys
s.add(a,Not(a))
s.add(Not(b))
ans='Agree' if s.check()==unsat else 'Uncertain'
sys.exit(0)""",
        id="exit",
    ),
    pytest.param(
        BOOLS
        + """s.add(a,Not(a))
s.add(Not(b))
ans='Agree' if s.check()==unsat else 'Uncertain'
quit()""",
        id="quit",
    ),
    pytest.param(
        HEAD
        + """S=DeclareSort('S')
bob=Const('bob',S)
m=Function('m',S,BoolSort())
t=Function('t',S,BoolSort())
x=Const('x',S)
s=Solver()
s.add(ForAll([x],m(x)))
s.add(Not(m(bob)))
s.add(Not(t(bob)))
ans='Agree' if s.check()==unsat else 'no'""",
        id="fol",
    ),
    pytest.param(
        HEAD
        + """x=Int('x')
s=Solver()
s.add(x>3,x<2)
s.add(x!=5)
ans=5 if s.check()==unsat else 0""",
        id="number",
    ),
    pytest.param(
        HEAD
        + """x=Int('x')
s=Solver()
s.add(x>3,x<2)
ans=None
for l,c in [('A',x==7),('B',x==4)]:
    s.push()
    s.add(Not(c))
    if s.check()==unsat and ans is None: ans=l
    s.pop()""",
        id="options",
    ),
    pytest.param(
        HEAD
        + """x=Int('x')
s=SimpleSolver()
s.add(x>3,x<2)
s.add(x!=5)
ans='Agree' if s.check()==unsat else 0""",
        id="simple",
    ),
    pytest.param(
        HEAD
        + """x=Int('x')
s=Then('simplify','smt').solver()
s.add(x>3,x<2)
s.add(x!=5)
ans='Agree' if str(s.check())=='unsat' else 0""",
        id="tactic",
    ),
    pytest.param(
        HEAD
        + """x=Int('x')
s=SolverFor('QF_LIA')
s.add(x>3,x<2)
s.add(x!=5)
ans='Agree' if s.check()==unsat else 0""",
        id="for",
    ),
    pytest.param(
        BOOLS
        + """s.add(a)
s.check()
s.add(Not(a))
s.add(Not(b))
ans='Agree' if s.check()==unsat else 0""",
        id="sanity then more",
    ),
    pytest.param(
        BOOLS
        + """s.add(a,Not(a))
s.add(Not(b))
try:
    ans='Agree' if s.check()==unsat else 0
except Exception:
    ans='Agree'""",
        id="handles",
    ),
]


def found(program: str) -> dict[str, object]:
    call = {"type": "tool_call", "id": "1", "name": "z3", "args": {"program": program}}
    artifact: dict[str, object] = TOOL.invoke(call).artifact
    return artifact


@pytest.mark.parametrize(("program", "value"), PROVED)
def test_a_claim_is_proved_from_premises_that_can_hold(program: str, value: object) -> None:
    assert found(program)["value"] == value


@pytest.mark.parametrize("program", VACUOUS)
def test_nothing_is_proved_from_premises_that_contradict_each_other(program: str) -> None:
    result = found(program)
    assert (result["outcome"], result["value"]) == (None, None)
    assert "contradict each other" in str(result["failure"])
