// What a program outside of the repository sees: installed headers, the targets of find_package(gelenk), nothing else.
#include <cstdio>

#include "gelenk/base/units.h"

int main() {
  const gelenk::UnitParse parse = gelenk::parse_unit("kN/mm");
  if (!parse.unit) {
    std::fprintf(stderr, "%s\n", parse.error.c_str());
    return 1;
  }
  std::printf("1 kN/mm = %g %s\n", parse.unit->factor, parse.unit->dimension.text().c_str());
  return 0;
}
