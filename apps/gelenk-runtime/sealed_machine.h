#pragma once

#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "gelenk/analysis/sealed_interior.h"
#include "gelenk/base/cipher.h"
#include "gelenk/component/gelenk_component.h"
#include "gelenk/component/sealed_model.h"
#include "gelenk/formats/model_loader.h"

namespace gelenk::runtime {

// Why there is no component. The text names nothing of the inside.
class NotMade : public std::runtime_error {
 public:
  NotMade(gelenk_status status, const std::string& text) : std::runtime_error(text), status_(status) {}
  gelenk_status status() const { return status_; }

 private:
  gelenk_status status_;
};

// A component whose inside is a model of Gelenk. It asks the operating system for nothing but memory.
class SealedMachine {
 public:
  // The bytes that encode() made, values of the published parameters in their order, and the functions of the model's
  // section `code:`, if it has one. Throws NotMade.
  SealedMachine(std::string_view resource, std::span<const double> parameters, const gelenk_code_api* code);
  SealedMachine(const SealedMachine&) = delete;
  SealedMachine& operator=(const SealedMachine&) = delete;

  const gelenk_description& description() const { return description_; }
  const std::string& error() const { return error_; }
  gelenk_status fail(gelenk_status status, std::string text) {
    error_ = std::move(text);
    return status;
  }

  gelenk_status mount(const gelenk_mounting& mounting);
  gelenk_status perform(std::span<const gelenk_command> commands, std::size_t& done);
  gelenk_status read(std::uint32_t what, int slot, std::string& bytes);
  gelenk_status write(std::uint32_t what, int slot, std::string_view bytes);

 private:
  ReadResult read_file(const std::string& path, std::size_t max_bytes) const;
  // A sealed component inside; nothing when there is none of this name.
  std::optional<component::SealedModel> read_nested(const std::string& path) const;
  std::unique_ptr<component::Host> carry(const model::SealedNode& node, model::SealedDrawing& drawing) const;
  void load_model();
  std::vector<double> all_parameters(std::span<const double> published) const;
  void find_ports();
  void describe();

  CipherKey key_;  // of states that leave it
  component::SealedModel sealed_;
  formats::LoadedModel loaded_;
  std::unique_ptr<analysis::SealedInterior> machine_;
  std::vector<std::size_t> port_places_;  // of published ports among all that the model has
  std::string error_;

  std::vector<gelenk_port> ports_;
  std::vector<gelenk_parameter> parameters_;
  std::vector<gelenk_output> outputs_;
  gelenk_description description_{};
};

}  // namespace gelenk::runtime
