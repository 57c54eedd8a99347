"""Serves the page's built files from `ludus/site/page`; without a build, responds how to make one."""

from collections.abc import Awaitable, Callable
from pathlib import Path

from starlette.datastructures import URL
from starlette.exceptions import HTTPException
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from ludus.site.routes.preview import SITE, Preview, tags

PAGE = Path(__file__).parents[1] / "page"
NOT_BUILT = "The page is not built. Run `python web/build.py` in the project's folder, then load this again.\n"


async def _of_site(_path: str) -> Preview:
    return SITE


class Page(StaticFiles):
    """The page's static files; other paths, such as `/game/...`, get `index.html`, because the page routes them."""

    def __init__(
        self,
        directory: Path = PAGE,
        *,
        grows: bool = False,
        preview_of: Callable[[str], Awaitable[Preview]] = _of_site,
    ) -> None:
        """Serve the files of a folder.

        Args:
            directory: the folder.
            grows: whether the site grows a training run; `index.html` tells it, so that the page links to the run.
            preview_of: returns the preview of a link, given its path; `index.html` names it in its head.
        """
        super().__init__(directory=directory, html=True, check_dir=False)
        self._index = directory / "index.html"
        self._grows = grows
        self._preview_of = preview_of

    async def check_config(self) -> None:
        """Allow the folder to be missing, because the page may be built while the site runs."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        """Return the requested file, `index.html` for the page's own paths, or status 503 if the page is not built."""
        if not self._index.is_file():
            return PlainTextResponse(NOT_BUILT, status_code=503)
        try:
            response = await self._file(path, scope)
        except HTTPException as error:
            if error.status_code != 404 or Path(path).suffix or path.startswith("api"):
                raise
            response, path = await super().get_response("index.html", scope), "index.html"
        if path in (".", "index.html"):
            response = HTMLResponse(await self._told(URL(scope=scope)))
        if path.startswith("assets/"):  # the build puts a hash of the content into their names
            response.headers["Cache-Control"] = "public, max-age=31536000, immutable"
        else:
            response.headers["Cache-Control"] = "no-cache"
        return response

    async def _file(self, path: str, scope: Scope) -> Response:
        """Return a file; WebAssembly exists only compressed, since all browsers that run it can decompress it."""
        if not path.endswith(".wasm"):
            return await super().get_response(path, scope)
        response = await super().get_response(path + ".gz", scope)
        response.headers["Content-Type"], response.headers["Content-Encoding"] = "application/wasm", "gzip"
        return response

    async def _told(self, link: URL) -> str:
        """Return `index.html` with what the site tells to the page, and to those who preview the link."""
        text = self._index.read_text(encoding="utf-8")
        if self._grows:
            text = text.replace("<html ", "<html data-grows ", 1)
        head = tags(await self._preview_of(link.path), f"{link.scheme}://{link.netloc}", link.path)
        return text.replace("</head>", head + "</head>", 1)
