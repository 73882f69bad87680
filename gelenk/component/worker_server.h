#pragma once

namespace gelenk::component {

// The work of the program gelenk-worker: one component for the process that started it, until that one ends. Returns
// only when the program was not started as a worker, with its exit code.
int serve_component();

}  // namespace gelenk::component
