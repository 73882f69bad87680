#pragma once

#include <yaml-cpp/eventhandler.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "gelenk/base/diagnostics.h"
#include "gelenk/base/document.h"
#include "gelenk/formats/yaml_cursor.h"
#include "gelenk/formats/yaml_reader.h"

namespace gelenk::formats {

// Thrown by the builder through yaml-cpp and caught by the reader: the document is refused and the reason is reported.
struct YamlRefused {};
// The same, with the reason still to be found: what stands here is not what the grammar of the profile allows.
struct YamlUnexpected {
  std::size_t at = 0;
  std::string what;
};

// Builds the Node tree from yaml-cpp's events. A cursor walks the text in step with the events, over every colon,
// comma, dash and bracket: that gives the exact end of each value, and makes the profile as strict as the cursor is,
// not as lenient as the parser.
class YamlBuilder : public YAML::EventHandler {
 public:
  YamlBuilder(std::string_view text, std::size_t begin, std::int32_t file, const TextLimits& limits,
              Diagnostics& diagnostics);

  // The finished document, when nothing is wrong with it; checks what follows it.
  std::optional<Node> finish();

  void OnDocumentStart(const YAML::Mark& mark) override;
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override;
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override;
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override;
  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value style) override;
  void OnSequenceEnd() override;
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value style) override;
  void OnMapEnd() override;

 private:
  // A list or map that is not finished.
  struct Frame {
    Node node;
    int indent = 0;  // column of the keys or dashes of a block collection
    bool has_key = false;
    std::string key;
    SourceRange key_range;
    bool skips_value = false;                           // of a key that was there already
    std::unordered_map<std::string, SourceRange> seen;  // keys, once there are too many for a plain search
  };

  bool expects_key() const { return !frames_.empty() && frames_.back().node.is_map() && !frames_.back().has_key; }
  bool in_flow() const { return !frames_.empty() && frames_.back().node.flow; }
  SourceRange range(std::size_t begin, std::size_t end) const;

  Diagnostic& error(Code code, SourceRange where, std::string message, std::string hint = {});

  void pass_lead_in();
  void pass(char mark);
  void pass_blank();
  bool pass_to_content();
  void refuse_property();

  void open(Node::Kind kind, bool flow);
  void close();
  void null_key();
  void null_value();
  int block_indent() const;
  void check_depth(std::size_t behind_lead_in, bool is_block_list) const;
  void check_quoted_lines(std::size_t begin, std::size_t end) const;
  bool null_is_written(std::size_t behind_lead_in) const;
  void missing_colon();
  Node scalar_here(const std::string& value);
  void add(Node node);
  void add_key(const Node& node);
  void count_node(std::size_t at);
  void check_cut_expression(const Node& node);
  void report_tab(std::optional<std::size_t> at);
  void stop_after_many_errors() const;

  std::string_view text_;
  std::size_t base_;  // the parser does not count a byte order mark
  std::int32_t file_;
  const TextLimits& limits_;
  Diagnostics& diagnostics_;
  YamlCursor cursor_;
  std::vector<Frame> frames_;
  std::optional<Node> root_;
  std::size_t error_count_ = 0;
  std::size_t passed_error_count_ = 0;  // of these, those that leave the rest of the text as clear as it was
  std::size_t node_count_ = 0;
  std::size_t cut_end_ = 0;  // pieces of a cut expression up to here are reported already
};

}  // namespace gelenk::formats
