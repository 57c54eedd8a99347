"""Kernels count indices from the start; an index in a rule may count from the end."""

import os
import subprocess
import sys

import numpy as np
import pytest

from ludus.kernel import COMPILED, entry
from ludus.kernel.rules import compiled

pytestmark = pytest.mark.skipif(not COMPILED, reason="there is no machine code")


def item(table, row, column):
    return table[row, column]


def test_an_index_in_a_rule_may_count_from_the_end():
    rule = compiled(item)

    @entry
    def called(table, row, column):
        return rule(table, row, column)

    table = np.arange(6).reshape(2, 3)
    assert [called(table, row, column) for row, column in ((-1, -1), (-2, 1), (1, -3))] == [5, 1, 3]


def test_a_check_of_bounds_finds_a_negative_index_in_a_kernel(tmp_path):
    file = tmp_path / "reads.py"
    file.write_text(
        "import numpy as np\nfrom ludus.kernel import entry\n\n\n"
        "@entry\ndef read(items, at):\n    return items[at]\n\n\n"
        "print(read(np.arange(3), 2))\nread(np.arange(3), -1)\n",
        encoding="utf-8",
    )
    checked = os.environ | {"NUMBA_BOUNDSCHECK": "1", "LUDUS_CACHE": str(tmp_path)}
    done = subprocess.run([sys.executable, str(file)], env=checked, capture_output=True, text=True, check=False)
    assert (done.stdout, done.returncode) == ("2\n", 1)
    assert "IndexError: index is out of bounds" in done.stderr
