#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "gelenk/formats/model_loader.h"
#include "gelenk/formats/source_document.h"
#include "gelenk/model/element_address.h"

namespace gelenk::formats {

// A piece of text to be put in the place of another.
struct Splice {
  SourceRange where;
  std::string text;
};

// All elements that were written at the same place as this one: an instance with `modify:` has copies of what it uses.
std::vector<model::ElementAddress> same_text(const LoadedModel& loaded, const SourceDocuments& documents,
                                             const model::ElementAddress& address);

// Where the name of the elements stands: their key, and every path and formula that goes through them.
std::vector<Splice> rename_splices(const LoadedModel& loaded, const SourceDocuments& documents,
                                   std::span<const model::ElementAddress> elements, const std::string& new_name);
// Keys that may mean the element: the paths of `modify:`, and what these change. They are compared by their words only,
// so another element of the same name may be among them; the caller must check what comes out.
struct KeySplices {
  std::vector<Splice> in_modify;
  std::vector<Splice> in_documents;
};
KeySplices key_splices(const LoadedModel& loaded, const SourceDocuments& documents,
                       const model::ElementAddress& element, const std::string& new_name);

// The text of one file after the splices in it, which may not overlap; the same one twice counts once.
std::string spliced(std::string_view text, std::int32_t file, std::vector<Splice> splices);

}  // namespace gelenk::formats
