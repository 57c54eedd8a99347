"""The disk cache of machine code in new processes: it hits when it can, and recompiles when it must."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from filelock import FileLock

import ludus

SOURCES = {
    "consts.py": "LIMIT = 21\n",
    "steps.py": "def step_of(action):\n    return action + 1\n",
    "totals.py": "from ludus.kernel import kernel\n\n\n@kernel\ndef salted(total):\n    return total + 12345\n",
    "mygame.py": """
import consts
from ludus.kernel import Rules
from steps import step_of


def make(factor):
    def play(state, action):
        state[0] += step_of(action) * factor

    def outcome(state):
        return 1 if state[0] >= consts.LIMIT else 0

    def nothing(state):
        return 0

    def listed(state, actions):
        return 0

    def encode(state, planes):
        planes[0] = 0.0

    def heuristic(state, actions, count, weights):
        return 0.0

    def image(state, symmetry, out):
        out[0] = state[0]

    def moved(state, symmetry, action):
        return action

    def maps(state, player, out):
        out[:] = 0

    def survey(state, actions, count, ranks):
        return 0.0

    return Rules("mygame", {"to_play": nothing, "legal": listed, "play": play, "outcome": outcome, "encode": encode,
                            "heuristic": heuristic, "symmetric_state": image, "symmetric_action": moved,
                            "final_maps": maps, "survey": survey, "foresee": nothing})
""",
    "search.py": """
from ludus.kernel import entry, kernel
from totals import salted


@entry
def play_out(rules, state, num_actions):
    total = 0
    for action in range(num_actions):
        if rules.outcome(state) == 0:
            rules.play(state, action)
            total += state[0]
    return peppered(salted(total))


@kernel
def peppered(total):
    return total + 0
""",
    "run.py": """
import json
import sys
import mygame
import numpy as np
import search

result = search.play_out(mygame.make(int(sys.argv[1])), np.zeros(1, np.int64), 10)
stats = search.play_out.dispatcher.stats
print(json.dumps([int(result), sum(stats.cache_hits.values()), sum(stats.cache_misses.values())]))
""",
}
HIT, COMPILED = [1, 0], [0, 1]
EDITS = (
    ("steps.py", "action + 1", "action + 2", {"step": 2}),
    ("mygame.py", "* factor", "* factor + 0 * action", {}),
    ("consts.py", "21", "34", {"limit": 34}),
    ("totals.py", "12345", "54321", {"salt": 54321}),
    ("search.py", "total + 0", "total + 7", {"salt": 54328}),  # a kernel after the entry in the file
    ("search.py", "total = 0", "total = 1", {"salt": 54329}),
)
"""For each source file, a text before and after an edit, and its effect on the result."""


def expected(factor=3, step=1, limit=21, salt=12345):
    """Return the result that the sources should give."""
    state = total = 0
    for action in range(10):
        if state < limit:
            state += (action + step) * factor
            total += state
    return total + salt


class Project:
    """A user's source files with their own cache."""

    def __init__(self, directory):
        self.directory = directory
        for name, source in SOURCES.items():
            (directory / name).write_text(source)

    def edit(self, name, before, after):
        source = (self.directory / name).read_text()
        assert before in source
        (self.directory / name).write_text(source.replace(before, after))

    def start(self, factor=3, **settings):
        environment = {
            **os.environ,
            "LUDUS_CACHE": str(self.directory / "cache"),
            "PYTHONDONTWRITEBYTECODE": "1",
            **settings,
        }
        return subprocess.Popen(
            [sys.executable, "run.py", str(factor)], cwd=self.directory, env=environment, stdout=subprocess.PIPE
        )

    def run(self, factor=3, **settings):
        """Return the result, cache hits and cache misses of a new process."""
        output, _ = self.start(factor, **settings).communicate(timeout=300)
        result, hits, misses = json.loads(output)
        return result, [hits, misses]


@pytest.fixture
def project(tmp_path):
    return Project(tmp_path)


def test_a_fresh_process_loads_what_another_compiled(project):
    assert project.run() == (expected(), COMPILED)
    assert project.run(PYTHONHASHSEED="7") == (expected(), HIT)
    project.edit("mygame.py", "    def play(", "    # only a comment\n    def play(")
    assert project.run() == (expected(), HIT)


@pytest.mark.full
def test_each_compiler_setting_has_its_own_machine_code(project):
    project.run()
    assert project.run(NUMBA_BOUNDSCHECK="1") == (expected(), COMPILED)
    assert project.run(NUMBA_BOUNDSCHECK="1") == (expected(), HIT)


def test_another_parameter_of_a_game_leaves_the_first_one_cached(project):
    project.run()
    assert project.run(factor=4) == (expected(factor=4), COMPILED)
    assert project.run(factor=4) == (expected(factor=4), HIT)
    assert project.run() == (expected(), HIT)


def test_every_edit_recompiles_and_computes_the_new_result(project, one_in_ten):
    project.run()
    changed = {}
    for name, before, after, change in one_in_ten(EDITS):
        project.edit(name, before, after)
        changed |= change
        assert project.run() == (expected(**changed), COMPILED), name
    assert project.run() == (expected(**changed), HIT)


