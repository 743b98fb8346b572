"""The README's tables of figures, made from `figures.json` between two marks for each group."""

import re

from tests.figures.figure import ROOT, read_figures

README = ROOT / "README.md"


def table_of(figures: list[dict]) -> str:
    """One group as a Markdown table."""
    lines = ["| figure | measured | must hold | command |", "|---|---|---|---|"]
    for figure in figures:
        bar = figure["bar"] + ("" if figure["holds"] else " (**not reached**)")
        lines.append(f"| {figure['name']} | {figure['value']} | {bar} | `{figure['command']}` |")
    return "\n".join(lines)


def with_tables(text: str) -> str:
    """The README with every marked table written anew; a group without figures keeps what it has."""
    kept = read_figures()

    def replace(found: re.Match[str]) -> str:
        group = found[1]
        body = table_of(kept[group]) if group in kept else found[2].strip()
        return f"<!-- figures:{group} -->\n{body}\n<!-- end -->"

    return re.sub(r"<!-- figures:([\w-]+) -->\n(.*?)<!-- end -->", replace, text, flags=re.DOTALL)
