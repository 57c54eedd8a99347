"""Reruns the commands of the ledger's records that have figures, and compares what they print with the records.

python tools/rerun.py [NAME]... [--record]     NAME: a record such as speed/tree-chess (default: all with figures)

Each command runs with the record's `brief` options, which take seconds.  A figure that differs by more than a factor of
2, or another key of the settings, is a fault; the exit status is then 1.  Only figures of this kind of machine are
compared.  With --record, the commands run as they are, and their figures replace those of the records, with this
machine, commit and date.
"""

import argparse
import datetime
import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

from findings import FIGURES, LEDGER, ROOT, Machine, Record, read_ledger, read_machines

from ludus.selfplay.measure import describe_machine

FACTOR = 2.0
"""Other programs and other machines of the same kind change figures by less."""


def kind_of(cpuinfo: str, cores: int, machines: dict[str, Machine]) -> str | None:
    """Return the name of this kind of machine; None: `machines.toml` does not recognise it.

    Args:
        cpuinfo: text of /proc/cpuinfo.
        cores: number of cores.
        machines: the kinds of machines.
    """
    lines = (line.partition(":") for line in cpuinfo.splitlines())
    first: dict[str, str] = {}
    for name, _, value in lines:
        first.setdefault(name.strip(), value.strip())
    processor = " ".join(first.get(name, "?") for name in ("vendor_id", "cpu family", "model"))
    found = [name for name, each in machines.items() if processor in each.processors and each.cores == cores]
    return found[0] if found else None


def this_kind(machines: dict[str, Machine]) -> str | None:
    """Return the name of the kind of this machine; None: it is not known."""
    cpuinfo = Path("/proc/cpuinfo")
    return kind_of(cpuinfo.read_text() if cpuinfo.is_file() else "", os.cpu_count() or 1, machines)


def program_of(words: list[str]) -> list[str]:
    """Return a command that runs in this Python."""
    return [*{"ludus": [sys.executable, "-m", "ludus"], "python": [sys.executable]}[words[0]], *words[1:]]


def replace_keys(path: Path, values: dict[str, str]) -> None:
    """Replace or add keys of a record by their values in TOML."""
    text = path.read_text()
    for key, value in values.items():
        line = f"{key} = {value}"
        text, number = re.subn(rf"^{key} = .*$", lambda _, line=line: line, text, flags=re.MULTILINE)
        text = text if number else text.replace("\nprediction = ", f"\n{line}\nprediction = ", 1)
    path.write_text(text)


def output_of(record: Record, *, brief: bool) -> dict[str, Any]:
    """Run a record's command; return its JSON.

    Raises:
        SystemExit: the command failed.
    """
    words = shlex.split(f"{record.command.strip()} {record.brief if brief else ''} --json")
    done = subprocess.run(program_of(words), cwd=ROOT, stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"{shlex.join(words)}: exit status {done.returncode}")
    return json.loads(str(done.stdout).strip().splitlines()[-1])


def faults_of(name: str, record: Record, said: dict[str, Any]) -> list[str]:
    """Print the figures of a record beside those of its command; return its faults."""
    faults = list[str]()
    for figure, then in record.figures.items():
        now = float(said[figure])
        print(f"{name}: {figure} {then:,.4g} in the record, {now:,.4g} now ({now / then:.2f} times)", flush=True)
        if not then / FACTOR <= now <= then * FACTOR:
            faults.append(f"{name}: {figure} was {then:,.4g} and is {now:,.4g}.")
    if record.settings_key != said["settings"]:
        faults.append(f"{name}: the settings of the command have changed ({record.settings_key}, {said['settings']}).")
    return faults


def store(name: str, said: dict[str, Any], kind: str, commit: str) -> None:
    """Write the figures that a command printed into its record, with machine, commit and date."""
    path = LEDGER / f"{name}.toml"
    values = {"machine": f'"{kind}"', "commit": f'"{commit}"', "date": str(datetime.date.today())}
    replace_keys(path, values | {"settings_key": f'"{said["settings"]}"'})
    text = re.sub(r"\n\[figures\]\n[^\[]*", "", path.read_text()).rstrip()
    figures = "".join(f"{figure} = {_three_digits(said[figure])}\n" for figure in FIGURES if figure in said)
    path.write_text(f"{text}\n\n[figures]\n{figures}")


def _three_digits(value: float) -> float:
    """Round a figure; the rest is noise."""
    return float(f"{value:.3g}")


def main() -> int:
    """Compare or record the figures."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", help="records such as speed/tree-chess (default: all that have figures)")
    parser.add_argument("--record", action="store_true", help="replace the figures of the records")
    arguments = parser.parse_args()
    machines, ledger = read_machines(), read_ledger()
    kind = this_kind(machines)
    here = machines[kind].text if kind else "a machine that docs/ledger/machines.toml does not describe"
    commit = describe_machine()["commit"]  # before this changes the records
    faults = list[str]()
    for name in arguments.names or [name for name, record in ledger.items() if record.figures]:
        record = ledger[name]
        if arguments.record:
            if kind is None:
                raise SystemExit("Describe this machine in docs/ledger/machines.toml first.")
            store(name, output_of(record, brief=False), kind, commit)
        elif record.machine != here:
            print(f"{name}: not compared: measured on {record.machine}; this is {here}.")
        else:
            faults += faults_of(name, record, output_of(record, brief=True))
    for fault in faults:
        print(f"{fault} Find the cause, or record the new figure: python tools/rerun.py {fault.split(':')[0]} --record")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
