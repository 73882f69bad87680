#pragma once

#include <string>

namespace gelenk::formats {

// docs/model-format.md: the reference of the model file. What the descriptors know is made from them; the chapters in
// front of it stand in reference_page_text.cc.
std::string model_format_page();

}  // namespace gelenk::formats
