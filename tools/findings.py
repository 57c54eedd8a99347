"""Writes tables of measurements from the ledger into README.md and docs, and the ledger's index.

python tools/findings.py [--check]     --check writes nothing and fails if a page is out of date

Each file `docs/ledger/TOPIC/NAME.toml` records one measurement.  A page marks each table by two comments:

    <!-- ledger: records search/policy-temperature search/search-bound -->
    <!-- end of ledger -->
"""

import datetime
import re
import sys
from collections.abc import Callable
from os.path import relpath
from pathlib import Path
from typing import NamedTuple

import msgspec

ROOT = Path(__file__).parents[1]
LEDGER = ROOT / "docs/ledger"
PAGES = [ROOT / "README.md", *sorted(ROOT.glob("docs/**/*.md"))]
MARKED = re.compile(r"(<!-- ledger: (\w+)(.*?) -->\n).*?(<!-- end of ledger -->)", re.DOTALL)


class Part(msgspec.Struct, forbid_unknown_fields=True):
    """A measurement's result for one part of the training recipe."""

    part: str
    setting: str
    """The preset's key, or `none`."""
    compute: str
    """What was equal on both sides: visits, time or samples."""
    found: str
    verdict: str
    presets: str
    """The value in the shipped presets."""


class Table(msgspec.Struct, forbid_unknown_fields=True):
    """A table of figures."""

    columns: list[str]
    rows: list[list[str]]
    title: str = ""


class Machine(msgspec.Struct, forbid_unknown_fields=True):
    """A kind of machine."""

    text: str
    processors: list[str] = []
    """Processors of this kind as `vendor family model`, as in /proc/cpuinfo; empty: it cannot be recognised."""
    cores: int = 0


FIGURES = {
    "simulations_per_cpu_s": "simulations/s",
    "simulations_per_cpu_s_without_foresight": "simulations/s without foresight",
    "nodes_per_cpu_s": "nodes/s",
    "share_of_evaluator_alone": "of the evaluations/s of the network alone",
    "share_of_evaluator_alone_without_foresight": "without foresight",
}
"""Figures that other programs hardly change, by their names in a command's JSON: these are recorded and compared."""


class Record(msgspec.Struct, forbid_unknown_fields=True):
    """One measurement."""

    question: str
    command: str
    machine: str
    """A name in `machines.toml`; after reading, that file's description."""
    commit: str
    """Commit of the measured code, or what is known about it."""
    prediction: str
    kept: str
    """The consequence of the result."""
    result: str = ""
    """Empty: the figures, in words."""
    settings: str = ""
    date: datetime.date | None = None
    notes: str = ""
    subject: str = ""
    """The subject's name in README's tables."""
    against: str = ""
    """The opponent in a measurement of strength."""
    parts: list[Part] = []
    tables: list[Table] = []
    brief: str = ""
    """Options with which the command takes seconds; a test compares what it then prints with `figures`."""
    settings_key: str = ""
    """The key of the settings that the command printed."""
    play_key: str = ""
    """Kind of machine and key of the play that was measured (see `tools/claims.py`); empty: not recorded."""
    outdated: bool = False
    """Whether rules, search, openings or opponent have played otherwise since."""
    figures: dict[str, float] = {}
    """Figures that the command printed, by their names in its JSON; `tools/rerun.py` writes them."""


class Place(NamedTuple):
    """A record with its link from a page."""

    name: str
    record: Record
    link: str
    """Link from the page to the record's file."""


def read_machines() -> dict[str, Machine]:
    """Return the kinds of machines by name."""
    return msgspec.toml.decode((LEDGER / "machines.toml").read_bytes(), type=dict[str, Machine])


def figure(record: Record, name: str) -> str:
    """Return a figure of a record in words, with three digits; shares in per cent."""
    value = record.figures[name]
    number = f"{100.0 * value:.0f} %" if name.startswith("share") else f"{round(value, 3 - len(str(int(value)))):,.0f}"
    return f"{number} {FIGURES[name]}"


def read_ledger() -> dict[str, Record]:
    """Read all records by `TOPIC/NAME`; raises SystemExit with the file's name if one is malformed."""
    machines = read_machines()
    found: dict[str, Record] = {}
    for path in sorted(LEDGER.glob("*/*.toml")):
        name = path.relative_to(LEDGER).with_suffix("").as_posix()
        try:
            record = msgspec.toml.decode(path.read_bytes(), type=Record)
        except msgspec.MsgspecError as error:
            raise SystemExit(f"docs/ledger/{name}.toml: {error}") from error
        if record.machine not in machines:
            raise SystemExit(f"docs/ledger/{name}.toml: machines.toml has no machine {record.machine!r}.")
        record.machine = machines[record.machine].text
        record.result = record.result or "; ".join(figure(record, name) for name in FIGURES if name in record.figures)
        if not record.result:
            raise SystemExit(f"docs/ledger/{name}.toml: it has neither a result nor figures.")
        if any(len(row) != len(table.columns) for table in record.tables for row in table.rows):
            raise SystemExit(f"docs/ledger/{name}.toml: a row's number of cells differs from its table's columns.")
        found[name] = record
    return found


