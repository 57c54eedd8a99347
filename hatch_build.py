"""Builds the page while the package is built, so that `pip install` brings a site that is complete."""

import importlib.util
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class PageHook(BuildHookInterface[Any]):
    """Runs `web/build.py`, which does nothing when the page is fresh."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002 - hatchling's signature
        """Build the page, or stop with one sentence."""
        script = Path(self.root, "web", "build.py")
        spec = importlib.util.spec_from_file_location("ludus_page_build", script)
        assert spec, "a .py file always has a spec"
        assert spec.loader, "and a loader"
        page = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(page)
        try:
            page.build()
        except page.BuildError as error:
            sys.exit(str(error))
