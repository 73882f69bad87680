"""Writes sealed components without the program: ZIP and SHA-256 of Python, and Ed25519 in plain arithmetic (RFC 8032,
section 6). A second implementation of all that `gelenk verify` checks."""

import base64
import hashlib
import io
import json
import zipfile

MANIFEST = "extra/org.gelenk.component/manifest.json"
SIGNATURE = "extra/org.gelenk.component/manifest.sig"

P = 2**255 - 19
L = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, P - 2, P) % P
BASE_Y = 4 * pow(5, P - 2, P) % P


def sha512_number(*pieces):
    return int.from_bytes(hashlib.sha512(b"".join(pieces)).digest(), "little")


def point_add(a, b):
    """Points are (X, Y, Z, T) with x = X/Z, y = Y/Z, x*y = T/Z."""
    f, g = (a[1] - a[0]) * (b[1] - b[0]) % P, (a[1] + a[0]) * (b[1] + b[0]) % P
    c, d = 2 * a[3] * b[3] * D % P, 2 * a[2] * b[2] % P
    e, f, g, h = g - f, d - c, d + c, g + f
    return e * f % P, g * h % P, f * g % P, e * h % P


def point_multiply(scalar, point):
    result = (0, 1, 1, 0)
    while scalar > 0:
        if scalar & 1:
            result = point_add(result, point)
        point = point_add(point, point)
        scalar >>= 1
    return result


def base_point():
    x_squared = (BASE_Y * BASE_Y - 1) * pow(D * BASE_Y * BASE_Y + 1, P - 2, P) % P
    x = pow(x_squared, (P + 3) // 8, P)
    if (x * x - x_squared) % P:
        x = x * pow(2, (P - 1) // 4, P) % P
    if x & 1:
        x = P - x
    return x, BASE_Y, 1, x * BASE_Y % P


def compressed(point):
    inverse = pow(point[2], P - 2, P)
    x, y = point[0] * inverse % P, point[1] * inverse % P
    return (y | ((x & 1) << 255)).to_bytes(32, "little")


def expanded(seed):
    digest = hashlib.sha512(seed).digest()
    scalar = int.from_bytes(digest[:32], "little") & ((1 << 254) - 8) | (1 << 254)
    return scalar, digest[32:]


def public_key(seed):
    return compressed(point_multiply(expanded(seed)[0], base_point()))


def sign(seed, message):
    scalar, prefix = expanded(seed)
    key = public_key(seed)
    r = sha512_number(prefix, message) % L
    point = compressed(point_multiply(r, base_point()))
    s = (r + sha512_number(point, key, message) * scalar) % L
    return point + s.to_bytes(32, "little")


def checked_text(prefix, content):
    """Bytes as a text with a checksum, as keys are written."""
    checksum = hashlib.sha256(prefix.encode() + content).digest()[:4]
    return prefix + base64.b64encode(content + checksum).decode()


def key_text(seed):
    return checked_text("gelenk-key:", public_key(seed))


def seed_of(secret_key_file):
    """The secret in a file that `gelenk trust keygen` wrote."""
    line = next(line for line in secret_key_file.read_text().splitlines() if line.startswith("gelenk-secret-key:"))
    seed = base64.b64decode(line.split(":")[1])[:-4]
    assert checked_text("gelenk-secret-key:", seed) == line
    return seed


def fingerprint(seed):
    digits = hashlib.sha256(public_key(seed)).hexdigest()[:32].upper()
    return "-".join(digits[i:i + 4] for i in range(0, 32, 4))


FILES = {
    "binaries/x86_64-linux/strut.so": b"\x7fELF x86",
    "binaries/aarch64-linux/strut.so": b"\x7fELF arm",
    "resources/system.bin": bytes(range(256)),
    "documentation/licence.txt": b"You may use it.\n",
}


def manifest(files=None):
    files = FILES if files is None else files
    return {
        "format": {"major": 1, "minor": 0},
        "abi": {"major": 1, "minor": 0},
        "about": {"name": "Strut", "version": "1.2", "maker": "ACME", "contact": "acme@example.com",
                  "licence": "see documentation/licence.txt", "doc": "A strut.\nAnd a second line.",
                  "validity": "up to 2 m/s"},
        "ports": [{"name": "eye", "kind": "frame", "width": 6, "doc": "lower end"},
                  {"name": "voltage", "kind": "signal_in", "width": 1, "unit": "V"}],
        "parameters": [{"name": "stiffness", "unit": "N/m", "default": 40000, "min": 10000, "max": 80000,
                        "doc": "of the spring"}],
        "outputs": [{"name": "strut.length", "unit": "m"}],
        "platforms": ["aarch64-linux", "x86_64-linux"],
        "files": [{"path": path, "size": len(content), "sha256": hashlib.sha256(content).hexdigest()}
                  for path, content in files.items()],
    }


def zipped(entries):
    """entries: (path, content) in their order; a path may be there twice."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, content in entries:
            archive.writestr(zipfile.ZipInfo(path), content, zipfile.ZIP_DEFLATED)
    return out.getvalue()


def container(seed=None, content=None, files=None, more=()):
    """The bytes of a .gkc file: `content` replaces the manifest, `files` the files, `more` is added unlisted."""
    text = json.dumps(manifest() if content is None else content).encode()
    entries = [(MANIFEST, text)]
    if seed is not None:
        signature = base64.b64encode(sign(seed, text)).decode()
        entries.append((SIGNATURE, f"gelenk-signature 1\nkey {key_text(seed)}\nsignature {signature}\n".encode()))
    return zipped(entries + list((FILES if files is None else files).items()) + list(more))


def ball(platform, name, files, seed=None):
    """A container with the body of tests/hosts/free_body.c, or one that behaves otherwise; `files` has its library."""
    content = {"format": {"major": 1, "minor": 0}, "abi": {"major": 1, "minor": 0}, "about": {"name": name, "version": "1.0"},
               "ports": [{"name": "eye", "kind": "frame", "width": 6},
                         {"name": "push", "kind": "signal_in", "width": 1, "unit": "N"},
                         {"name": "speed", "kind": "signal_out", "width": 1, "unit": "m/s"}],
               "parameters": [{"name": "mass", "unit": "kg", "default": 2, "min": 1e-3, "max": 1e3}],
               "outputs": [{"name": "height", "unit": "m"}], "platforms": [platform], "files": manifest(files)["files"]}
    return container(seed=seed, content=content, files=files)
