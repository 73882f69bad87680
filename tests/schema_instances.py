"""Random model files, made by walking the schema and then spoiled a little.

Scalars are texts as they stand in the file. What comes out is mostly right for a reader that looks at structure only.
"""

import json
import re

import yaml

# What people write, and what YAML readers make something else of.
SCALARS = [
    "1", "-1", "0", "1e3", "+2.5", ".5", "7.", "true", "false", "True", "null", "~", '""', '"1"', '"true"', '"null"', "x",
    "-z", "none", "12 mm", "12mm", '"3 N*m/rad"', "5 1/min", "30 deg", "5 °", "=1 + 2", '"=a * (b + 1 mm)"', '"-5 kg"',
    "1_000", ".inf", ".nan", "0x1F", "0o7", "on", "2024-01-01", "ground", "crank.pin", "link.0", "0", "1.5", "auto",
    '" 12 mm "', "12 m²", "2 (m/s)", '"1e-400"', "0.1 g0", "600 rpm", "5 Hz", "linear", "zyx", "a b", "a-b", "_",
]
VALUES = SCALARS + ["[]", "{}", "[1, 2, 3]", "[1, 2]", "[x, y]", "[ground, crank]", "{table: {of: time, x: [0], y: [0]}}"]
NUMBERS = ["1", "2.5", "1e-3", "=1 + 2", '"=a"']
# In flow style these would end a text that stands in no quotes.
NEEDS_QUOTES = re.compile(r"[\[\]{},:#\n]")
NAMES = ["a", "b-2", "_c", "null", "true", "D"]


class Maker:

    def __init__(self, schema, random):
        self.schema = schema
        self.random = random
        self.keys = sorted({key for part in schema["definitions"].values() for key in part.get("properties", {})})

    def resolved(self, part):
        if "$ref" in part:
            return self.resolved(self.schema["definitions"][part["$ref"].split("/")[-1]])
        if len(part.get("allOf", [])) == 1:
            return {**part, **self.resolved(part["allOf"][0])}
        return part

    def value(self, part, depth=0):
        """Something that fits this part of the schema: a map, a list or the text of a scalar."""
        part = self.resolved(part)
        if "anyOf" in part:
            return self.one_of(part, depth)
        if "const" in part or "enum" in part:
            chosen = part.get("const", None) or self.random.choice(part["enum"])
            return chosen if isinstance(chosen, str) else json.dumps(chosen)
        kinds = part.get("type", ["string"])
        kind = kinds if isinstance(kinds, str) else self.random.choice(kinds)
        if kind == "object":
            return self.object(part, depth)
        if kind == "array":
            count = part.get("minItems", self.random.randrange(4))
            return [self.value(part["items"], depth + 1) for _ in range(count)]
        if kind == "null":
            return "null" if "string" in kinds else ""
        if kind == "boolean":
            return self.random.choice(["true", "false"])
        if "x-unit" in part:
            return self.random.choice(NUMBERS + [f'"4 {part["x-unit"]}"'])
        return self.random.choice(NUMBERS if part.get("title") == "number" else NAMES)

    def one_of(self, part, depth):
        """A map is never a bare value that stands for one key."""
        while True:
            chosen = self.random.choice(part["anyOf"])
            value = self.value(chosen, depth)
            if not (isinstance(value, dict) and ("not" in chosen or "not" in part)):
                return value

    def object(self, part, depth):
        if any("then" in choice for choice in part.get("allOf", [])):
            return self.object(self.resolved(self.random.choice(part["allOf"])["then"]), depth)
        result = {}
        properties = list(part.get("properties", {}).items())
        if part.get("maxProperties") == 1:
            key, value = self.random.choice(properties)
            return {key: self.value(value, depth + 1)}
        for key, value in properties:
            if key in part.get("required", []) or (key != "modify" and depth < 6 and self.random.random() < 0.4):
                result[key] = self.value(value, depth + 1)
        if isinstance(part.get("additionalProperties"), dict):
            for name in self.random.sample(NAMES, self.random.randrange(1, 3)):
                result[name] = self.value(part["additionalProperties"], depth + 1)
        return result

    def spoil(self, node):
        """Changes one place below the node."""
        places = list(_places(node))
        if not places:
            return
        holder, key = self.random.choice(places)
        action = self.random.randrange(6)
        if action == 0 and isinstance(holder, dict):
            del holder[key]
        elif action == 1 and isinstance(holder, dict):
            holder[self.random.choice(self.keys + NAMES + ["9a", "time"])] = holder.pop(key)
        elif action == 2:
            other, place = self.random.choice(places)
            holder[key] = json.loads(json.dumps(other[place]))
        elif action == 3:
            holder[key] = [holder[key]]
        else:
            holder[key] = self.random.choice(VALUES)


def _places(node):
    keys = node.keys() if isinstance(node, dict) else range(len(node)) if isinstance(node, list) else ()
    for key in list(keys):
        yield node, key
        yield from _places(node[key])


def tree_of(text):
    """Maps, lists and the texts of scalars of a file, to be spoiled."""
    return _tree(yaml.compose(text, Loader=yaml.SafeLoader))


def _tree(node):
    if isinstance(node, yaml.MappingNode):
        return {key.value: _tree(value) for key, value in node.value}
    if isinstance(node, yaml.SequenceNode):
        return [_tree(item) for item in node.value]
    is_plain = node.style is None and not NEEDS_QUOTES.search(node.value)
    return node.value if is_plain else json.dumps(node.value, ensure_ascii=False)


def text_of(node):
    """YAML in flow style."""
    if isinstance(node, dict):
        return "{" + ", ".join(f"{json.dumps(key)}: {text_of(value)}" for key, value in node.items()) + "}"
    if isinstance(node, list):
        return "[" + ", ".join(text_of(item) for item in node) + "]"
    return node
