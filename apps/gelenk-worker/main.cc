// Runs the code of one sealed component for the program that started it, in a sandbox. Nobody calls it by hand.
#include "gelenk/component/worker_server.h"

int main() { return gelenk::component::serve_component(); }
