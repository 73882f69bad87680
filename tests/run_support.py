"""What the tests of `gelenk run` share: a folder of their own, the program, models and exit codes."""

import h5py

import program_support
from program_support import OK, run, SOURCE

CRANK_SLIDER = SOURCE / "examples/crank_slider/crank_slider.yaml"

# A driven coordinate follows its law: what is left is rounding, added up over some thousand steps.
PRESCRIBED = 1e-9

BLOCK = """gelenk: 1
up: z
parts:
  block: {mass: 2 kg, inertia: {xx: 1, yy: 1, zz: 1}}
joints:
  slide: {type: prismatic, between: [ground, block], axis: x}
"""


def text_of(dataset):
    return dataset[()].decode()


class InFolder(program_support.InFolder):
    """The program is started in the folder of the test."""

    def setUp(self):
        super().setUp()
        self.run_count = 0

    def write(self, name, text):
        super().write(name, text)
        return name

    def run_here(self, *arguments, **options):
        return run(*arguments, cwd=self.folder, **options)

    def files(self):
        return sorted(path.name for path in self.folder.iterdir())

    def results(self, *arguments):
        """The file of a run that must go well, opened."""
        self.run_count += 1
        name = f"out{self.run_count}.h5"
        result = self.run_here("run", *arguments, "-o", name)
        self.assert_exit(result, OK)
        file = h5py.File(self.folder / name, "r")
        self.addCleanup(file.close)
        return file
