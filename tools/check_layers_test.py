#!/usr/bin/env python3
"""The layer check must be able to fail: each rule is broken once, in a tree made for it."""

import pathlib
import tempfile
import unittest

import check_layers


class CheckLayersTest(unittest.TestCase):

    def errors_of(self, files, **arguments):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            for name, text in files.items():
                path = root / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text)
            return check_layers.check(root, **arguments)

    def test_direct_and_transitive_use_are_allowed(self):
        self.assertEqual([], self.errors_of({
            "gelenk/model/part.h": '#include "gelenk/geometry/mesh.h"\n#include "gelenk/base/source.h"\n',
            "gelenk/model/part.cc": '#include "gelenk/model/part.h"\n#include <vector>\n',
            "apps/gelenk/main.cc": '#include "gelenk/formats/load.h"\n#include <CLI/CLI.hpp>\n',
        }))

    def test_upward_edge_fails_with_file_and_line(self):
        errors = self.errors_of({"gelenk/base/text.h": '#pragma once\n\n#include "gelenk/model/part.h"\n'})
        self.assertEqual(['gelenk/base/text.h:3: gelenk/base may not use gelenk/model ("gelenk/model/part.h")'], errors)

    def test_sideways_edge_fails(self):
        errors = self.errors_of({"gelenk/geometry/mesh.cc": '#  include "gelenk/expression/expression.h"\n'})
        self.assertEqual(1, len(errors))
        self.assertIn("gelenk/geometry may not use gelenk/expression", errors[0])

    def test_analysis_sees_neither_formats_nor_cad(self):
        for other in ("formats", "cad"):
            errors = self.errors_of({"gelenk/analysis/run.cc": f'#include "gelenk/{other}/load.h"\n'})
            self.assertEqual(1, len(errors), other)

    def test_library_may_not_use_a_program(self):
        self.assertEqual(1, len(self.errors_of({"gelenk/view/scene.cc": '#include "apps/gelenk/main.h"\n'})))

    def test_unknown_folder_fails(self):
        errors = self.errors_of({"gelenk/misc/stuff.h": "#pragma once\n"})
        self.assertIn("gelenk/misc is not in the table", errors[0])

    def test_relative_include_fails(self):
        self.assertIn("not a full path", self.errors_of({"gelenk/base/text.cc": '#include "text.h"\n'})[0])

    def test_own_header_in_angle_brackets_fails(self):
        errors = self.errors_of({"gelenk/base/text.cc": "#include <gelenk/model/part.h>\n"})
        self.assertIn("is ours", errors[0])

    def test_opencascade_only_in_cad(self):
        text = "#include <TopoDS_Shape.hxx>\n"
        self.assertEqual([], self.errors_of({"gelenk/cad/step_reader.cc": text}))
        self.assertEqual(1, len(self.errors_of({"apps/gelenk-cad/main.cc": text})))

    def test_posix_only_in_base(self):
        for header in ("unistd.h", "sys/stat.h", "fcntl.h", "dlfcn.h", "netinet/in.h"):
            text = f"#include <{header}>\n"
            self.assertEqual([], self.errors_of({"gelenk/base/platform.cc": text}), header)
            self.assertEqual(1, len(self.errors_of({"gelenk/math/table.cc": text})), header)
            self.assertEqual(1, len(self.errors_of({"apps/gelenk/main.cc": text})), header)

    def test_libraries_stay_behind_their_layer(self):
        homes = {"Eigen/Core": "gelenk/math", "yaml-cpp/eventhandler.h": "gelenk/formats"}
        for header, home in homes.items():
            text = f"#include <{header}>\n"
            self.assertEqual([], self.errors_of({f"{home}/a.h": text}), header)
            self.assertEqual(1, len(self.errors_of({"gelenk/model/a.h": text})), header)

    def test_cycle_between_folders_fails(self):
        cyclic = {"gelenk/a": ["gelenk/b"], "gelenk/b": ["gelenk/c"], "gelenk/c": ["gelenk/a"]}
        self.assertEqual(["the table of layers has a cycle: gelenk/a -> gelenk/b -> gelenk/c -> gelenk/a"],
                         self.errors_of({}, layers=cyclic))
        errors = self.errors_of({
            "gelenk/base/a.h": '#include "gelenk/math/b.h"\n',
            "gelenk/math/b.h": '#include "gelenk/base/a.h"\n',
        })
        self.assertIn("folders include each other in a circle: gelenk/base -> gelenk/math -> gelenk/base", errors)

    def test_table_of_the_repository_has_no_cycle_and_no_unknown_layer(self):
        self.assertIsNone(check_layers.find_cycle(check_layers.LAYERS))
        for layer, targets in check_layers.LAYERS.items():
            for target in targets:
                self.assertIn(target, check_layers.LAYERS, layer)


if __name__ == "__main__":
    unittest.main()
