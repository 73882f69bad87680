#!/usr/bin/env python3
"""The package gelenk as people use it: the stories that it was made for."""

import math
import subprocess
import sys
import threading
import unittest

import numpy as np

from python_support import CART_POLE, InFolder, ROTOR, SOURCE, example, gk, run

CRANK_SLIDER = example("crank_slider")


def same_bits(a, b):
    return np.asarray(a).tobytes() == np.asarray(b).tobytes()


class RunTest(InFolder):

    def test_memory_file_and_program_have_the_same_bits(self):
        """Every number of every channel, whoever runs it and wherever it goes."""
        for number, name in enumerate(("crank_slider", "four_bar", "car", "gears", "servo", "rolling/rolling_disk", "contact/bouncing_ball")):
            with self.subTest(name):
                machine = gk.load(example(name)).assemble()
                memory = machine.run(duration="0.1 s")
                written = machine.run(duration="0.1 s", output=self.folder / f"{number}.python.h5")
                saved = memory.save(self.folder / f"{number}.saved.h5")
                done = run("run", example(name), "--duration", "0.1 s", "-o", self.folder / f"{number}.h5", "--no-estimate")
                self.assertEqual(0, done.returncode, done.stderr)
                program = gk.open(self.folder / f"{number}.h5")
                self.assertEqual(memory.channels, program.channels)
                self.assertGreater(len(program.channels), 10)
                for one in (memory, written, saved):
                    self.assertTrue(same_bits(one.time, program.time))
                    for channel in program.channels:
                        self.assertTrue(same_bits(one[channel], program[channel]), channel)
                self.assertEqual("done", memory.status)
                self.assertEqual(memory.certificate["stateHash"], program.certificate["stateHash"])

    def test_views_are_not_copied_and_live_on(self):
        run = gk.load(CRANK_SLIDER).assemble().run(duration="0.2 s")
        column = run["piston.position.x"]
        pose = run.parts["piston"].pose
        self.assertTrue(np.shares_memory(column, pose))
        self.assertTrue(np.shares_memory(column, run["piston.position.x"]))
        self.assertEqual((len(run), 7), pose.shape)
        self.assertFalse(column.flags.writeable)
        with self.assertRaises(ValueError):
            column[0] = 1.0
        kept = column.copy()
        del run, pose
        self.assertTrue(same_bits(kept, column))

    def test_everything_of_a_run_has_a_name(self):
        run = gk.load(CRANK_SLIDER).assemble().run(duration="0.2 s", method="dopri5", tolerance=1e-8)
        self.assertTrue(same_bits(run.parts["crank"].twist[:, 0], run["crank.velocity.x"]))
        self.assertTrue(same_bits(run.joints["crank_pin"].reaction[:, 2], run["crank_pin.reaction.force.z"]))
        self.assertTrue(same_bits(run.joints["main_bearing"]["angle"], run["main_bearing.angle"]))
        self.assertEqual((len(run), 3), run["piston.position"].shape)
        self.assertEqual((len(run), 4), run["piston.orientation"].shape)
        np.testing.assert_allclose(run["crank_pin.reaction.force.magnitude"],
                                   np.linalg.norm(run["crank_pin.reaction.force"], axis=1), rtol=1e-15)
        self.assertTrue(same_bits(run.energy.total, run["energy.total"]))
        self.assertEqual("N", run.unit("crank_pin.reaction.force.magnitude"))
        self.assertIn("stroke", run.outputs)
        self.assertEqual("good", run.certificate["verdict"])
        self.assertEqual([f"piston.position.{axis}" for axis in "xyz"], run.choose("piston.position.*"))
        with self.assertRaisesRegex(gk.UsageError, "did you mean 'piston.position.x'"):
            run["pistn.position.x"]
        with self.assertRaises(KeyError):
            run.parts["pistn"]

    def test_record_only_some_channels(self):
        run = gk.load(CRANK_SLIDER).assemble().run(duration="0.1 s", record=["piston.*"])
        self.assertTrue(all(name.startswith("piston.") for name in run.channels))
        self.assertEqual(["piston"], list(run.parts))
        machine = gk.load(CRANK_SLIDER).assemble()
        self.assertEqual(["stroke"], machine.run(duration="0.1 s", record="stroke").channels)
        with self.assertRaisesRegex(gk.UsageError, "there is no channel 'strokes' to record: did you mean 'stroke'"):
            machine.run(duration="0.1 s", record="strokes")

    def test_many_threads_give_the_same_bits(self):
        machine = gk.load(example("four_bar")).assemble()
        expected = machine.run(duration="0.2 s")
        found = [None] * 8

        def work(number):
            output = self.folder / f"{number}.h5" if number % 2 else None
            found[number] = gk.load(example("four_bar")).assemble().run(duration="0.2 s", output=output)

        threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        for one in found:
            for channel in expected.channels:
                self.assertTrue(same_bits(one[channel], expected[channel]), channel)

    def test_ctrl_c_keeps_what_was_recorded(self):
        code = f"""
import os, signal, sys, threading
sys.path.insert(0, {sys.path[0]!r})
import gelenk as gk
machine = gk.load({str(CRANK_SLIDER)!r}).assemble()
threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
try:
    machine.run(duration="100000 s", output="long.h5", output_every="0.1 s")
except gk.Interrupted as stop:
    print(stop.run.status, len(stop.run) > 2, isinstance(stop, KeyboardInterrupt))
"""
        done = subprocess.run([sys.executable, "-c", code], cwd=self.folder, capture_output=True, text=True, timeout=60)
        self.assertEqual("stopped True True", done.stdout.strip(), done.stderr)
        self.assertEqual("stopped", gk.open(self.folder / "long.h5").status)


