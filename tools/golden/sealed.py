"""Machines with sealed components, made from open models: what their assemblies use is sealed, and used in its place."""

import json
import os
import pathlib
import re
import shutil
import subprocess

import cases

TIMEOUT_S = 120
MOTOR = "code_motor"
MOTOR_DURATION_S = 0.4
NESTED = "nested"


class NotSealed(Exception):
    """With the exit code of the command that failed."""

    def __init__(self, exit_code, text):
        super().__init__(text)
        self.exit_code = exit_code


def durations(tree):
    """Every model whose own assemblies can become components, by name: how long it runs."""
    found = {}
    for one in cases.machines(tree):
        data = cases.yaml_core.load(one.file.read_text(encoding="utf-8"))
        if one.has_assemblies and used(data) and one.name.split("/")[0] == "examples":
            found[one.file.stem] = one.duration_s
    if "car" in found:
        found[NESTED] = found["car"]
    found[MOTOR] = MOTOR_DURATION_S
    return found


def used(data):
    """What the assemblies of a model use, whether it has a name in the model or is a file, if the ports are attached."""
    return {one["use"] for one in data.get("assemblies", {}).values() if "use" in one and one.get("attach")}


def component(data, folder, name):
    """A definition or file as a model of its own."""
    if name.endswith(".yaml"):
        return cases.read(folder / name)
    definitions = {key: value for key, value in data["definitions"].items() if key != name}
    return {"gelenk": 1, "name": name, "about": {"version": "1.0"}, **data["definitions"][name],
            **({"definitions": definitions} if definitions else {})}


def outside(data):
    """The model without its definitions and without outputs that look into assemblies."""
    inside = re.compile(r"\b(?:" + "|".join(data["assemblies"]) + r")\.")
    outputs = {key: value for key, value in data.get("outputs", {}).items() if not inside.search(json.dumps(value))}
    return {key: outputs if key == "outputs" else value for key, value in data.items() if key != "definitions"}


class Workshop:
    """A folder in which one program seals its components: one settings folder that trusts their maker, one that does not."""

    def __init__(self, program, folder, tree):
        self.program, self.folder, self.tree = program, pathlib.Path(folder), pathlib.Path(tree)
        self.failures = {}      # machine: NotSealed

    def environment(self, host):
        return {**os.environ, "XDG_CONFIG_HOME": str(self.folder / host), "LC_ALL": "C.UTF-8"}

    def gelenk(self, *words, cwd=None, host="worker"):
        done = subprocess.run([self.program, *words], cwd=cwd or self.folder, env=self.environment(host), text=True,
                              capture_output=True, stdin=subprocess.DEVNULL, timeout=TIMEOUT_S)
        if done.returncode:
            raise NotSealed(done.returncode, (done.stderr or done.stdout).strip())

    def machine_file(self, name):
        return self.folder / name / "machine.json"

    def make(self, names):
        self.folder.mkdir(parents=True, exist_ok=True)
        self.gelenk("trust", "keygen", "-o", "key")
        self.gelenk("trust", "add", "golden", "key.pub", host="process")
        for name in names:
            (self.folder / name).mkdir()
            try:
                self.make_motor() if name == MOTOR else self.make_machine(name)
            except NotSealed as error:
                self.failures[name] = error

    def seal(self, name, folder, data, published):
        (folder / f"{name}.json").write_text(json.dumps(data))
        publish = ["--publish", ",".join(published)] if published else []
        self.gelenk("seal", f"{name}.json", *publish, "--key", str(self.folder / "key"), "--force", cwd=folder)

    def make_machine(self, name):
        stem = "car" if name == NESTED else name
        file = next(one.file for one in cases.machines(self.tree) if one.name.startswith("examples/") and one.file.stem == stem)
        data, folder = cases.yaml_core.load(file.read_text(encoding="utf-8")), self.folder / name
        for use in sorted(used(data)):
            part = pathlib.Path(use).stem
            owners = [one for one in data["assemblies"].values() if one.get("use") == use]
            published = sorted({key for one in owners for key in one.get("set", {})})
            inner = component(data, file.parent, use)
            self.seal(part, folder, inner, published)
            if name == NESTED:
                shutil.move(folder / f"{part}.gkc", folder / "inner.gkc")
                self.seal(part, folder, wrapped(inner, published), published)
            for one in owners:
                one["use"] = f"{part}.gkc"
        self.machine_file(name).write_text(json.dumps(outside(data)))

    def make_motor(self):
        """The starter of a component with code in C, as `gelenk new` writes it."""
        folder = self.folder / MOTOR
        self.gelenk("new", "--component", "c", "motor", cwd=folder)
        subprocess.run(["make", "--silent"], cwd=folder / "motor", check=True, capture_output=True, timeout=TIMEOUT_S)
        self.gelenk("seal", "motor.yaml", "--code", "motor.so", "--publish", "resistance", "--output", "current,torque", "--key",
                    str(self.folder / "key"), cwd=folder / "motor")
        shutil.copy(folder / "motor/motor.gkc", folder)
        data = cases.yaml_core.load((folder / "motor/machine.yaml").read_text(encoding="utf-8"))
        self.machine_file(MOTOR).write_text(json.dumps(data))


def wrapped(inner, published):
    """A component that has nothing but another component inside."""
    parameters = {key: inner["parameters"][key] for key in published}
    return {"gelenk": 1, "name": "outer", "about": {"version": "1.0"}, "parameters": parameters,
            "assemblies": {"inner": {"use": "inner.gkc", "set": {key: f"={key}" for key in published}}},
            "ports": {key: f"inner.{key}" for key in inner["ports"]}}
