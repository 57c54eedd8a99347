"""A runtime of the inference server MLServer that loads files of `ludus export`, to compare its results with Ludus's.

Run it in this folder, in a separate environment with older libraries (`pip install mlserver openvino`):

    ludus export models/go-9x9 REPOSITORY
    MODEL=REPOSITORY/go-9x9.394cf590b6131709 MLSERVER_MODEL_NAME=go-9x9.394cf590b6131709 \\
        MLSERVER_MODEL_IMPLEMENTATION=mlserver_runtime.Network MLSERVER_PARALLEL_WORKERS=0 mlserver start .

Then run `ludus engine gtp --model models/go-9x9 --inference 127.0.0.1:8081`, which warns about unusable servers.
"""

# pyright: reportMissingImports=false

import os
from pathlib import Path

import openvino as ov
from mlserver import MLModel
from mlserver.codecs import NumpyCodec
from mlserver.types import InferenceRequest, InferenceResponse


class Network(MLModel):
    """An MLServer runtime that evaluates a network with OpenVINO."""

    async def load(self) -> bool:
        """Load the files of `ludus export`."""
        self.network = ov.Core().compile_model(Path(os.environ["MODEL"]) / "1" / "model.xml", "CPU")
        return True

    async def predict(self, payload: InferenceRequest) -> InferenceResponse:
        """Evaluate planes."""
        found = self.network({"planes": NumpyCodec.decode_input(payload.inputs[0])})
        wanted = [output.name for output in payload.outputs or []]
        return InferenceResponse(
            model_name=self.name, outputs=[NumpyCodec.encode_output(name, found[name]) for name in wanted]
        )
