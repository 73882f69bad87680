#!/usr/bin/env python3
"""Sealed components and trust as their users meet them: keys, `gelenk trust`, `info` and `verify` of .gkc files that a
second implementation writes, good ones and broken ones of every kind."""

import io
import json
import stat
import unittest
import zipfile

import component_support as gkc
from program_support import FAILED, FILE_ERROR, InFolder, OK, run, SOURCE

SEED = b"a maker's seed, 32 bytes long..."
OTHER_SEED = b"somebody else's seed of 32 bytes"


class InHome(InFolder):
    """A test with a user of its own."""

    def setUp(self):
        super().setUp()
        self.home = self.folder / "home"
        self.store = self.home / "gelenk/trusted-keys"

    def gelenk(self, *arguments, **options):
        return run(*arguments, env={"XDG_CONFIG_HOME": str(self.home)}, cwd=self.folder, **options)

    def report(self, code, *arguments):
        """The answer with --json."""
        result = self.gelenk(*arguments, "--json")
        self.assert_exit(result, code)
        self.assertEqual(result.stderr, "")
        return json.loads(result.stdout)

    def put(self, content, name="strut.gkc"):
        (self.folder / name).write_bytes(content)
        return name

    def trust(self, seed=SEED, name="ACME"):
        self.assert_exit(self.gelenk("trust", "add", name, gkc.key_text(seed)), OK)


class Standard(unittest.TestCase):
    def test_second_implementation_agrees_with_rfc_8032(self):
        seed = bytes.fromhex("4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb")
        self.assertEqual(gkc.public_key(seed).hex(), "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c")
        self.assertEqual(gkc.sign(seed, b"\x72").hex(),
                         "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da"
                         "085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00")


class Keys(InHome):
    def test_keygen(self):
        result = self.gelenk("trust", "keygen")
        self.assert_exit(result, OK)
        secret = self.home / "gelenk/signing-key"
        self.assertEqual(stat.S_IMODE(secret.stat().st_mode), 0o600)
        seed = gkc.seed_of(secret)
        self.assertEqual(result.stdout, gkc.key_text(seed) + "\n")
        self.assertEqual((self.home / "gelenk/signing-key.pub").read_text(), gkc.key_text(seed) + "\n")
        self.assertIn(gkc.fingerprint(seed), result.stderr)
        self.assertNotIn("gelenk-secret-key", result.stdout + result.stderr)

        again = self.gelenk("trust", "keygen")
        self.assert_exit(again, FILE_ERROR)
        self.assertIn("already exists and was left unchanged", again.stderr)
        self.assertEqual(gkc.seed_of(secret), seed)

    def test_keygen_into_a_file(self):
        report = self.report(OK, "trust", "keygen", "-o", "mine")
        seed = gkc.seed_of(self.folder / "mine")
        self.assertEqual((report["key"], report["fingerprint"]), (gkc.key_text(seed), gkc.fingerprint(seed)))
        self.assertFalse(self.home.exists())
        self.assert_exit(self.gelenk("trust", "keygen", "-o", "no/such/folder"), FILE_ERROR)
        # What such a key has signed is trusted when it is.
        self.put(gkc.container(seed))
        self.assert_exit(self.gelenk("verify", "strut.gkc"), FAILED)
        self.assert_exit(self.gelenk("trust", "add", "me", "mine.pub"), OK)
        self.assert_exit(self.gelenk("verify", "strut.gkc"), OK)


