"""python -m gelenk ...: the program."""

import os
import sys

from . import program

os.execv(program.path(), ["gelenk", *sys.argv[1:]])