class ParameterTest(InFolder):

    def test_other_numbers_share_the_structure(self):
        machine = gk.load(example("car")).assemble()
        stiff = machine.with_parameters({"front_left.spring": "45 kN/m"})
        self.assertTrue(stiff._core.shares_structure_with(machine._core))
        self.assertEqual(45e3, stiff.parameters["front_left.spring"])
        self.assertNotEqual(45e3, machine.parameters["front_left.spring"])
        done = run("run", example("car"), "--duration", "0.05 s", "--set", "front_left.spring=45 kN/m", "-o",
                   self.folder / "a.h5")
        self.assertEqual(0, done.returncode, done.stderr)
        expected = gk.open(self.folder / "a.h5")
        for found in (stiff.run(duration="0.05 s"),
                      gk.load(example("car")).assemble(set={"front_left.spring": 45e3}).run(duration=0.05)):
            for channel in expected.channels:
                self.assertTrue(same_bits(found[channel], expected[channel]), channel)

    def test_compare(self):
        machine = gk.load(CRANK_SLIDER).assemble()
        slow, fast = (machine.with_parameters(speed=speed).run(duration="0.1 s") for speed in ("300 rpm", "600 rpm"))
        self.assertEqual(0.0, gk.compare(slow, slow).largest().largest)
        change = gk.compare(slow, fast, ["main_bearing.angle"])["main_bearing.angle"]
        self.assertAlmostEqual(10 * math.pi * 0.1, change.largest, 9)
        self.assertAlmostEqual(0.1, change.at, 12)

    def test_wrong_parameters(self):
        machine = gk.load(CRANK_SLIDER).assemble()
        with self.assertRaises(gk.ModelError) as caught:
            machine.with_parameters(sped=3)
        self.assertIn("sped", str(caught.exception))
        with self.assertRaisesRegex(gk.ModelError, "is an angular rate \\(rad/s\\), but this is a mass"):
            machine.with_parameters(speed="3 kg")
        with self.assertRaisesRegex(gk.UsageError, "'speed' must be finite"):
            machine.with_parameters(speed=float("nan"))

    def test_objective(self):
        from_scratch = gk.Model._of(gk._core.EditableModel.parse(ROTOR, "rotor.yaml"))
        from_scratch.forces["motor"].modify(value="1 N*m")
        objective = from_scratch.assemble().objective(measure="end(hinge.rate)", parameters=["inertia"], duration="1 s")
        self.assertEqual([(0.1, 1.0)], objective.bounds)
        self.assertEqual([0.25], list(objective.x0))
        # The rate after a second of 1 N*m is 1/J.
        self.assertAlmostEqual(4.0, objective(objective.x0), 9)
        self.assertAlmostEqual(2.0, objective([0.5]), 9)
        self.assertTrue(math.isnan(objective([5.0])))
        self.assertIsInstance(objective.last_error, gk.ModelError)
        with self.assertRaisesRegex(gk.UsageError, "there is no parameter 'inertja'"):
            from_scratch.assemble().objective(measure="end(hinge.rate)", parameters=["inertja"])
        with self.assertRaisesRegex(gk.UsageError, "a measure is one of"):
            from_scratch.assemble().objective(measure="hinge.rate", parameters=["inertia"])


