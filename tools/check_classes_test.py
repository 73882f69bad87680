#!/usr/bin/env python3
"""The class check must be able to fail, and must count what a reader would count."""

import pathlib
import tempfile
import unittest

import check_classes

CLASS = """
#pragma once
// class Comment { void not_this(); };
namespace gelenk {
template <class T>
class Machine final : public Base<T> {
 public:
  struct Limits {
    double most = 1.0;
    bool is_met() const { return true; }
  };
  enum class Kind : char { one, two };
  using Callback = std::function<void(int)>;
  static constexpr int kMost = std::max(1, 2);

  Machine() = default;
  explicit Machine(int a) : a_{a}, b_(2) { start(); }
  ~Machine();
  Machine(const Machine&) = delete;
  friend bool operator==(const Machine& a, const Machine& b) { return a.a_ == b.a_; }

  int size() const { return a_; }
  [[nodiscard]] std::vector<int> list(const std::function<int(int)>& f, int b = 3) const;
  void run(int a = int{3});
  void run(double a);
  template <class U>
  U as() const {
    if (a_ > 0) { return U{}; }
    return U(1);
  }
  Machine& operator+=(const Machine& other);
  bool operator()(int a) const;
  virtual void stop() = 0;
  const char* text = ");";
  int shown{3};
  std::function<void()> hook = nullptr;

 protected:
  void inner();

 private:
  void start();
  int a_ = 0, b_ = 0;
};
"""

DEFINITIONS = """
#include "x.h"
namespace gelenk {
template <class T>
std::vector<int> Machine<T>::list(const std::function<int(int)>& f,
                                  int b) const {
  return {};
}

void Machine<double>::start() {
  for (;;) {
  }
}

const int Machine::kOther = 3;
std::size_t other() { return Machine(3).size(); }
}
"""


class CheckClassesTest(unittest.TestCase):

    def errors_of(self, files):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            for name, text in files.items():
                path = root / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text)
            return check_classes.check(root)

    @staticmethod
    def class_of(functions, lines=0):
        return ("class Big {\n public:\n" + "".join(f"  void f{i}();\n" for i in range(functions)) +
                "  // a line\n" * lines + "};\n")

    def test_public_functions(self):
        sizes = check_classes.measured({"gelenk/solve/x.h": CLASS})
        # size, list, run, run, as, +=, (), stop
        self.assertEqual(8, sizes["gelenk/solve", "Machine"][0])
        self.assertEqual(1, sizes["gelenk/solve", "Limits"][0])
        self.assertNotIn(("gelenk/solve", "Comment"), sizes)

    def test_lines_over_all_files(self):
        alone = check_classes.measured({"gelenk/solve/x.h": CLASS})["gelenk/solve", "Machine"][1]
        both = check_classes.measured({"gelenk/solve/x.h": CLASS, "gelenk/solve/a/y.cc": DEFINITIONS})
        self.assertEqual(alone + 4 + 4, both["gelenk/solve", "Machine"][1])

    def test_classes_of_the_same_name_in_two_layers(self):
        sizes = check_classes.measured({"gelenk/a/x.h": self.class_of(3), "gelenk/b/x.h": self.class_of(2)})
        self.assertEqual(3, sizes["gelenk/a", "Big"][0])
        self.assertEqual(2, sizes["gelenk/b", "Big"][0])

    def test_a_type_inside_that_is_defined_elsewhere(self):
        sizes = check_classes.measured({"gelenk/a/x.cc": "struct Big::Inner : Other {\n  void f();\n};\n"})
        self.assertEqual({("gelenk/a", "Inner"): [1, 3]}, dict(sizes))

    def test_one_function_too_many(self):
        self.assertEqual([], self.errors_of({"gelenk/a/x.h": self.class_of(check_classes.FUNCTION_LIMIT)}))
        errors = self.errors_of({"gelenk/a/x.h": self.class_of(check_classes.FUNCTION_LIMIT + 1)})
        self.assertEqual(1, len(errors))
        self.assertIn("gelenk/a: class Big has 26 public functions", errors[0])

    def test_one_line_too_many(self):
        self.assertEqual([], self.errors_of({"gelenk/a/x.h": self.class_of(0, check_classes.LINE_LIMIT - 3)}))
        self.assertEqual(1, len(self.errors_of({"gelenk/a/x.h": self.class_of(0, check_classes.LINE_LIMIT - 2)})))

    def test_tests_do_not_count(self):
        self.assertEqual([], self.errors_of({"gelenk/a/x_test.cc": self.class_of(50)}))

    def test_the_list_only_shrinks(self):
        entry = {check_classes.ALLOWANCES: "# comment\ngelenk/a Big 30 40\n"}
        self.assertEqual([], self.errors_of(entry | {"gelenk/a/x.h": self.class_of(30)}))
        self.assertIn("at most 30", self.errors_of(entry | {"gelenk/a/x.h": self.class_of(31)})[0])
        self.assertIn("take it off", self.errors_of(entry | {"gelenk/a/x.h": self.class_of(20)})[0])
        self.assertIn("there is no class Big", self.errors_of(entry | {"gelenk/a/x.h": "class Small {};\n"})[0])


if __name__ == "__main__":
    unittest.main()