@pytest.mark.full
def test_an_edit_of_the_kernel_package_recompiles_code_with_its_intrinsics(project):
    ours = Path(ludus.__file__).parent
    (project.directory / "ludus").mkdir()
    for each in ours.iterdir():
        if each.name != "kernel":
            (project.directory / "ludus" / each.name).symlink_to(each)
    shutil.copytree(ours / "kernel", project.directory / "ludus" / "kernel")
    project.edit("totals.py", "import kernel", "import count_bits, kernel")
    project.edit("totals.py", "12345", "count_bits(0b1100)")
    assert project.run() == (expected(salt=2), COMPILED)
    assert project.run() == (expected(salt=2), HIT)
    project.edit("ludus/kernel/bits.py", "builder.ctpop(arguments[0])", "builder.add(arguments[0], arguments[0])")
    assert project.run() == (expected(salt=24), COMPILED)
    assert project.run() == (expected(salt=24), HIT)


def test_processes_that_start_cold_at_once_get_right_results_and_leave_a_sound_cache(project):
    factors = [3, 4, 3, 4]
    running = [project.start(factor) for factor in factors]
    results = [json.loads(process.communicate(timeout=300)[0]) for process in running]
    assert [result for result, _, _ in results] == [expected(factor) for factor in factors]
    assert sum(misses for _, _, misses in results) == 2  # each game was compiled once; the others waited and loaded it
    assert [project.run(factor) for factor in (3, 4)] == [(expected(3), HIT), (expected(4), HIT)]


@pytest.mark.full
def test_the_compilation_of_another_game_does_not_block(project):
    key = "import mygame; print(mygame.make(3).key)"
    key = subprocess.run([sys.executable, "-c", key], cwd=project.directory, capture_output=True, text=True, check=True)
    locks = project.directory / "cache" / "compiled" / "locks"
    locks.mkdir(parents=True)
    with FileLock(locks / f"play_out-{key.stdout.strip()}"):  # as if another process compiled this game
        waiting = project.start(3)
        assert project.run(4) == (expected(4), COMPILED)
        assert waiting.poll() is None
    assert json.loads(waiting.communicate(timeout=300)[0])[0] == expected(3)


@pytest.mark.full
def test_a_cache_that_is_lost_is_made_again(project):
    project.run()
    for file in Path(project.directory / "cache").rglob("*.nbc"):
        file.unlink()
    assert project.run()[0] == expected()
    assert project.run() == (expected(), HIT)


BREAKING = """
import errno
import json
import sys
import mygame
import numpy as np
import search
from ludus.kernel.compiler import _SealedFiles
from ludus.errors import LudusError


def full(self, name, data):
    raise OSError(errno.ENOSPC, "No space left on device")


_SealedFiles._save_data = full
try:
    search.play_out(mygame.make(3), np.zeros(1, np.int64), 10)
except LudusError as error:
    print(json.dumps([str(error), 0, 0]))
"""


@pytest.mark.full
def test_a_disk_that_is_full_when_an_edit_is_compiled_leaves_no_older_code_in_its_place(project):
    assert project.run() == (expected(), COMPILED)
    project.edit("totals.py", "12345", "54321")
    whole = (project.directory / "run.py").read_text()
    (project.directory / "run.py").write_text(BREAKING)
    said, _ = project.run()
    assert "compiled rules cannot be kept here (No space left on device); set LUDUS_CACHE" in said
    (project.directory / "run.py").write_text(whole)
    assert project.run() == (expected(salt=54321), COMPILED)
    assert project.run() == (expected(salt=54321), HIT)


@pytest.mark.parametrize(
    ("ending", "kept"),
    [("nbc", 1000), *(pytest.param(*each, marks=pytest.mark.full) for each in (("nbc", 0), ("nbi", 0), ("nbi", 1000)))],
)
def test_files_that_were_cut_off_are_made_again(project, ending, kept):
    project.run()
    for file in (project.directory / "cache").rglob(f"*.{ending}"):
        file.write_bytes(file.read_bytes()[: min(kept, file.stat().st_size // 2)])
    assert project.run() == (expected(), COMPILED)
    assert project.run() == (expected(), HIT)


@pytest.mark.parametrize("ending", ["nbc", "nbi"])
def test_a_flipped_bit_costs_a_compilation(project, ending):
    project.run()
    (file,) = (project.directory / "cache").rglob(f"*.{ending}")
    whole = bytearray(file.read_bytes())
    for place in (3, 100, len(whole) // 2) if ending == "nbc" else (len(whole) // 2,):
        file.write_bytes(whole[:place] + bytes([whole[place] ^ 16]) + whole[place + 1 :])
        assert project.run() == (expected(), COMPILED)
        assert project.run() == (expected(), HIT)


def test_a_complete_cache_on_a_read_only_disk_is_used(project):
    project.run()
    shutil.rmtree(project.directory / "cache" / "compiled" / "locks")
    (project.directory / "cache" / "compiled" / "locks").write_text("no lock can be written here")
    assert project.run() == (expected(), HIT)


@pytest.mark.full
def test_a_renamed_file_of_rules_uses_the_cache(project):
    project.run()
    (project.directory / "mygame.py").rename(project.directory / "renamed.py")
    project.edit("run.py", "import mygame", "import renamed as mygame")
    assert project.run() == (expected(), HIT)
