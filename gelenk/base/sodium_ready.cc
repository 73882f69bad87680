#include "gelenk/base/sodium_ready.h"

#include <sodium.h>

namespace gelenk {

void prepare_sodium() {
  static const int is_ready = sodium_init();
  static_cast<void>(is_ready);
}

}  // namespace gelenk
