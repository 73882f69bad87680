"""What tests of the viewer share: the server as a page sees it, a small WebSocket, and the page that is one file."""

import base64
import hashlib
import http.client
import json
import os
import re
import signal
import socket
import struct
import subprocess
import time
import urllib.parse
import zlib

from program_support import PROGRAM, TIMEOUT_S

TEXT, BINARY, CLOSE, PING, PONG = 1, 2, 8, 9, 10
KEY_BYTES = 16
DATA_TAG = b'<script id="gk-data" type="application/octet-stream">'


def check_policy(test, page, policy):
    """Every script and style of a page is named by its hash in its policy, and nothing else may run."""
    rules = {words[0]: words[1:] for words in map(str.split, policy.split(";"))}
    test.assertEqual(rules["default-src"], ["'none'"])
    scripts = re.findall(r"<script(?![^>]*application/octet-stream)[^>]*>(.*?)</script>", page, re.DOTALL)
    without = re.sub(r"<script.*?</script>", "", page, flags=re.DOTALL)
    for rule, texts in (("script-src", scripts),
                        ("style-src", re.findall(r"<style[^>]*>(.*?)</style>", without, re.DOTALL))):
        test.assertTrue(texts, rule)
        digests = [base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() for text in texts]
        test.assertEqual(rules[rule], [f"'sha256-{digest}'" for digest in digests])


def wait_until(is_there, what):
    end = time.monotonic() + TIMEOUT_S
    while not is_there():
        if time.monotonic() > end:
            raise AssertionError(f"waited too long: {what}")
        time.sleep(0.02)


class Page:
    """Who knows the address."""

    def __init__(self, address):
        parts = urllib.parse.urlsplit(address.strip())
        self.host = parts.netloc
        self.token = urllib.parse.parse_qs(parts.query)["token"][0]

    def get(self, path):
        """Status and body."""
        status, body, _ = self.ask(path)
        return status, body

    def ask(self, path):
        """Status, body and head."""
        return self.request("GET", path)

    def post(self, path, wish, **headers):
        """Status and what was answered."""
        status, body, _ = self.request("POST", path, wish if isinstance(wish, bytes) else json.dumps(wish).encode(), **headers)
        return status, json.loads(body)

    def request(self, method, path, sent=None, **headers):
        connection = http.client.HTTPConnection(self.host, timeout=TIMEOUT_S)
        try:
            connection.request(method, path, sent, {"Authorization": f"Bearer {self.token}", **headers})
            answer = connection.getresponse()
            return answer.status, answer.read(), answer.headers
        finally:
            connection.close()

    def bytes(self, path):
        status, body = self.get(path)
        assert status == http.client.OK, (path, status, body)
        return body

    def json(self, path):
        return json.loads(self.bytes(path))

    def follow(self):
        return Follower(self.host, self.token)


class Follower:
    """Who follows a run live: just enough of RFC 6455."""

    def __init__(self, host, token):
        name, port = host.split(":")
        self.socket = socket.create_connection((name, int(port)), timeout=TIMEOUT_S)
        key = base64.b64encode(os.urandom(KEY_BYTES)).decode()
        lines = ["GET /api/live HTTP/1.1", f"Host: {host}", f"Origin: http://{host}", "Upgrade: websocket",
                 "Connection: Upgrade", "Sec-WebSocket-Version: 13", f"Sec-WebSocket-Key: {key}", "", ""]
        self.socket.sendall("\r\n".join(lines).encode())
        self.stream = self.socket.makefile("rb")
        head = []
        while line := self.stream.readline().strip():
            head.append(line)
        assert b" 101 " in head[0], head
        self.close_code = None
        self.say("hello", token=token)

    def close(self):
        self.stream.close()
        self.socket.close()

    def say(self, word, **members):
        self.send(TEXT, json.dumps({"type": word, **members}).encode())

    def send(self, kind, payload):
        # Short messages only. What a page sends is masked; the mask may be zero.
        assert len(payload) < 126
        self.socket.sendall(bytes([0x80 | kind, 0x80 | len(payload), 0, 0, 0, 0]) + payload)

    def hear(self):
        """The next message: of JSON as a dictionary, of bytes as such; None when the server has closed."""
        while True:
            try:
                head = self.stream.read(2)
            except ConnectionResetError:  # by a server that was killed
                return None
            if len(head) < 2:
                return None
            kind, length = head[0] & 0xF, head[1] & 0x7F
            if length == 126:
                length = struct.unpack(">H", self.stream.read(2))[0]
            elif length == 127:
                length = struct.unpack(">Q", self.stream.read(8))[0]
            payload = self.stream.read(length)
            if kind == PING:
                self.send(PONG, payload)
            elif kind == CLOSE:
                self.close_code = struct.unpack(">H", payload[:2])[0]
                self.send(CLOSE, payload)
                return None
            elif kind == TEXT:
                return json.loads(payload)
            else:
                return payload

    def hear_until(self, is_it):
        while (message := self.hear()) is not None:
            if is_it(message):
                return message
        raise AssertionError(f"the server closed before, with {self.close_code}")

    def message(self, kind, **members):
        """Waits for a message of this type that has these members."""
        def is_it(message):
            return isinstance(message, dict) and message["type"] == kind and members.items() <= message.items()
        return self.hear_until(is_it)

    def status(self, name):
        """Waits for this status of the run."""
        return self.hear_until(lambda message: isinstance(message, dict) and message.get("status") == name)


def start(*arguments, **options):
    return subprocess.Popen([PROGRAM, *map(str, arguments)], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, text=True, **options)


def end(process):
    """For what may be over already."""
    if process.poll() is None:
        process.kill()
    process.communicate()


def interrupt(process):
    """Ctrl-C. The exit code, and what was said since."""
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=TIMEOUT_S)
    return process.returncode, out, err


def children(process):
    with open(f"/proc/{process.pid}/task/{process.pid}/children") as file:
        return [int(word) for word in file.read().split()]


def is_alive(process_id):
    try:
        with open(f"/proc/{process_id}/stat") as file:
            return file.read().rsplit(")", 1)[1].split()[0] not in ("Z", "X")
    except FileNotFoundError:
        return False


class OneFile:
    """The data of a page that is one file, taken out as PROTOCOL.md says."""

    def __init__(self, path):
        page = path.read_bytes()
        begin = page.index(DATA_TAG) + len(DATA_TAG)
        letters = page[begin:page.index(b"</script>", begin)]
        self.page_bytes = len(page) - len(letters)
        data = zlib.decompress(base64.b64decode(letters, validate=True), wbits=-zlib.MAX_WBITS)
        length = struct.unpack_from("<I", data)[0]
        self.head = json.loads(data[4:4 + length])
        self.numbers = data[-(-(4 + length) // 8) * 8:]
