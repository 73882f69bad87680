#include "apps/gelenk/sealed_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "apps/gelenk/seal_draft.h"
#include "apps/gelenk/sealed_file.h"
#include "gelenk/base/hash.h"
#include "gelenk/base/text.h"
#include "gelenk/component/stub.h"

namespace gelenk::app {
namespace {

// More of a licence is read in the file.
constexpr std::size_t kMostLicenceLines = 60;
constexpr std::string_view kLicenceFolder = "documentation/licenses/";

std::string identity_of(const component::Container& container) { return sha256(container.manifest_bytes); }

// Of the component, not of the library that it carries.
const ZipEntry* licence_of(const component::Container& container) {
  const auto found = std::find_if(container.files.begin(), container.files.end(), [](const ZipEntry& file) {
    return file.path.starts_with(kLicenceFolder) && file.path != kNoticesPath;
  });
  return found == container.files.end() ? nullptr : &*found;
}

// Empty: there is none.
std::string licence_hash(const component::Container& container) {
  const ZipEntry* const licence = licence_of(container);
  const std::string& text = licence != nullptr ? licence->bytes : container.manifest.about.licence;
  return text.empty() ? std::string() : sha256(text);
}

// Licences that were shown before, one hash a line, beside the trusted keys.
std::string seen_licences_path() {
  const std::optional<std::string> folder = user_config_dir();
  return folder ? *folder + "/licences-shown" : std::string();
}

}  // namespace

const SealedParts::File* SealedParts::open(const std::string& path, std::string& error) {
  if (const auto known = files_.find(path); known != files_.end()) return &known->second;
  component::OpenResult opened = component::open_container(path);
  if (!opened.container) {
    error = opened.error;
    return nullptr;
  }
  const std::optional<LoadedTrust> trust = load_trust(error);
  component::Verdict verdict;
  if (trust) {
    verdict = component::judge(opened, trust->store);
  } else {
    verdict.trust = component::Trust::unknown_key;  // nobody is trusted where nobody can be
  }
  error.clear();
  const auto& [at, is_new] = files_.emplace(path, File{*std::move(opened.container), verdict});
  show_licence(at->second.container);
  return &at->second;
}

void SealedParts::show_licence(const component::Container& container) const {
  const component::About& about = container.manifest.about;
  const std::string hash = licence_hash(container);
  if (hash.empty()) return;
  const ZipEntry* const licence = licence_of(container);
  const std::string path = seen_licences_path();
  const ReadResult seen = path.empty() ? ReadResult{} : read_file(path, std::size_t{1} << 20);
  if (seen.text && seen.text->find(hash) != std::string::npos) return;
  console_.error_text(fmt::format("component '{}' {} by {}, licence: {}\n", about.name, about.version,
                                  about.maker.empty() ? "an unnamed maker" : about.maker,
                                  about.licence.empty() ? "see below" : about.licence));
  if (licence != nullptr) {
    std::vector<std::string> lines = split(trim(licence->bytes), '\n');
    const bool is_long = lines.size() > kMostLicenceLines;
    if (is_long) lines.resize(kMostLicenceLines);
    for (const std::string& line : lines) {
      console_.error_text(fmt::format("  {}\n", is_printable(line, true) ? line : shown(line)));
    }
    if (is_long) console_.error_text(fmt::format("  ... (the rest is in the file, {})\n", licence->path));
  }
  if (path.empty()) return;
  std::error_code ignored;  // where it cannot be remembered it is shown again
  std::filesystem::create_directories(std::filesystem::path(path).parent_path(), ignored);
  write_file_atomically(path, seen.text.value_or("") + hash + "\n");
}

ReadResult SealedParts::read(const std::string& path) {
  std::string error;
  const File* const file = open(path, error);
  if (file == nullptr) {
    const bool is_there = std::filesystem::exists(path);
    return {std::nullopt, is_there ? Code::file_unreadable : Code::file_not_found, error};
  }
  return {component::stub_of(file->container.manifest.ports, file->container.manifest.parameters), Code::none, ""};
}

model::SealedDrawing SealedParts::draw(const model::SealedNode& node) {
  model::SealedDrawing drawing;
  auto part = std::make_unique<Part>();
  part->path = node.file;
  part->host = carry(node, drawing, &part->is_in_process);
  if (!part->host) return drawing;
  hosts_.push_back(part->host.get());
  parts_.push_back(std::move(part));
  return drawing;
}

std::unique_ptr<component::Host> SealedParts::carry(const model::SealedNode& node, model::SealedDrawing& drawing,
                                                    bool* is_in_process) {
  const File* const file = open(node.file, drawing.error);
  if (file == nullptr) return nullptr;
  const component::Libraries libraries =
      component::libraries_for(file->container, component::host_platform(), drawing.error);
  if (libraries.component == nullptr) return nullptr;
  component::Manifest manifest = file->container.manifest;
  manifest.about.name =
      fmt::format("{} ({} {})", node.path, manifest.about.name, manifest.about.version);  // in messages
  const bool runs_here =
      choice_ == HostChoice::in_process || (choice_ == HostChoice::by_trust && file->verdict.is_trusted());
  if (is_in_process != nullptr) *is_in_process = runs_here;
  component::HostSettings settings;
  if (const std::string* const resource = file->container.find(component::kResourcePath)) settings.resource = *resource;
  settings.parameters = node.parameters;
  const std::string& library = *libraries.component;
  component::WorkerLimits limits;
  limits.allows_no_sandbox = trust_once_;
  if (libraries.code != nullptr) settings.code = *libraries.code;
  try {
    std::unique_ptr<component::Host> host = runs_here ? component::host_in_process(library, manifest, settings)
                                                      : component::host_in_worker(library, manifest, settings, limits);
    drawing = analysis::drawing_of(*host, manifest.ports, manifest.outputs);
    if (!drawing.error.empty()) return nullptr;
    return host;
  } catch (const component::ComponentFailure& failure) {
    using Kind = component::ComponentFailure::Kind;
    // What refuses its parameters, or cannot be loaded here, may be a good one.
    has_failed_ = has_failed_ || (failure.kind() != Kind::refused && failure.kind() != Kind::not_loaded);
    drawing.error = failure.what();
    return nullptr;
  }
}

std::optional<analysis::Assembly> SealedParts::assemble(const system::System& system, system::Params& params,
                                                        const model::Machine& machine,
                                                        const analysis::MountingOptions& options,
                                                        Diagnostics& diagnostics) {
  for (const component::Host* const host : hosts_) params.length = std::max(params.length, host->length());
  const std::vector<component::HostMounting> all = analysis::mountings(system, params, machine, options);
  for (std::size_t s = 0; s < all.size(); ++s) {
    hosts_[s]->mount(all[s]);
    subsystems_.add(*hosts_[s]);
  }
  return analysis::assemble_with_sealed(system, params, machine, options, subsystems_.all(), diagnostics);
}

void SealedParts::write(JsonWriter& json) const {
  json.begin_array();
  for (const auto& part : parts_) {
    const component::Container& container = files_.at(part->path).container;
    json.begin_object().member("file", part->path).member("name", container.manifest.about.name);
    json.member("version", container.manifest.about.version).member("identity", identity_of(container));
    json.member("maker", container.manifest.about.maker);
    json.member("licenceSha256", licence_hash(container));
    json.member("trust", component::trust_name(files_.at(part->path).verdict.trust));
    json.member("carrier", host_name(static_cast<std::size_t>(&part - parts_.data()))).end_object();
  }
  json.end_array();
}

std::string SealedParts::compare(const JsonValue& books) const {
  const JsonValue* const list = books.find("components");
  const std::size_t count = list == nullptr ? 0 : list->items.size();
  if (count != parts_.size()) {
    return fmt::format("the run has {}, but the model has {}", counted(count, "sealed component"), parts_.size());
  }
  for (std::size_t i = 0; i < count; ++i) {
    const JsonValue& was = list->items[i];
    if (was.text_or("identity", "") == identity_of(files_.at(parts_[i]->path).container)) continue;
    return fmt::format("the component in '{}' is not the one that the run was made with ('{}' {})", parts_[i]->path,
                       was.text_or("name", ""), was.text_or("version", ""));
  }
  return {};
}

}  // namespace gelenk::app
