"""The page's built files in `ludus/site/page`; without a build, a sentence that says what to do."""

from pathlib import Path

from starlette.exceptions import HTTPException
from starlette.responses import PlainTextResponse, Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

PAGE = Path(__file__).parents[1] / "page"
NOT_BUILT = "The page is not built. Run `python web/build.py` in the project's folder, then load this again.\n"


class Page(StaticFiles):
    """Serves the page, with its start file for addresses that the page itself handles (`/game/...`)."""

    def __init__(self, directory: Path = PAGE) -> None:
        super().__init__(directory=directory, html=True, check_dir=False)
        self._index = directory / "index.html"

    async def check_config(self) -> None:
        """Accept that the folder is missing: it may be built at any time."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        """Return a file, the start file, or the sentence."""
        if not self._index.is_file():
            return PlainTextResponse(NOT_BUILT, status_code=503)
        try:
            response = await super().get_response(path, scope)
        except HTTPException as error:
            if error.status_code != 404 or Path(path).suffix or path.startswith("api"):
                raise
            response, path = await super().get_response("index.html", scope), "index.html"
        if path.startswith("assets/"):  # their names change with their content
            response.headers["Cache-Control"] = "public, max-age=31536000, immutable"
        else:
            response.headers["Cache-Control"] = "no-cache"
        return response
