#!/usr/bin/env python3
"""cad_bench.py counts right and wrong joints as a person would."""

import unittest

from cad_bench import judge

TRUTH = {"joints": [["frame", "arm", "revolute"], ["arm", "plate", "fixed"], ["frame", "ram", "prismatic|cylindrical"]],
         "maybe": [["plate", "cover", "any"]]}


def joint(first, second, kind, certainty="sure", origin="inferred", reason=""):
    return {"between": [first, second], "type": kind, "certainty": certainty, "origin": origin, "reason": reason}


def judged(*joints, truth=None):
    return judge({"import": {"joints": list(joints)}}, truth or TRUTH)


class Judge(unittest.TestCase):
    def test_all_right(self):
        count, wrong = judged(joint("arm.hub", "frame", "revolute"), joint("arm", "plate", "fixed", "guess"),
                              joint("frame", "ram", "cylindrical"), joint("plate", "cover", "planar"),
                              joint("frame", "bolt", "fixed", "assumed", "assumed", "fastener"))
        self.assertEqual(wrong, [])
        self.assertEqual((count["wanted"], count["found"], count["pair"], count["both"]), (3, 3, 3, 3))
        self.assertEqual((count["wanted_moving"], count["both_moving"], count["usable"]), (2, 2, True))
        self.assertEqual((count["sure"], count["sure_wrong"]), (2, 0))

    def test_wrong_type_missing_and_invented(self):
        count, wrong = judged(joint("frame", "arm", "cylindrical"), joint("frame", "plate", "planar", "guess"))
        self.assertEqual((count["wanted"], count["found"], count["pair"], count["both"]), (3, 2, 1, 0))
        self.assertEqual((count["sure"], count["sure_wrong"], count["usable"]), (1, 1, False))
        self.assertEqual(len(wrong), 4)
        self.assertIn("arm-frame: cylindrical (sure), not revolute", wrong)
        self.assertIn("frame-plate: planar (guess), not there", wrong)
        self.assertIn("arm-plate: missing, fixed", wrong)

    def test_what_only_hangs_on_something_counts_where_it_is_wanted(self):
        count, _ = judged(joint("arm", "plate", "fixed", "assumed", "assumed"), joint("arm", "tail", "fixed", "assumed", "assumed"))
        self.assertEqual((count["found"], count["both"]), (1, 1))


if __name__ == "__main__":
    unittest.main()
