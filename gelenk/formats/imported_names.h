#pragma once

#include <set>
#include <string>
#include <string_view>

namespace gelenk::formats {

// A name of another program as one that a model can have: lower case letters, digits and underscores. Accents go, signs
// become underscores, names that the model format keeps for itself get "_part" behind them. What has no letter or digit
// at all is `other`.
std::string model_name(std::string_view text, std::string_view other);

// Whether a name of a file says anything: some programs write "=>[0:1:1:2]", "SOLID", "COMPOUND" or a bare number where
// there is none.
bool is_telling_name(std::string_view text);

// Names that were given away.
class NameRegister {
 public:
  // The name, or name_2, name_3 ... when it is taken.
  std::string unique(const std::string& name);

 private:
  std::set<std::string, std::less<>> taken_;
};

}  // namespace gelenk::formats
