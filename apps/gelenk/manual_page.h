#pragma once

#include <string>

#include "apps/gelenk/verb.h"

// Manual pages, made from the same descriptions as the help, without a date: the same program gives the same bytes.
namespace gelenk::app {

// gelenk.1
std::string program_manual();
// gelenk-VERB.1
std::string verb_manual(const Verb& verb);

}  // namespace gelenk::app
