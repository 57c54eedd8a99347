"""Networks: their form, their storage, and the evaluators that run them."""

import sys

from ludus.system import limit_spinning

# OpenVINO would start a telemetry process at import, unless it cannot find this package.  Players have not agreed to
# that, and the process may hang when an engine exits.
sys.modules.setdefault("openvino_telemetry", None)  # pyright: ignore[reportArgumentType] - None forbids the import

limit_spinning()
