"""What the site (mkdocs.yml) needs beyond the Markdown in docs/: the notebooks as pages, the pages that lie elsewhere in the
repository, and the list of all measures, questions, properties and studies. MkDocs calls the functions ``on_...`` while it
builds. Nothing is written into docs/."""

from __future__ import annotations

import html
import json
import os
import re
import sys
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

from metameasure.catalogue.explain import page_name
from metameasure.catalogue.registry import default_registry

DOCS = Path(__file__).parent
sys.path.insert(0, str(DOCS))  # MkDocs loads this file by its path
from mathematics import formula_html, sentence_html  # noqa: E402 - found by the line above

ROOT = DOCS.parent
ELSEWHERE = {
    "benchmarks.md": "benchmarks/README.md", "benchmarks-history.md": "benchmarks/HISTORY.md",
    "changelog.md": "CHANGELOG.md", "contributing.md": "CONTRIBUTING.md",
}  # fmt: skip
_FENCE = re.compile(r"^( *```\w+) (\S+)$", re.MULTILINE)
_LINK = re.compile(r"\]\(([^)#:]+)(#[^)]*)?\)")
_ID = re.compile(r"^# `([^`]+)`", re.MULTILINE)
_FORMULA = re.compile(r"^```text\n(.*?)\n```$", re.MULTILINE | re.DOTALL)
_WHERE = re.compile(r"(?<=^\*\*Where\.\*\* ).*$", re.MULTILINE)
_NOTATION = re.compile(r"(?<=^In the formulas, ).*$", re.MULTILINE)
_SYMBOL = re.compile(r"(?<=^Symbol )[^;]+(?=;)", re.MULTILINE)
_CODE = re.compile(r"(?<=<code>).*?(?=</code></pre>)", re.DOTALL)
_TAG = re.compile(r"<[^>]*>")
_OPENING_COMMENT = re.compile(r"\A<!--.*?-->\s*", re.DOTALL)


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """A folder in the list of pages stands for the pages in it."""
    for section in config.nav or []:
        for title, pages in section.items():
            if isinstance(pages, list):
                section[title] = [page for entry in pages for page in _pages(entry)]
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages that are not Markdown, or not in docs/."""
    for page, place in ELSEWHERE.items():
        text = (ROOT / place).read_text(encoding="utf-8")
        files.append(File.generated(config, page, content=_with_links(text, (ROOT / place).parent, DOCS)))
    for notebook in sorted(DOCS.glob("*.ipynb")):
        text = as_markdown(json.loads(notebook.read_text(encoding="utf-8")))
        files.append(File.generated(config, f"{notebook.stem}.md", content=text))
    return files


def on_page_markdown(markdown: str, page: Page, **_: object) -> str:
    """The name of a file behind a fence becomes its title; links to other parts of the repository lead to their pages here."""
    text = _OPENING_COMMENT.sub("", markdown)
    if page.file.src_uri not in ELSEWHERE:
        folder = (DOCS / page.file.src_uri).parent
        text = _with_links(text, folder, folder)
    if page.file.src_uri.startswith(("measures/", "properties/")):
        text = in_mathematics(text)
    if page.file.src_uri == "catalogue.md":
        text = _NOTATION.sub(lambda found: sentence_html(found[0]), text)
    return _FENCE.sub(r'\1 title="\2"', text)


def on_page_content(html: str, **_: object) -> str:
    """Tables that commands print are set apart, so that their lines stay whole."""
    return _CODE.sub(lambda found: with_tables_apart(found[0]), html)


def with_tables_apart(code: str) -> str:
    """A block of code whose tables, from their headings to an empty line, are an element each that knows how wide it is."""
    lines = code.split("\n")
    texts = [html.unescape(_TAG.sub("", line)).rstrip() for line in lines]
    made, end = [], 0
    for place, text in enumerate(texts):
        if place < end or not text or text.strip("─ "):
            continue
        start = place
        while start > end and texts[start - 1] and not texts[start - 1].startswith("$ "):
            start -= 1
        after = next(
            (later for later in range(place, len(texts)) if not texts[later] or texts[later].startswith("$ ")), len(texts)
        )
        columns = max(map(len, texts[start:after]))
        made += [*(f"{line}\n" for line in lines[end:start]), f'<span class="printed" style="--columns:{columns}">']
        made += [*(f"{line}\n" for line in lines[start:after]), "</span>"]
        end = after
    return "".join([*made, "\n".join(lines[end:])])


def in_mathematics(page: str) -> str:
    """The page of a measure or a property with its symbol, its formula and what the signs mean set as mathematics."""
    text = _SYMBOL.sub(lambda found: sentence_html(found[0].replace("\\", "")), page)
    text = _FORMULA.sub(lambda found: formula_html(found[1]), text, count=1)
    return _WHERE.sub(lambda found: sentence_html(found[0]), text)


def _pages(entry: str) -> list[Any]:
    """A page, or the pages of a folder, each listed by the id in its heading; those of measures by task."""
    if not entry.endswith("/"):
        return [entry]
    if entry == "measures/":
        by_task: dict[str, list[dict[str, str]]] = {}
        for measure in default_registry().values():
            by_task.setdefault(measure.tasks[0].capitalize(), []).append({measure.id: f"measures/{page_name(measure)}"})
        return [{task: sorted(pages, key=lambda page: next(iter(page)))} for task, pages in sorted(by_task.items())]
    listed: list[Any] = []
    for page in sorted((DOCS / entry).glob("*.md")):
        if page.stem == "index":
            continue
        heading = _ID.search(page.read_text(encoding="utf-8"))
        name = page.relative_to(DOCS).as_posix()
        listed.append({heading[1]: name} if heading else name)
    return listed


def _with_links(text: str, before: Path, now: Path) -> str:
    """The text of a page that lay in one folder, with its links as they are from another."""
    moved = {(ROOT / place).resolve(): DOCS / page for page, place in ELSEWHERE.items()}

    def link(found: re.Match[str]) -> str:
        place = (before / found[1]).resolve()
        place = moved.get(place, place.with_suffix(".md") if place.suffix == ".ipynb" else place)
        return f"]({Path(os.path.relpath(place, now)).as_posix()}{found[2] or ''})"

    return _LINK.sub(link, text)


def as_markdown(notebook: dict[str, Any]) -> str:
    """A notebook, with what its cells show."""
    parts = []
    for cell in notebook["cells"]:
        source = "".join(cell["source"])
        parts.append(source if cell["cell_type"] == "markdown" else f"```python\n{source}\n```")
        parts += [_output(output) for output in cell.get("outputs", [])]
    return "\n\n".join(parts) + "\n"


def _output(output: dict[str, Any]) -> str:
    """What a cell shows: a picture, or text."""
    data = output.get("data", {})
    if "image/png" in data:
        return f'<img alt="The chart that this cell draws" src="data:image/png;base64,{data["image/png"]}">'
    return f"<pre><code>{html.escape(''.join(output.get('text') or data['text/plain']))}</code></pre>"
