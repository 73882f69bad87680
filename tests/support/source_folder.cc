#include "tests/support/source_folder.h"

namespace gelenk::test {

std::string source_folder() { return GELENK_SOURCE_DIR; }

}  // namespace gelenk::test