class ErrorTest(InFolder):

    def test_every_broken_model_says_what_the_program_says(self):
        """Codes, places and texts; of a sample also word for word."""
        models = sorted(path for path in (SOURCE / "tests/broken").glob("*/*") if path.suffix in (".yaml", ".json"))
        self.assertGreater(len(models), 75)
        checked = 0
        for path in models:
            expected = path.with_suffix(".expected").read_text(encoding="utf-8")
            if " error: " not in expected:
                continue
            with self.subTest(path.name):
                try:
                    gk.load(path)
                except gk.GelenkError as error:
                    first = error.diagnostics[0]
                    if first.file:
                        place = f"{path.name}:{first.line}:{first.column}: "
                    for one in error.diagnostics:
                        self.assertIn(f"[{one.code}]", expected)
                        if one.file.endswith(path.name):
                            self.assertIn(f"{path.name}:{one.line}:{one.column}: {one.severity}: ", expected)
                        self.assertIn(one.hint.split("\n")[0], expected)
                    checked += 1
        self.assertGreater(checked, 60)

    def test_all_mistakes_are_in_one_exception(self):
        path = self.write("broken.yaml", "gelenk: 1\nparts:\n  arm: {mas: 1 kg, inertia: {xx: 1, yy: 1, zz: 1}}\n"
                          "joints: {pivot: {type: revolute, between: [ground, amr], axis: y}}\n")
        with self.assertRaises(gk.ModelError) as caught:
            gk.load(self.folder / "broken.yaml")
        codes = [one.code for one in caught.exception.diagnostics]
        self.assertGreaterEqual(len(codes), 2)
        self.assertEqual((3, "arm"), (caught.exception.diagnostics[0].line, caught.exception.diagnostics[0].element))
        self.assertIn("did you mean 'mass'?", caught.exception.diagnostics[0].hint)
        done = run("check", self.folder / "broken.yaml")
        self.assertEqual(done.stderr.strip(), str(caught.exception).strip())

    def test_no_file_is_a_file_error(self):
        with self.assertRaises(gk.FileError):
            gk.load(self.folder / "nothing.yaml")
        with self.assertRaises(OSError):
            gk.open(self.folder / "nothing.h5")
        with self.assertRaisesRegex(gk.FileError, "^there is no file"):
            gk.verify(self.folder / "nothing.h5")
        (self.folder / "text.h5").write_text("rubbish")
        with self.assertRaises(gk.FileError):
            gk.open(self.folder / "text.h5")

    def test_results_are_not_overwritten(self):
        machine = gk.load(CRANK_SLIDER).assemble()
        (self.folder / "model.yaml").write_text("mine")
        for force in (False, True):
            with self.assertRaisesRegex(gk.FileError, "left unchanged"):
                machine.run(duration="0.1 s", output=self.folder / "model.yaml", force=force)
        self.assertEqual("mine", (self.folder / "model.yaml").read_text())
        machine.run(duration="0.1 s", output=self.folder / "a.h5")
        with self.assertRaisesRegex(gk.FileError, "force=True"):
            machine.run(duration="0.1 s", output=self.folder / "a.h5")
        with self.assertRaises(gk.FileError):
            machine.run(duration="0.1 s", output=self.folder / "no" / "such" / "folder.h5")

    def test_settings_that_do_not_fit(self):
        machine = gk.load(CRANK_SLIDER).assemble()
        for settings, words in (({"method": "rk5"}, "there is no method 'rk5'"), ({"method": "dopri5", "step": 1e-3}, "chooses its own steps"),
                                ({"duration": "1 kg"}, "duration: '1 kg' is not a time"),
                                ({"duration": -1}, "must be positive"), ({"step": "1 ms", "tolerance": 1e-6}, "fixed step"),
                                ({"duration": 1e9, "output_every": 1e-6}, "GB of memory")):
            with self.subTest(settings), self.assertRaisesRegex(gk.UsageError, words):
                machine.run(**settings)

    def test_a_run_that_fails_keeps_its_rows(self):
        self.write("fails.yaml", """gelenk: 1
parts: {block: {mass: 2 kg, inertia: {xx: 1, yy: 1, zz: 1}}}
joints: {slide: {type: prismatic, between: [ground, block], axis: x}}
forces: {push: {type: force, applied_to: block, along: x, value: "=8 N * sqrt(0.5 - time / 1 s)"}}
""")
        machine = gk.load(self.folder / "fails.yaml").assemble()
        for output in (None, self.folder / "a.h5"):
            with self.assertRaises(gk.SimulationError) as caught:
                machine.run(duration="1 s", output=output)
            error = caught.exception
            self.assertEqual("push", error.element)
            self.assertAlmostEqual(0.5, error.time, 2)
            self.assertEqual("failed", error.run.status)
            self.assertEqual("failure", error.run.events[-1].kind)
            self.assertGreater(len(error.run), 100)


