#!/usr/bin/env python3
"""Models that Python builds and changes, and what learns on them."""

import unittest

import numpy as np

from python_support import CART_POLE, InFolder, example, gk, run


def chain(count):
    """Story 4."""
    model = gk.Model(name="chain", up="z")
    previous = "ground"
    for i in range(count):
        link = model.add_part(f"link_{i}", material="steel", at=[f"{100 * i} mm", 0, 0],
                              shape={"capsule": {"radius": "5 mm", "from": [0, 0, 0], "to": "end"}},
                              frames={"end": {"at": ["0.1 m", 0, 0]}})
        model.add_joint(f"hinge_{i}", type="revolute", between=[previous, link], axis="y")
        previous = link.frame("end")
    return model


class BuildTest(InFolder):

    def test_a_chain_has_the_bits_of_its_text(self):
        model = chain(6)
        model.save(self.folder / "chain.yaml")
        done = run("run", self.folder / "chain.yaml", "--duration", "0.1 s", "-o", self.folder / "a.h5")
        self.assertEqual(0, done.returncode, done.stderr)
        program = gk.open(self.folder / "a.h5")
        found = model.assemble().run(duration="0.1 s")
        self.assertEqual(program.channels, found.channels)
        for channel in program.channels:
            self.assertEqual(program[channel].tobytes(), found[channel].tobytes(), channel)

    def test_text_there_and_back(self):
        for name in ("crank_slider", "car", "gears", "servo"):
            model = gk.load(example(name))
            again = gk._core.EditableModel.parse(model.to_yaml(), str(example(name)))
            self.assertEqual(model.to_yaml(), again.to_yaml())

    def test_edits_follow_references(self):
        model = gk.load(example("crank_slider"))
        crank = model.parts["crank"]
        before = model.assemble().run(duration="0.05 s")
        renamed = crank.rename("wheel")
        self.assertIn("wheel", model.parts)
        self.assertNotIn("crank", model.parts)
        after = model.assemble().run(duration="0.05 s")
        self.assertEqual(before["piston.position.x"].tobytes(), after["piston.position.x"].tobytes())
        with self.assertRaisesRegex(gk.ModelError, "is still used in"):
            renamed.remove()
        with self.assertRaises(gk.ModelError):
            renamed.modify(mas="1 kg")
        text = model.to_yaml()
        with self.assertRaises(gk.ModelError):
            model.add_part("wheel", mass=1)
        with self.assertRaisesRegex(gk.ModelError, "did you mean 'mass'"):
            model.add_part("other", mas=1)
        self.assertEqual(text, model.to_yaml(), "a refused change leaves no trace")

    def test_machines_keep_what_their_model_was(self):
        model = gk.load(example("crank_slider"))
        machine = model.assemble()
        before = machine.run(duration="0.05 s")
        model.parts["piston"].modify(mass="50 kg")
        after = machine.run(duration="0.05 s")
        self.assertEqual(before["crank_pin.reaction.force.x"].tobytes(), after["crank_pin.reaction.force.x"].tobytes())
        changed = model.assemble().run(duration="0.05 s")
        self.assertNotEqual(before["crank_pin.reaction.force.x"].tobytes(), changed["crank_pin.reaction.force.x"].tobytes())

    def test_descriptions(self):
        model = gk.Model(name="one", gravity="none")
        model.add_parameter("k", "30 N/m")
        model.add_parameter("m", value=np.float64(0.1), unit="kg")
        part = model.add_part("block", mass="=m", inertia={"xx": 1, "yy": 1, "zz": 1})
        model.add_joint("rail", type="prismatic", between=["ground", part], axis="x", start={"travel": 0.1})
        model.add_force("spring", type="spring_damper", between=["ground", part], stiffness="=k", free_length=0)
        model.add_output("way", "rail.travel")
        self.assertEqual("=m", part["mass"])
        self.assertEqual(["k", "m"], list(model.parameters))
        machine = model.assemble()
        self.assertEqual({"k": 30.0, "m": 0.1}, machine.parameters)
        # x = 0.1 cos(ωt), ω² = k/m
        found = machine.run(duration="1 s", tolerance=1e-10)
        np.testing.assert_allclose(found["way"], 0.1 * np.cos(np.sqrt(300.0) * found.time), atol=1e-8)
        self.assertIn("1 free motion", machine.summary())

    def test_descriptions_that_are_none(self):
        model = gk.Model(name="one")
        endless = {}
        endless["meta"] = endless
        with self.assertRaises((gk.UsageError, RecursionError)):
            model.add_part("a", **endless)
        with self.assertRaisesRegex(gk.UsageError, "must be finite"):
            model.add_part("a", mass=float("inf"))
        with self.assertRaises(TypeError):
            model.add_part("a", mass=object())
        with self.assertRaises(gk.ModelError):
            model.add_part("a b", mass=1)
        with self.assertRaises(gk.ModelError):
            gk.Model(name="one", gravitty="none")
        self.assertEqual([], list(model.parts))


class LearningTest(InFolder):

    def setUp(self):
        super().setUp()
        self.write("cart_pole.yaml", CART_POLE)

    def options(self):
        return {"actions": ["push"], "observations": ["slider.travel", "slider.speed", "hinge.angle", "hinge.rate"],
                "control_step": "20 ms", "reward": "=1 - hinge.angle^2", "done": "=abs(hinge.angle) > 0.2",
                "limits": {"push": (-10, 10)}, "episode": "10 s", "spread": {"tilt": 0.01}, "method": "rk4",
                "step": "5 ms"}

    def test_environment(self):
        from gelenk.rl import Env
        from gymnasium.utils.env_checker import check_env

        env = Env(self.folder / "cart_pole.yaml", **self.options())
        check_env(env, skip_render_check=True)
        ways = []
        for _ in range(2):
            seen, _ = env.reset(seed=1)
            way = [seen]
            for step in range(30):
                seen, reward, terminated, truncated, _ = env.step([3.0 * (-1) ** step])
                self.assertAlmostEqual(1 - seen[2]**2, reward, 15)
                self.assertEqual(abs(seen[2]) > 0.2, terminated)
                way.append(seen)
            ways.append(np.stack(way).tobytes())
        self.assertEqual(ways[0], ways[1], "same seed, same bits")

    def test_many_at_once(self):
        from gelenk.rl import Env, VectorEnv

        many = VectorEnv(4, self.folder / "cart_pole.yaml", **self.options())
        alone = [Env(self.folder / "cart_pole.yaml", **self.options()) for _ in range(4)]
        seen, _ = many.reset(seed=7)
        for number, env in enumerate(alone):
            self.assertEqual(seen[number].tobytes(), env.reset(seed=7 + number)[0].tobytes())
        for step in range(20):
            actions = np.array([[number * np.sin(step)] for number in range(4)])
            seen, rewards, _, _, _ = many.step(actions)
            for number, env in enumerate(alone):
                one, reward, *_ = env.step(actions[number])
                self.assertEqual(seen[number].tobytes(), one.tobytes())
                self.assertEqual(reward, rewards[number])


if __name__ == "__main__":
    unittest.main()
