"""Lists whose headline says where their items are, and tallies beside what is counted.

Southeast of Mill:                  the items stand there
- Pier (given)
- Dock, because Pier is north of it
Pier: southeast, count = 1          how many were found so far
1 (Pier) + 1 (Dock) = 2             a sum of what is counted
"""

from __future__ import annotations

import re

from agentflow.domains.spatialmap import wording
from agentflow.domains.spatialmap.canonical import canonical, ways
from agentflow.domains.spatialmap.claims import N, number
from agentflow.domains.spatialmap.context import Context
from agentflow.domains.spatialmap.layout import Claim
from agentflow.domains.spatialmap.placing import BE, THAT, WHERE, placed

_SHELF = re.compile(
    r"(?:(?:so|thus|therefore|hence),? )?(?:there (?:are|is) )?(?:the |all |all the |only "
    r"|exactly )*"
    rf"(?:following )?(?:(?P<k>{wording.COUNT}) )?(?:(?:objects?|places?|those"
    rf"|ones)(?: found)? )?"
    rf"(?:{BE} )?{THAT}(?P<no>not )?(?P<where>{WHERE})(?: is| are)?(?: \([^()]*\))? ?:"
)
_ITEM = re.compile(rf"(?:the )?(?P<who>{N})(?=[ .!]*$| ?[(:,✓✔✅]| -|\.| (?:because|since|as)\b)")
TICKED = re.compile(rf"(?:the )?(?P<who>{N}) ?[✓✔✅☑]\ufe0f?[ .]*")
_TALLY = re.compile(
    r"(?P<before>.*[^\d\s\[(]) ?(?:(?:->|=>|=|:|-|,|;|\.|so)? ?[\[(]? ?(?:the )?"
    r"(?P<what>(?:running )?(?:count|total|tally|so far|number)(?: so far)?(?: is)? ?[:=]?)? ?"
    r"(?P<sign>[+#])?(?P<k>\d{1,2})(?: so far)?[\])]?)[ .]*",
    re.I,
)
_SUM = re.compile(
    rf"(?P<parts>\d+(?: ?\((?:{N})\))?(?: ?\+ ?\d+(?: ?\((?:{N})\))?)+) ?= ?(?P<k>\d+)"
)


def shelf(sentence: str, now: Context) -> tuple[str, int, bool] | None:
    """Where the items below a headline are: the direction, of whom, and whether they are not."""
    found = _SHELF.fullmatch(canonical(sentence.strip(" .")))
    if found is None:
        return None
    said = ways(found["where"])
    outside = next((one for one in range(len(now.objects)) if one != now.asked["of"]), None)
    claims = placed((outside,), found["where"], now) if outside is not None else None
    if len(said) != 1 or not claims or re.search(rf"{N}.*{N}", found["where"]):
        return None
    names = re.findall(N, found["where"])
    return said[0], number(names[0]) if names else now.asked["of"], bool(found["no"])


def counts(sentence: str) -> bool:
    """Whether a headline says how many items are below it."""
    found = _SHELF.fullmatch(canonical(sentence.strip(" .")))
    return found is not None and found["k"] is not None


def item(sentence: str, now: Context) -> list[Claim] | None:
    """What the headline says of an item; None if the sentence is none."""
    found = _ITEM.match(sentence)
    if found is None or now.shelf is None:
        return None
    way, of, denied = now.shelf
    who = number(found["who"])
    return None if who == of else [Claim("out" if denied else "in", way, of, (who,))]


def without_tally(sentence: str, now: Context) -> tuple[str, int | None]:
    """A sentence without the number behind it of what was found so far, and that."""
    found = _TALLY.fullmatch(sentence)
    if found is None or now.asked["kind"] != "count" or not re.search(N, found["before"]):
        return sentence, None
    if not (
        found["what"]
        or re.search(r"[✓✔✅)]$|->|=>|\($|[\[(]\d", sentence[found.end("before") - 1 :])
    ):
        return sentence, None
    return found["before"], None if found["sign"] == "+" else int(found["k"])


def summed(sentence: str) -> str:
    """A sentence in which a sum of what is counted is the number with its names."""
    return _SUM.sub(_total, sentence).strip()


def _total(found: re.Match[str]) -> str:
    parts = [int(one) for one in re.findall(r"\d+", found["parts"])]
    names = re.findall(N, found["parts"])
    if sum(parts) != int(found["k"]) or (names and len(names) != int(found["k"])):
        return found[0]
    said = f"a total of {found['k']} objects"
    return f"{said}: {', '.join(names)}. " if names else said
