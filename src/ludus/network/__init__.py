"""Networks: what is trained, how it is stored, and who evaluates it."""

import sys

# When it is imported, OpenVINO starts a process that reports so to its makers over the net, unless it cannot find this
# package: nobody who plays a game has asked for that, and such a process may hang while an engine ends.
sys.modules.setdefault("openvino_telemetry", None)  # pyright: ignore[reportArgumentType] - None forbids the import
