"""Reads YAML as editors do: version 1.2, core schema, every key as its text.

PyYAML itself resolves scalars as version 1.1 did, where `on` is a boolean, `1e3` a text and `2024-01-01` a date.
"""

import re

import yaml

_NULL = re.compile(r"(?:~|null|Null|NULL|)$")
_BOOLEAN = re.compile(r"(?:true|True|TRUE|false|False|FALSE)$")
_INTEGER = re.compile(r"(?:[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+)$")
_FLOAT = re.compile(r"(?:[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?"
                    r"|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$")


def scalar(text):
    """The value of a scalar that stands in no quotes."""
    if _NULL.match(text):
        return None
    if _BOOLEAN.match(text):
        return text.lower() == "true"
    if _INTEGER.match(text):
        return int(text, 0) if text[:2] in ("0o", "0x") else int(text)
    if _FLOAT.match(text):
        lower = text.lower()
        return float(lower.replace(".inf", "inf") if "inf" in lower else lower.replace(".nan", "nan"))
    return text


def _value(node):
    if isinstance(node, yaml.MappingNode):
        return {key.value: _value(value) for key, value in node.value}
    if isinstance(node, yaml.SequenceNode):
        return [_value(item) for item in node.value]
    return scalar(node.value) if node.style is None else node.value


def load(text):
    """The document as maps, lists and scalars; yaml.YAMLError when it is none."""
    node = yaml.compose(text, Loader=yaml.SafeLoader)
    return None if node is None else _value(node)
