"""docs/verification.md: what was compared, with the numbers of a run."""

import re

_HEAD = """\
<!-- Generated: change tests/verification, then run `.venv/bin/python tests/verification_test.py --write`. -->
# Verification

Problems that others published, or that have a closed form, run through the program as anybody would run them, and
compared with the reference. Each one is a model in [tests/verification/models](../tests/verification/models); the
numbers, their sources and the reason of every tolerance are in
[tests/verification/problems](../tests/verification/problems). The test `python.verification_test` repeats all of this.

For every quantity the table shows the point with the largest error in terms of its tolerance. *Points* is how many
times, or rows of the results, were compared. Errors are absolute, in the unit of the quantity. Without another note
the numbers are those of the reference named above the table.

{summary}
"""
_COLUMNS = "| quantity | points | t (s) | reference | ours | error | tolerance |\n|---|---|---|---|---|---|---|\n"
_HEADING = "## "


def _row(comparison):
    quantity = comparison.quantity
    unit = f" ({quantity.unit})" if quantity.unit else ""
    component = f" {comparison.component}:" if comparison.component else ""
    source = f"; {quantity.source}" if quantity.source and quantity.source not in quantity.name else ""
    mark = "" if comparison.is_good else " **missed**"
    return (f"| {quantity.name}{unit}{source} | {comparison.points} | {comparison.time:.6g} |"
            f"{component} {comparison.reference:.12g} | {comparison.ours:.12g} | {comparison.error:.1e}{mark} |"
            f" {comparison.tolerance:.1e} |\n")


def _section(outcome):
    problem = outcome.problem
    settings = "".join(f", {key} = {value}" for key, value in problem.set.items())
    settings += "".join(f", `{option}`" for option in problem.run_options())
    lines = [f"{_HEADING}{problem.title}\n\n", f"{problem.about[0].upper()}{problem.about[1:]}.\n\n"]
    lines += [f"- Source: {source}.\n" for source in problem.sources]
    lines.append(f"- Reference: {problem.reference}.\n")
    name = problem.model.name
    lines.append(f"- Model: [{name}](../tests/verification/models/{name}){settings}.\n\n")
    if outcome.failure:
        return "".join(lines) + f"**Did not run**: {outcome.failure.splitlines()[0]}\n"
    return "".join(lines) + _COLUMNS + "".join(_row(comparison) for comparison in outcome.comparisons)


def render(outcomes, *written):
    compared = [comparison for outcome in outcomes for comparison in outcome.comparisons]
    missed = sum(not comparison.is_good for comparison in compared) + sum(bool(o.failure) for o in outcomes)
    summary = (f"{len(outcomes)} problems, {len(compared)} quantities, {sum(c.points for c in compared)} points; "
               + (f"**{missed} missed**." if missed else "all within their tolerances."))
    return "\n".join([_HEAD.format(summary=summary), *(_section(outcome) for outcome in outcomes), *written])


def listed(text):
    """Pairs of problem and quantity that a page shows, to compare it with the data."""
    pairs, title = set(), ""
    for line in text.splitlines():
        if line.startswith(_HEADING):
            title = line.removeprefix(_HEADING)
        match = re.match(r"\| (.+?) \| \d+ \| ", line)
        if match:
            pairs.add((title, match.group(1)))
    return pairs


def expected(problems):
    pairs = set()
    for problem in problems:
        for quantity in problem.quantities:
            unit = f" ({quantity.unit})" if quantity.unit else ""
            source = f"; {quantity.source}" if quantity.source and quantity.source not in quantity.name else ""
            pairs.add((problem.title, f"{quantity.name}{unit}{source}"))
    return pairs
