"""A hook of MkDocs: equations stand apart on the pages of methods, wherever they are in a docstring.

An equation that is all that follows the first line of a docstring loses its indentation when the docstring is read, and
would become a paragraph.
"""

import re
from typing import Any

EQUATION = re.compile(r"<p>(\w+(?:\([^)]*\))? = [^<]*[^<.])</p>")


def on_page_content(html: str, page: Any, **_: Any) -> str:
    if not page.file.src_uri.startswith("methods/"):
        return html
    return EQUATION.sub(r"<pre><code>\1</code></pre>", html)
