"""The models that stand in the documents."""

import dataclasses
import pathlib
import re

_FENCE = re.compile(r"^```yaml\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_FILE_NAME = re.compile(r"# file: (\S+)\n")
_CODE = re.compile(r"GK\d{4}$")


@dataclasses.dataclass
class Model:
    """A block that is a whole model, and the blocks before it that are files beside it."""
    page: pathlib.Path
    line: int
    text: str
    beside: dict

    def __str__(self):
        return f"{self.page}:{self.line}"

    def write_to(self, folder):
        """Writes all its files; returns the path of the model."""
        for name, text in self.beside.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        model = folder / "model.yaml"
        model.write_text(self.text, encoding="utf-8")
        return model


def models_of(page):
    """A block that begins with `# file: NAME` is a file beside the model of the next block."""
    text = page.read_text(encoding="utf-8")
    beside = {}
    for block in _FENCE.finditer(text):
        content = block.group(1)
        name = _FILE_NAME.match(content)
        if name:
            beside[name.group(1)] = content
        elif content.startswith("gelenk: 1"):
            yield Model(page, text.count("\n", 0, block.start()) + 1, content, beside)
            beside = {}


def pages(root):
    """README and docs, but not the pages of errors, whose models are broken on purpose."""
    readme = [root / "README.md"] if (root / "README.md").exists() else []
    return readme + [page for page in sorted((root / "docs").rglob("*.md")) if not is_error_page(page)]


def error_pages(root):
    return [page for page in sorted((root / "docs" / "errors").glob("*.md")) if is_error_page(page)]


def is_error_page(page):
    return page.parent.name == "errors" and bool(_CODE.match(page.stem))