def table(columns: list[str], rows: list[list[str]]) -> str:
    """Format a Markdown table."""
    escaped = [[cell.replace("|", r"\|").replace("\n", " ").strip() for cell in row] for row in rows]
    lines = [columns, ["---"] * len(columns), *escaped]
    return "".join("| " + " | ".join(line).replace("|  |", "| |") + " |\n" for line in lines).replace("| --- ", "|---")


def records(places: list[Place]) -> str:
    """Return a table of questions and results, linked to the records."""
    return table(
        ["question", "result", "kept"],
        [[f"[{each.record.question}]({each.link})", each.record.result, each.record.kept] for each in places],
    )


def parts(places: list[Place]) -> str:
    """Return a table of the training recipe's parts and their effects, gains first.

    Of several measurements of one setting, the table has that of the newest record.
    """
    newest: dict[str, tuple[Part, str]] = {}
    for place in sorted(places, key=lambda each: each.record.date or datetime.date.min):
        newest |= {part.setting: (part, place.link) for part in place.record.parts}
    found = [*newest.values()]
    found.sort(
        key=lambda each: (not each[0].verdict.startswith(("the largest", "gain")), each[0].verdict, each[0].part)
    )
    rows = [
        [
            f"{part.part} (`{part.setting}`)" if part.setting != "none" else part.part,
            *(f"[{part.found}]({link})", part.compute, part.verdict, part.presets),
        ]
        for part, link in found
    ]
    return table(["part (setting)", "found", "equal", "verdict", "in the presets"], rows)


def strength(places: list[Place]) -> str:
    """Return a table of networks, opponents and results, each with its age."""
    rows = [
        [
            *(f"[{each.record.subject}]({each.link})", each.record.against, each.record.result),
            f"{each.record.date}{', earlier play' if each.record.outdated else ''}",
        ]
        for each in places
    ]
    return table(["network", "against", "result", "measured"], rows)


def speed(places: list[Place]) -> str:
    """Return the machines and commits, and a table of subjects, figures and commands."""
    where = sorted({f"{each.record.machine}; commit `{each.record.commit}`, {each.record.date}" for each in places})
    rows = [
        [f"[{each.record.subject}]({each.link})", each.record.result, f"`{each.record.command.strip()}`"]
        for each in places
    ]
    return f"Measured on: {'. '.join(where)}.\n\n{table(['game', 'result', 'command'], rows)}"


def index(places: list[Place]) -> str:
    """Return tables of all records, by topic."""
    topics: dict[str, list[Place]] = {}
    for each in places:
        topics.setdefault(each.name.split("/")[0], []).append(each)
    return "".join(f"\n## {topic.capitalize()}\n\n{records(found)}" for topic, found in topics.items()) + "\n"


TABLES: dict[str, Callable[[list[Place]], str]] = {
    "records": records,
    "parts": parts,
    "strength": strength,
    "speed": speed,
    "index": index,
}


def written(page: Path, ledger: dict[str, Record]) -> str:
    """Return a page with its tables updated; a table without names contains all records."""

    def replace(found: re.Match[str]) -> str:
        names = found[3].split() or list(ledger)
        unknown = [name for name in names if name not in ledger]
        if unknown:
            raise SystemExit(f"{page.relative_to(ROOT)}: the ledger has no record {unknown[0]!r}.")
        links = [relpath(LEDGER / f"{name}.toml", page.parent) for name in names]
        places = [Place(name, ledger[name], link) for name, link in zip(names, links, strict=True)]
        return f"{found[1]}{TABLES[found[2]](places)}{found[4]}"

    return MARKED.sub(replace, page.read_text())


def main() -> int:
    """Write or check the pages."""
    ledger = read_ledger()
    stale = [page for page in PAGES if page.read_text() != written(page, ledger)]
    if "--check" in sys.argv:
        for page in stale:
            print(f"{page.relative_to(ROOT)} is out of date; run `python tools/findings.py`.")
        return 1 if stale else 0
    for page in stale:
        page.write_text(written(page, ledger))
    return 0


if __name__ == "__main__":
    sys.exit(main())
