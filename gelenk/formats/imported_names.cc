#include "gelenk/formats/imported_names.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "gelenk/base/text.h"
#include "gelenk/expression/expression.h"
#include "gelenk/model/reader.h"

namespace gelenk::formats {
namespace {

// What the second byte of a letter of Latin-1 in UTF-8 (first byte 0xC3) stands for, lower case.
std::string_view plain_letter(unsigned char second) {
  static constexpr std::array<std::string_view, 32> kLetters{"a",  "a", "a", "a", "ae", "a", "ae", "c", "e",  "e", "e",
                                                             "e",  "i", "i", "i", "i",  "d", "n",  "o", "o",  "o", "o",
                                                             "oe", "_", "o", "u", "u",  "u", "ue", "y", "th", "ss"};
  return kLetters[second & 0x1Fu];
}

bool is_letter_or_digit(unsigned char byte) { return byte < 0x80 && std::isalnum(byte) != 0; }
bool is_upper(unsigned char byte) { return byte < 0x80 && std::isupper(byte) != 0; }
bool is_lower(unsigned char byte) { return byte < 0x80 && std::islower(byte) != 0; }

// CrankShaft, STLPart: where a small letter meets a large one, and before the last large letter of a row.
bool begins_word(std::string_view text, std::size_t i) {
  if (i == 0 || !is_upper(static_cast<unsigned char>(text[i]))) return false;
  const auto before = static_cast<unsigned char>(text[i - 1]);
  const bool is_small_next = i + 1 < text.size() && is_lower(static_cast<unsigned char>(text[i + 1]));
  return is_lower(before) || (is_upper(before) && is_small_next);
}

bool is_taken_by_the_format(std::string_view name) {
  return model::is_reserved_name(name) || expression::is_reserved_word(name);
}

// "NAUO12": the number of an entity, which SolidWorks writes where an instance has no name.
bool is_entity_number(std::string_view text) {
  constexpr std::string_view kEntity = "nauo";
  if (text.size() <= kEntity.size()) return false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if (i < kEntity.size() ? std::tolower(byte) != kEntity[i] : std::isdigit(byte) == 0) return false;
  }
  return true;
}

}  // namespace

std::string model_name(std::string_view text, std::string_view other) {
  std::string name;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if (byte == 0xC3 && i + 1 < text.size()) {
      name += plain_letter(static_cast<unsigned char>(text[++i]));
    } else if (is_letter_or_digit(byte)) {
      if (begins_word(text, i) && !name.empty() && name.back() != '_') name += '_';
      name += static_cast<char>(std::tolower(byte));
    } else if (!name.empty() && name.back() != '_') {
      name += '_';
    }
  }
  while (!name.empty() && name.back() == '_') name.pop_back();
  if (name.empty()) name = other;
  if (std::isdigit(static_cast<unsigned char>(name.front())) != 0) name = std::string(other) + "_" + name;
  if (is_taken_by_the_format(name)) name += "_part";
  return name;
}

bool is_telling_name(std::string_view text) {
  text = trim(text);
  if (text.empty() || text.starts_with("=>")) return false;
  if (std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::isdigit(c) != 0; })) return false;
  if (text.starts_with("Open CASCADE STEP translator") || is_entity_number(text)) return false;
  static constexpr std::array<std::string_view, 7> kNothing{"SOLID",    "COMPOUND", "SHELL", "COMPSOLID",
                                                            "ASSEMBLY", "NONE",     "PART"};
  return std::find(kNothing.begin(), kNothing.end(), text) == kNothing.end();
}

std::string NameRegister::unique(const std::string& name) {
  std::string result = name;
  for (int number = 2; !taken_.insert(result).second; ++number) result = name + "_" + std::to_string(number);
  return result;
}

}  // namespace gelenk::formats
