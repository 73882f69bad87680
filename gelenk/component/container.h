#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gelenk/base/zip.h"
#include "gelenk/component/manifest.h"
#include "gelenk/component/signature.h"

// A sealed component as a file, *.gkc: a ZIP archive in the layout of FMI 3.0. ADR 0024.
namespace gelenk::component {

constexpr std::string_view kManifestPath = "extra/org.gelenk.component/manifest.json";
constexpr std::string_view kSignaturePath = "extra/org.gelenk.component/manifest.sig";
// What the library gets when it is created (gelenk_settings).
constexpr std::string_view kResourcePath = "resources/inside.bin";

// Whole, once it is opened: every file is as the manifest says, no other file is there, and the signature, when there
// is one, belongs to the manifest. Whether its key is trusted is another question (trust_store.h).
struct Container {
  Manifest manifest;
  std::string manifest_bytes;  // as they were signed
  std::optional<Signature> signature;
  std::vector<ZipEntry> files;  // in the order of the manifest

  // The bytes of a file, or null.
  const std::string* find(std::string_view path) const;
};

enum class OpenProblem {
  none,
  unreadable,     // no such file, no permission, too large
  not_component,  // something else than a container
  newer,          // of a version that this program cannot judge
  damaged,        // not as its maker wrote it
};

struct OpenResult {
  std::optional<Container> container;
  OpenProblem problem = OpenProblem::none;
  std::string error;  // a sentence; of open_container() it names the file
};

OpenResult open_container(const std::string& path, const ZipLimits& limits = {});
OpenResult read_container(std::string_view bytes, const ZipLimits& limits = {});

// The files below binaries/<platform>/. Empty with a sentence in `error` that names the platforms that are there.
std::vector<const ZipEntry*> binaries_for(const Container& container, std::string_view platform, std::string& error);

// Where the library of a component lies, and beside it the one with code that its maker wrote in C (gelenk_code.h).
std::string library_path(std::string_view platform, std::string_view component);
std::string code_path(std::string_view library);
struct Libraries {
  const std::string* component = nullptr;  // bytes
  const std::string* code = nullptr;       // null: there is none
};
// For any platform.
bool has_code(const Container& container);
// Nothing in it, and a sentence in `error`, as above.
Libraries libraries_for(const Container& container, std::string_view platform, std::string& error);

// What a container is made of. `platforms` and `files` of the manifest follow from the files, whatever they are.
struct ContainerDraft {
  Manifest manifest;
  std::vector<ZipEntry> files;
};

// Takes the binaries of platforms that the draft does not have from another container of the same component: all that
// is not binary must be the same. Returns what differs, or nothing.
std::string add_platforms(ContainerDraft& draft, const Container& other);

// The bytes of the container; without a key it is not signed. They are read back before they are given out. The same
// draft and key give the same bytes. Nothing with a sentence in `error`.
std::optional<std::string> make_container(const ContainerDraft& draft, const SecretKey* key, std::string& error);
// Puts it in the place of the file, in one step. Returns what went wrong, or nothing.
std::string write_container(const std::string& path, const ContainerDraft& draft, const SecretKey* key);

}  // namespace gelenk::component
