#pragma once

#include <span>
#include <string_view>

// Texts compiled into the program, so that help works without any file beside it; see cmake/GelenkEmbed.cmake.
namespace gelenk::app {

struct EmbeddedText {
  std::string_view name;  // of the file, without its suffix
  std::string_view text;
};

std::span<const EmbeddedText> error_pages();     // docs/errors
std::span<const EmbeddedText> help_topics();     // docs/help
std::span<const EmbeddedText> starter_models();  // apps/gelenk/starters
// Files of a component in C, with @NAME@ for its name: apps/gelenk/starters/component_c
std::span<const EmbeddedText> component_starters();
std::span<const EmbeddedText> code_headers();     // gelenk/component/gelenk_code.h
std::span<const EmbeddedText> demo_models();      // examples/crank_slider
std::span<const EmbeddedText> program_headers();  // gelenk/generate/program: around generated equations
std::span<const EmbeddedText> program_sources();
std::span<const EmbeddedText> runtime_licences();  // apps/gelenk-runtime/licenses

inline const EmbeddedText* find_text(std::span<const EmbeddedText> texts, std::string_view name) {
  for (const EmbeddedText& text : texts) {
    if (text.name == name) return &text;
  }
  return nullptr;
}

}  // namespace gelenk::app