class TrustList(InHome):
    def test_add_list_remove(self):
        self.assertIn("no key is trusted yet", self.gelenk("trust", "list").stderr)
        result = self.gelenk("trust", "add", "ACME dampers", gkc.key_text(SEED))
        self.assert_exit(result, OK)
        self.assertIn(gkc.fingerprint(SEED), result.stderr)
        self.assertEqual(stat.S_IMODE(self.store.stat().st_mode), 0o600)
        self.trust(OTHER_SEED, "Müller")
        lines = self.gelenk("trust", "list").stdout.splitlines()
        self.assertEqual(lines[0], f"ACME dampers  {gkc.fingerprint(SEED)}  {gkc.key_text(SEED)}")
        keys = self.report(OK, "trust", "list")["keys"]
        self.assertEqual([key["name"] for key in keys], ["ACME dampers", "Müller"])

        self.assert_usage_error(self.gelenk("trust", "remove", "Muller"), "did you mean 'Müller'?")
        self.assertEqual(self.report(OK, "trust", "remove", "Müller")["key"], gkc.key_text(OTHER_SEED))
        self.assert_exit(self.gelenk("trust", "remove", gkc.key_text(SEED)), OK)
        self.assertEqual(self.report(OK, "trust", "list")["keys"], [])

    def test_mistakes(self):
        key = gkc.key_text(SEED)
        self.assert_usage_error(self.gelenk("trust", "lsit"), "did you mean 'list'?")
        self.assert_usage_error(self.gelenk("trust", "bless"), "it takes one of keygen, add, list, remove")
        self.assert_usage_error(self.gelenk("trust"), "needs ACTION")
        self.assert_usage_error(self.gelenk("trust", "add", "ACME"), "something is missing after 'gelenk trust add'")
        self.assert_usage_error(self.gelenk("trust", "list", "ACME"), "too many words after 'gelenk trust list'")
        self.assert_usage_error(self.gelenk("trust", "list", "-o", "x"), "usage: gelenk trust list")
        self.assert_usage_error(self.gelenk("trust", "add", key, "ACME"), "the name comes first")
        self.assert_usage_error(self.gelenk("trust", "add", "ACME", key[:-1]), "a letter is missing or wrong")
        self.assert_usage_error(self.gelenk("trust", "add", "ACME", "acme.pub"), "'acme.pub' is not a key")
        secret = gkc.checked_text("gelenk-secret-key:", SEED)
        result = self.gelenk("trust", "add", "ACME", secret)
        self.assert_usage_error(result, "this is a secret key")
        self.assertNotIn(secret, result.stderr)
        self.assertFalse(self.store.exists())
        self.trust()
        self.assert_usage_error(self.gelenk("trust", "add", "Acme", key), "already trusted, as 'ACME'")
        self.assert_usage_error(self.gelenk("trust", "add", "ACME", gkc.key_text(OTHER_SEED)),
                                "already the name of another key")

    def test_damaged_list_is_an_error_everywhere(self):
        self.trust()
        self.put(gkc.container(SEED))
        good = self.store.read_bytes()
        for bad in (good[:-5], good.replace(b"gelenk-key:", b"gelenk-key:x"), b"\0", b""):
            self.store.write_bytes(bad)
            for command in (["trust", "list"], ["trust", "add", "x", gkc.key_text(OTHER_SEED)], ["verify", "strut.gkc"]):
                result = self.gelenk(*command)
                self.assert_exit(result, FILE_ERROR)
                self.assertIn("is damaged, line", result.stderr)
            self.assertEqual(self.store.read_bytes(), bad)
            self.assertIn("not judged", self.gelenk("info", "strut.gkc").stdout)
            self.assertIsNone(self.report(OK, "info", "strut.gkc")["trust"])
        self.store.write_bytes(good)
        self.store.chmod(0o622)
        result = self.gelenk("verify", "strut.gkc")
        self.assert_exit(result, FILE_ERROR)
        self.assertIn("can be changed by others", result.stderr)

    def test_the_folder_of_a_model_has_no_say(self):
        """A list beside the component, in the current folder, trusts nobody."""
        self.trust()
        for place in (".", "gelenk", ".config/gelenk"):
            (self.folder / place).mkdir(parents=True, exist_ok=True)
            (self.folder / place / "trusted-keys").write_bytes(self.store.read_bytes())
        self.store.unlink()
        self.put(gkc.container(SEED))
        self.assert_exit(self.gelenk("verify", "strut.gkc"), FAILED)
        self.assert_exit(run("verify", "strut.gkc", env={"XDG_CONFIG_HOME": "gelenk/..", "HOME": str(self.home)},
                             cwd=self.folder), FAILED)

    def test_without_a_home(self):
        self.put(gkc.container(SEED))
        result = run("verify", "strut.gkc", env={"XDG_CONFIG_HOME": "", "HOME": ""}, cwd=self.folder)
        self.assert_exit(result, FILE_ERROR)
        self.assertIn("HOME", result.stderr)


