"""``python -m docsite FOLDER``: write the sources of the site to a folder."""

from __future__ import annotations

import sys
from pathlib import Path

from docsite.site import write_site

write_site(Path(sys.argv[1]))
