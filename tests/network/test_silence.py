"""Ludus sends no telemetry."""

import subprocess
import sys


def test_openvino_is_imported_without_its_telemetry():
    program = (
        "import ludus.network.openvino, multiprocessing, sys\n"
        "assert sys.modules['openvino_telemetry'] is None\n"
        "assert not multiprocessing.active_children()\n"
        "import openvino.tools.ovc as tools\n"
        "print(type(tools.telemetry).__module__)"
    )
    answer = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=300, check=True)
    assert answer.stdout.strip() == "openvino.tools.ovc.telemetry_stub"
