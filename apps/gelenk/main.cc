#include <cstdio>
#include "gelenk/formats/model_loader.h"
#include "gelenk/model/expand.h"
int main(int argc, char** argv) {
  gelenk::Diagnostics d;
  auto m = gelenk::formats::load_model(argc > 1 ? argv[1] : "", {}, d);
  if (m.is_read) { auto machine = gelenk::model::expand(m.model, {}, d);
  for (auto& p : machine.parts) std::printf("%s m=%g at %g %g %g\n", p.path.c_str(), p.mass_properties.mass, p.X_WP.position.x(), p.X_WP.position.y(), p.X_WP.position.z());
  for (auto& p : machine.joints) std::printf("%s\n", p.path.c_str()); }
  for (auto& x : d.sorted()) std::printf("%s: %s [%s] %s {%s}\n", m.sources.describe(x.where).c_str(), x.message.c_str(), gelenk::code_label(x.code).c_str(), x.element.c_str(), x.hint.c_str());
}
