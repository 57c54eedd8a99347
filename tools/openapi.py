"""Prints the OpenAPI document of the site, which is not served: `python tools/openapi.py`.

`python web/build.py --contract` makes the page's types of it.
"""

import json

from ludus.site.app import create_app
from ludus.site.routes.contract import document

if __name__ == "__main__":
    print(json.dumps(document(create_app()), indent=2))
