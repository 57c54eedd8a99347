"""Machine code is only used on the kind of processor it was compiled for, and kernels compile for ARM too."""

import os
import subprocess
import sys

import pytest

from ludus.kernel.compiler import COMPILED, Entry

pytestmark = pytest.mark.skipif(not COMPILED, reason="there is no machine code with NUMBA_DISABLE_JIT=1")


def doubled(number):
    return 2 * number


@pytest.mark.parametrize(
    "other",
    [
        ("aarch64-unknown-linux-gnu", "neoverse-n1", "+neon"),
        ("x86_64-unknown-linux-gnu", "x86-64", ""),
    ],
)
def test_a_cache_from_another_machine_is_compiled_again(tmp_path, monkeypatch, other):
    monkeypatch.setenv("LUDUS_CACHE", str(tmp_path))

    def hits():
        entry = Entry(doubled)
        assert entry(3) == 6
        return sum(entry.dispatcher.stats.cache_hits.values())

    assert hits() == 0, "nothing is compiled yet"
    assert hits() == 1
    with monkeypatch.context() as patch:
        codegen = type(Entry(doubled).dispatcher.targetctx.codegen())
        patch.setattr(codegen, "magic_tuple", lambda _self: other)
        assert hits() == 0
        assert hits() == 1
    assert hits() == 1, "both machines share the folder"


CROSS = r"""
import re, sys
from pathlib import Path
from llvmlite import binding
from numba.core.codegen import CPUCodeLibrary

binding.initialize_all_targets()
binding.initialize_all_asmprinters()
MACHINES = [
    binding.Target.from_triple(triple).create_target_machine(cpu=cpu, features=features, opt=2, reloc="pic")
    for triple, cpu, features in [
        ("aarch64-unknown-linux-gnu", "generic", ""),
        ("aarch64-unknown-linux-gnu", "neoverse-v1", "+sve"),
        ("arm64-apple-macosx11.0", "apple-m1", ""),
        ("x86_64-pc-windows-msvc", "x86-64", ""),
    ]
]
modules, functions, optimize = 0, 0, CPUCodeLibrary._optimize_final_module

def compile_for_others(library):
    global modules, functions
    # Numba's own count of references, which is compiled before for this machine
    text = str(library._final_module)
    text = re.sub(r"define linkonce_odr void @NRT_decref\((.|\n)*?\n\}", "declare void @NRT_decref(ptr)", text)
    text = re.sub(r"declare i8 @llvm\.x86\.atomic\.sub.*", "", text)
    assert not re.findall(r"@llvm\.(?:x86|aarch64|arm)\.[\w.]+", text), text
    assert " asm " not in text, "inline assembly"
    text = re.sub(r'"target-(?:cpu|features)"="[^"]*"', "", text)
    for machine in MACHINES:
        own = re.sub(r'target (triple|datalayout) = "[^"]*"', "", text)
        module = binding.parse_assembly(own)
        module.triple, module.data_layout = machine.triple, str(machine.target_data)
        module.verify()
        assert len(machine.emit_object(module)) > 100
    modules += 1
    functions += text.count("\ndefine ")
    return optimize(library)

CPUCodeLibrary._optimize_final_module = compile_for_others
"""


@pytest.mark.full
@pytest.mark.parametrize(
    "spec", ["tictactoe", "connect4:ahead", "wallgame:classic:5x5", "chess", "go:5x5", "gomoku:7x7:fours"]
)
def test_kernels_compile_for_other_processors(spec, tmp_path):
    program = f"""{CROSS}
import msgspec
from ludus.learner.settings import LearnerSettings
from ludus.loop.preset import MatchSettings, Preset
from ludus.loop.run import Run
from ludus.network.config import NetworkSettings
from ludus.selfplay.settings import SelfplaySettings

Run(
    Preset(
        name="cross",
        games=[{spec!r}],
        generations=1,
        workers=1,
        first_teacher="uniform",
        network=NetworkSettings(blocks=0, channels=8, head_channels=2),
        selfplay=SelfplaySettings(games=1, visits=2, fast_visits=2),
        learner=LearnerSettings(batch=8, max_steps=1),
        match=MatchSettings(pairs=1, visits=2, anchor_visits=2, anchor_every=1),
    ),
    Path({str(tmp_path / "run")!r}),
).go()
print(modules, functions)
"""
    done = subprocess.run(
        [sys.executable, "-c", program],
        env=os.environ | {"LUDUS_CACHE": str(tmp_path)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    modules, functions = map(int, done.stdout.split()[-2:])
    assert modules >= 10
    assert functions >= 100
