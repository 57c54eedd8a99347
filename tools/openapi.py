"""Prints the site's OpenAPI document, which the site does not serve: `python tools/openapi.py`.

`python web/build.py --contract` generates the web client's types from it.
"""

import json

from ludus.site.app import create_app
from ludus.site.routes.contract import document

if __name__ == "__main__":
    print(json.dumps(document(create_app()), indent=2))
