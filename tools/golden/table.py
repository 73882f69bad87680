"""What is printed: every case that is not as before, then a table."""

VERDICTS = ("same", "changed", "new", "missing", "wrong")


def group_of(name):
    """examples, verification, sealed and resumed; of examples and sealed machines the machine, too."""
    parts = name.split("/")
    return "/".join(parts[:2]) if parts[0] in ("examples", "sealed") else parts[0]


def trouble(entries):
    lines = []
    for name, verdict, sentences in entries:
        if verdict != "same":
            lines.append(f"{verdict}: {name}")
            lines += [f"    {sentence}" for sentence in sentences]
    return lines


def counts(entries, outcomes):
    seconds = {outcome.name: outcome.seconds for outcome in outcomes}
    refused = {outcome.name for outcome in outcomes if outcome.record and outcome.record.end != "done"}
    rows = {}
    for name, verdict, _ in entries:
        row = rows.setdefault(group_of(name), dict.fromkeys((*VERDICTS, "cases", "not done", "seconds"), 0))
        row[verdict] += 1
        row["cases"] += 1
        row["not done"] += name in refused
        row["seconds"] += seconds.get(name, 0.0)
    return rows


def report(entries, outcomes, seconds):
    rows = counts(entries, outcomes)
    columns = ("cases", "not done", *VERDICTS, "seconds")
    total = {key: sum(row[key] for row in rows.values()) for key in columns}
    lines = trouble(entries)
    lines += ["", f"{'':<28}" + "".join(f"{key:>10}" for key in columns)]
    lines += [f"{name:<28}" + "".join(f"{row[key]:>10.0f}" for key in columns) for name, row in (*sorted(rows.items()), ("all", total))]
    trouble_count = total["cases"] - total["same"]
    verdict = "all as before" if not trouble_count else f"{trouble_count} not as before"
    return "\n".join([*lines, "", f"{total['cases']:.0f} cases in {seconds:.0f} s: {verdict}"])


def other_machine(stored, here):
    return (f"The stored results were made with: {stored or 'nothing yet'}\n"
            f"This program and machine:          {here}\n"
            "Other bits may be no fault of the change. Compare two programs on this machine instead:\n"
            "    ./dev golden --program NEW --against OLD")