class SimulatorTest(InFolder):

    def load(self, text):
        self.write("model.yaml", text)
        return gk.load(self.folder / "model.yaml").assemble()

    def test_pieces_have_the_bits_of_the_run(self):
        machine = gk.load(example("car")).assemble()
        run = machine.run(duration="0.05 s", method="rk4", step="1 ms", output_every="1 ms")
        sim = machine.simulator(method="rk4", step="1 ms")
        names = ["chassis.position.z", "front_left.damper.strut.force", "energy.total"]
        look = sim.observer(names)
        for row in range(51):
            for name, value in zip(names, look(), strict=True):
                self.assertEqual(run[name][row], value, name)
            sim.advance(sim.time + 1e-3)

    def test_a_sampled_controller(self):
        """Story 6, against the recursion of the same controller and rotor."""
        sim = self.load(ROTOR).simulator(method="dopri5", tolerance=1e-8)
        look = sim.observer(["hinge.angle", "hinge.rate"])
        integral = expected_integral = angle = rate = 0.0
        while sim.time < 1.0:
            seen_angle, seen_rate = look()
            self.assertAlmostEqual(angle, seen_angle, 10)
            self.assertAlmostEqual(rate, seen_rate, 10)
            integral += (1.0 - seen_angle) * 1e-2
            sim.inputs["torque"] = 4 * (1.0 - seen_angle) - 2 * seen_rate + 2 * integral
            expected_integral += (1.0 - angle) * 1e-2
            torque = 4 * (1.0 - angle) - 2 * rate + 2 * expected_integral
            sim.advance(sim.time + 1e-2)
            angle += 1e-2 * rate + 0.5e-4 * torque / 0.25
            rate += 1e-2 * torque / 0.25
        self.assertGreater(angle, 0.5)

    def test_the_array_of_an_observer_is_always_the_same(self):
        sim = self.load(ROTOR).simulator(method="rk4", step="1 ms")
        look = sim.observer(["hinge.angle", "rotor.position", "rotor.velocity.magnitude"])
        self.assertEqual(["hinge.angle", "rotor.position.x", "rotor.position.y", "rotor.position.z",
                          "rotor.velocity.magnitude"], look.names)
        first = look()
        sim.inputs["torque"] = 1.0
        sim.advance(0.1)
        self.assertIs(first, look())
        self.assertAlmostEqual(0.02, first[0], 12)

    def test_save_load_reset(self):
        machine = self.load(CART_POLE)
        sim = machine.simulator(method="dopri5", tolerance=1e-7)
        sim.inputs["push"] = 3.0
        sim.advance(0.3)
        saved = sim.save()
        sim.advance(0.8)
        end = sim.observe(["slider.travel", "hinge.angle"])
        sim.inputs["push"] = -7.0
        sim.advance(1.0)
        sim.load(saved)
        self.assertEqual((0.3, 3.0), (sim.time, sim.inputs["push"]))
        sim.advance(0.8)
        self.assertTrue(same_bits(end, sim.observe(["slider.travel", "hinge.angle"])))
        sim.reset()
        self.assertEqual((0.0, 0.0), (sim.time, sim.inputs["push"]))
        for wrong in (b"", b"rubbish", saved[:-3], self.load(ROTOR).simulator(method="dopri5", tolerance=1e-7).save()):
            with self.assertRaisesRegex(gk.UsageError, "nothing was changed"):
                sim.load(wrong)
        self.assertEqual(0.0, sim.time)

    def test_wrong_names(self):
        sim = self.load(CART_POLE).simulator(method="rk4", step="1 ms")
        with self.assertRaisesRegex(gk.UsageError, "there is no input 'pusch'; the machine has push, tilt"):
            sim.inputs["pusch"] = 1.0
        with self.assertRaisesRegex(gk.UsageError, "must be finite"):
            sim.inputs["push"] = float("nan")
        with self.assertRaisesRegex(gk.UsageError, "did you mean 'hinge.angle'"):
            sim.observer(["hinge.angel"])
        with self.assertRaises(gk.UsageError):
            sim.advance(float("inf"))
        with self.assertRaises(gk.UsageError):
            sim.advance("5 kg")

    def test_threads_advance_many(self):
        machine = self.load(CART_POLE)
        many = [machine.simulator(method="rk4", step="1 ms") for _ in range(5)]
        for number, sim in enumerate(many):
            sim.inputs["push"] = 0.1 * number
        gk.advance_all(many, [0.5] * 5)
        for number, sim in enumerate(many):
            alone = machine.simulator(method="rk4", step="1 ms")
            alone.inputs["push"] = 0.1 * number
            alone.advance(0.5)
            self.assertTrue(same_bits(alone.observe(["hinge.angle"]), sim.observe(["hinge.angle"])))


class ProgramTest(InFolder):

    def test_checkpoint_continue_prove(self):
        """Story 10: a run that is stopped, continued by the program, and verified."""
        machine = gk.load(CRANK_SLIDER).assemble()
        whole = machine.run(duration="1 s", method="dopri5", tolerance=1e-8, output=self.folder / "whole.h5")

        def stop(time):
            raise RuntimeError("enough")

        with self.assertRaisesRegex(RuntimeError, "enough"):
            machine.run(duration="400 s", output=self.folder / "long.h5", checkpoint_every="0.5 s", progress=stop)
        stopped = gk.open(self.folder / "long.h5")
        self.assertEqual("stopped", stopped.status)
        self.assertEqual("good", whole.certificate["verdict"])
        self.assertTrue(gk.verify(self.folder / "whole.h5").passed)

    def test_a_page_for_notebooks(self):
        page = gk.demo("crank_slider").run(duration="0.1 s")._repr_html_()
        self.assertTrue(page.startswith("<iframe srcdoc="), page[:80])
        self.assertGreater(len(page), 10_000)


if __name__ == "__main__":
    unittest.main()