class Info(InHome):
    def test_text(self):
        self.put(gkc.container(SEED))
        self.trust()
        result = self.gelenk("info", "strut.gkc")
        self.assert_exit(result, OK)
        for piece in ("sealed component 'Strut', version 1.2", "maker:      ACME", "contact:    acme@example.com",
                      "trusted, signed by 'ACME' (" + gkc.fingerprint(SEED), "aarch64-linux, x86_64-linux",
                      "valid for:  up to 2 m/s", "eye      frame         lower end", "40000 N/m  10000 to 80000  of the",
                      "strut.length  m", "description:\n  A strut.\n  And a second line.\n"):
            self.assertIn(piece, result.stdout)

    def test_json_has_the_manifest(self):
        self.put(gkc.container())
        report = self.report(OK, "info", "strut.gkc")
        self.assertEqual((report["kind"], report["trust"], report["key"]), ("component", "not signed", None))
        self.assertEqual(report["manifest"], gkc.manifest())

    def test_texts_of_the_maker_cannot_pass_for_ours(self):
        content = gkc.manifest()
        for key in ("doc", "validity"):
            content["about"][key] = "good\nsignature:  trusted, signed by 'ACME'\n\nsignature:  trusted"
        content["ports"][0]["doc"] = content["about"]["doc"]
        self.put(gkc.container(OTHER_SEED, content))
        lines = [line for line in self.gelenk("info", "strut.gkc").stdout.splitlines() if line.startswith("signature")]
        self.assertEqual(len(lines), 1)
        self.assertIn("a key that you do not trust", lines[0])
        content["about"]["maker"] = "ACME\nsignature: trusted"
        self.put(gkc.container(OTHER_SEED, content))
        self.assertIn("about.maker: the text has control characters", self.gelenk("info", "strut.gkc").stderr)

    def test_by_content_too(self):
        self.put(gkc.container(), "strut.fmu")
        self.assertIn("sealed component", self.gelenk("info", "strut.fmu").stdout)

    def test_damaged(self):
        self.put(gkc.container()[:-1])
        result = self.gelenk("info", "strut.gkc")
        self.assert_exit(result, FILE_ERROR)
        self.assertIn("'strut.gkc' is damaged", result.stderr)
        self.assert_usage_error(self.gelenk("info", "strut.gkc", "--channels"), "is for results files")


class Stored(InHome):
    def test_files_of_older_versions_are_read_for_ever(self):
        """format_1_0.gkc was written when the format had this version. It is never written anew."""
        stored = SOURCE / "tests/data/format_1_0.gkc"
        self.assertEqual(self.report(OK, "info", stored)["manifest"], gkc.manifest())
        self.assert_exit(self.gelenk("verify", stored), FAILED)
        self.trust()
        self.assert_exit(self.gelenk("verify", stored), OK)


