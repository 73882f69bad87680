"""Runs cases: plainly, with sealed components, or stopped on their way and continued."""

import concurrent.futures
import dataclasses
import json
import os
import pathlib
import re
import signal
import subprocess
import time

import comparing
import digest
import sealed

TIMEOUT_S = 120
STOPPED = 130
DONE, FAILED = 0, 1
COMPONENT_FAILED = 5
STOP_TRIES = 10
POLL_S = 0.001


@dataclasses.dataclass
class Outcome:
    name: str
    record: digest.Record = None
    fault: str = ""             # what must never be, whatever the baseline says
    file: pathlib.Path = None
    seconds: float = 0.0


class Fault(Exception):
    pass


class Runner:
    def __init__(self, program, folder, tree, keeps_files=True):
        self.keeps_files = keeps_files
        self.program = str(pathlib.Path(program).resolve())
        self.folder = pathlib.Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        self.workshop = sealed.Workshop(self.program, self.folder / "sealed components", tree)

    def prepare(self, chosen):
        names = sorted({case.machine for case in chosen if case.host})
        if names:
            self.workshop.make(names)

    def file_of(self, case):
        return self.folder / f"{case.name.replace('/', '.')}.h5"

    def command(self, case, file):
        model = str(self.workshop.machine_file(case.machine)) if case.host else case.machine
        return [self.program, "run", model, *case.arguments, "--json", "--force", "-o", str(file)]

    def environment(self, case):
        return self.workshop.environment(case.host or "worker")

    def start(self, command, case):
        return subprocess.Popen(command, cwd=self.folder, env=self.environment(case), text=True, stdin=subprocess.DEVNULL,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def finish(self, process):
        """Exit code and what it printed."""
        try:
            printed, errors = process.communicate(timeout=TIMEOUT_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            raise Fault(f"takes longer than {TIMEOUT_S} s") from None
        if process.returncode < 0:
            raise Fault(f"ended by {signal.Signals(-process.returncode).name}")
        return process.returncode, printed, errors

    def run_once(self, case, file):
        return self.record(file, *self.finish(self.start(self.command(case, file), case)))

    def record(self, file, exit_code, printed, errors):
        if exit_code in (DONE, FAILED, COMPONENT_FAILED) and file.exists():
            return digest.record_of(file, "done" if exit_code == DONE else "failed", exit_code)
        return digest.refused(exit_code, error_code(printed, errors))

    def stop_on_its_way(self, case, file):
        """Stops a run after its first checkpoint. Where exactly does not matter."""
        for _ in range(STOP_TRIES):
            process = self.start(self.command(case, file), case)
            checkpoint = file.with_name(file.stem + ".checkpoint-1")
            deadline = time.monotonic() + TIMEOUT_S
            while process.poll() is None and not checkpoint.exists() and time.monotonic() < deadline:
                time.sleep(POLL_S)
            if process.poll() is None:
                process.send_signal(signal.SIGINT)
            if self.finish(process)[0] == STOPPED:
                return
        raise Fault(f"was over {STOP_TRIES} times before it could be stopped")

    def run_resumed(self, case, file):
        whole = file.with_suffix(".whole.h5")
        expected = self.run_once(case, whole)
        if expected.end != "done":
            return expected
        self.stop_on_its_way(case, file)
        command = [self.program, "run", "--resume", str(file), "--json"]
        found = self.record(file, *self.finish(self.start(command, case)))
        # A run that is continued factorizes once more.
        found.words["factorizations"] = expected.words["factorizations"]
        different = comparing.differences(expected, found)
        if different:
            raise Fault("resumed, it is not the run that was not stopped: " + "; ".join(different))
        whole.unlink()
        return expected

    def run(self, case):
        outcome, begun = Outcome(case.name, file=self.file_of(case)), time.monotonic()
        try:
            failure = self.workshop.failures.get(case.machine) if case.host else None
            if failure:
                outcome.record = digest.refused(failure.exit_code, error_code("", str(failure)))
            else:
                outcome.record = (self.run_resumed if case.resumed else self.run_once)(case, outcome.file)
        except (Fault, OSError) as error:
            outcome.fault = str(error)
        if not self.keeps_files:
            outcome.file.unlink(missing_ok=True)
        outcome.seconds = time.monotonic() - begun
        return outcome


def error_code(printed, errors):
    """The code of the first message, if it has one. Its words may change."""
    try:
        codes = [one.get("code", "") for one in json.loads(printed).get("diagnostics", [])]
    except ValueError:
        codes = re.findall(r"\bGK\d{4}\b", errors)
    return codes[0] if codes else ""


def check_partners(chosen, outcomes):
    """Cases that must have the same numbers as another one."""
    by_name = {outcome.name: outcome for outcome in outcomes}
    for case in chosen:
        mine, partner = by_name[case.name], by_name.get(case.same_as)
        if not partner or mine.fault or partner.fault:
            continue
        different = comparing.differences(partner.record, mine.record)
        if different:
            mine.fault = f"must have the same numbers as {case.same_as}: " + "; ".join(different)


def run_all(runner, chosen, jobs):
    runner.prepare(chosen)
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        try:
            outcomes = list(pool.map(runner.run, chosen))
        except KeyboardInterrupt:
            pool.shutdown(cancel_futures=True)
            raise
    check_partners(chosen, outcomes)
    return outcomes


def default_jobs():
    return len(os.sched_getaffinity(0))