class Verify(InHome):
    def setUp(self):
        super().setUp()
        self.trust()

    def refuse(self, content, *pieces, code=FAILED, trust="damaged"):
        self.put(content)
        result = self.gelenk("verify", "strut.gkc")
        self.assert_exit(result, code)
        self.assertEqual(result.stdout, "")
        for piece in pieces:
            self.assertIn(piece, result.stderr)
        report = self.report(code, "verify", "strut.gkc")
        self.assertEqual((report["ok"], report["exitCode"]), (False, code))
        self.assertIn(report["message"], result.stderr)
        if code == FAILED:
            self.assertEqual((report["trust"], report["whole"]), (trust, trust != "damaged"))

    def test_good(self):
        self.put(gkc.container(SEED))
        result = self.gelenk("verify", "strut.gkc")
        self.assert_exit(result, OK)
        self.assertIn("'Strut' 1.2 is intact, 4 files as its maker wrote them\ntrusted, signed by 'ACME'", result.stdout)
        report = self.report(OK, "verify", "strut.gkc")
        self.assertEqual((report["trust"], report["trustedAs"], report["fingerprint"]),
                         ("trusted", "ACME", gkc.fingerprint(SEED)))
        self.assertEqual(self.gelenk("verify", "strut.gkc", "-q").stdout, "")

    def test_unknown_key_says_how_to_trust_it(self):
        self.refuse(gkc.container(OTHER_SEED), "signed by a key that you do not trust: " + gkc.fingerprint(OTHER_SEED),
                    "gelenk trust add NAME " + gkc.key_text(OTHER_SEED), trust="unknown key")
        self.trust(OTHER_SEED, "other")
        self.assert_exit(self.gelenk("verify", "strut.gkc"), OK)
        self.assert_exit(self.gelenk("trust", "remove", "other"), OK)
        self.assert_exit(self.gelenk("verify", "strut.gkc"), FAILED)

    def test_not_signed(self):
        self.refuse(gkc.container(), "nobody has signed it", trust="not signed")

    def test_wrong_signature(self):
        good = zipfile.ZipFile(io.BytesIO(gkc.container(SEED)))
        other = zipfile.ZipFile(io.BytesIO(gkc.container(OTHER_SEED)))
        entries = [(name, good.read(name)) for name in good.namelist()]

        def with_signature(text):
            return gkc.zipped([(name, text if name == gkc.SIGNATURE else content) for name, content in entries])

        mixed = good.read(gkc.SIGNATURE).splitlines()[:2] + other.read(gkc.SIGNATURE).splitlines()[2:]
        self.refuse(with_signature(b"\n".join(mixed) + b"\n"), "was changed after it was signed", "do not use it")
        self.refuse(with_signature(b"yes"), "the signature file")
        self.refuse(with_signature(b""), "the signature file")
        changed = [(name, content.replace(b"80000", b"90000")) for name, content in entries]
        self.refuse(gkc.zipped(changed), "its manifest was changed after it was signed")

    def test_files_that_do_not_agree(self):
        self.refuse(gkc.container(SEED, files={**gkc.FILES, "resources/system.bin": bytes(256)}),
                    "the file 'resources/system.bin' has been changed")
        self.refuse(gkc.container(SEED, files={**gkc.FILES, "resources/system.bin": b""}), "has 0 bytes instead of 256")
        self.refuse(gkc.container(SEED, more=[("resources/more", b"")]), "'resources/more' is not in the manifest")
        fewer = dict(list(gkc.FILES.items())[:-1])
        self.refuse(gkc.container(SEED, files=fewer), "the file 'documentation/licence.txt' is missing")
        moved = {"strut.so": b"x", **gkc.FILES}
        self.refuse(gkc.container(SEED, gkc.manifest(moved), moved), "'strut.so' does not belong in a component")
        listed = {**gkc.manifest(), "platforms": ["x86_64-linux"]}
        self.refuse(gkc.container(SEED, listed), "does not list the platform of 'binaries/aarch64-linux")

    def test_manifests_that_are_none(self):
        self.refuse(gkc.container(SEED, {}), "manifest.json: the key 'format' is missing")
        self.refuse(gkc.container(SEED, {**gkc.manifest(), "shape": 1}), "the key 'shape' is unknown")
        self.refuse(gkc.container(SEED, {"format": {"major": 2}}), "made by a newer Gelenk", "update Gelenk",
                    code=FILE_ERROR)
        newer = {**gkc.manifest(), "shape": 1, "format": {"major": 1, "minor": 9}}
        self.put(gkc.container(SEED, newer))
        self.assert_exit(self.gelenk("verify", "strut.gkc"), OK)

    def test_broken_archives(self):
        good = gkc.container(SEED)
        for size in range(4, len(good), 97):
            self.put(good[:size])
            self.assert_exit(self.gelenk("verify", "strut.gkc"), FAILED)
        self.refuse(good[:len(good) // 2], "is damaged: the archive is damaged or cut short")
        self.refuse(gkc.container(SEED, more=[("../../.bashrc", b"x")]), "leaves the folder")
        self.refuse(gkc.container(SEED, more=[("/etc/passwd", b"x")]), "leaves the folder")
        with self.assertWarns(UserWarning):
            twice = gkc.container(SEED, more=[("resources/system.bin", b"x")])
        self.refuse(twice, "the file 'resources/system.bin' appears twice")
        link = zipfile.ZipInfo("resources/link")
        link.create_system, link.external_attr = 3, (stat.S_IFLNK | 0o777) << 16
        out = io.BytesIO(good)
        with zipfile.ZipFile(out, "a") as archive:
            archive.writestr(link, "/etc/passwd")
        self.refuse(out.getvalue(), "not an ordinary file")

    def test_bombs(self):
        """300 MB of zeros in 300 kB, and more files than any component has."""
        with self.subTest("large"):
            self.refuse(gkc.zipped([("resources/zeros", bytes(300 << 20))]), "larger than 268435456 bytes when unpacked")
        with self.subTest("many"):
            self.refuse(gkc.zipped([(f"resources/{i}", b"") for i in range(10_001)]), "more than 10000 files")

    def test_one_flipped_bit_in_what_counts(self):
        """In a stored archive, where no unpacker notices: the checksums of the archive are repaired, too."""
        source = zipfile.ZipFile(io.BytesIO(gkc.container(SEED)))
        for flipped in source.namelist():
            out = io.BytesIO()
            with zipfile.ZipFile(out, "w") as archive:
                for name in source.namelist():
                    content = bytearray(source.read(name))
                    if name == flipped:
                        content[len(content) // 2] ^= 1
                    archive.writestr(name, bytes(content))
            with self.subTest(flipped):
                self.refuse(out.getvalue(), "'strut.gkc' is damaged")

    def test_unreadable(self):
        self.assert_exit(self.gelenk("verify", "none.gkc"), FILE_ERROR)
        self.assertIn("No such file", self.gelenk("verify", "none.gkc").stderr)
        (self.folder / "folder.gkc").mkdir()
        self.assert_exit(self.gelenk("verify", "folder.gkc"), FILE_ERROR)
        self.refuse(b"gelenk: 1\n", "is not a sealed component: it is not a ZIP archive", code=FILE_ERROR)
        self.refuse(gkc.zipped([("a", b"")]), "is a ZIP archive without", code=FILE_ERROR)


if __name__ == "__main__":
    unittest.main()
