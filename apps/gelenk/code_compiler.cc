#include "apps/gelenk/code_compiler.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <system_error>

#include "apps/gelenk/embedded_text.h"
#include "gelenk/base/hash.h"
#include "gelenk/base/platform.h"
#include "gelenk/base/private_folder.h"
#include "gelenk/base/process.h"
#include "gelenk/base/text.h"

namespace gelenk::app {
namespace {

constexpr std::size_t kMostLibraryBytes = std::size_t{64} << 20;
constexpr std::size_t kMostSourceBytes = std::size_t{64} << 20;
constexpr double kCompileSeconds = 60.0;
// What `env` says about a program that it does not find.
constexpr int kNotFound = 127;
constexpr std::size_t kMostErrorLines = 6;

// As the Makefile of `gelenk new --component c` has it, so that an open and a sealed model give the same bits.
const std::vector<std::string>& flags() {
  static const std::vector<std::string> all{"-std=c99", "-O2", "-fPIC", "-ffp-contract=off"};
  return all;
}

// $CC may have options of its own.
std::vector<std::string> compiler() {
  const char* const given = std::getenv("CC");
  std::vector<std::string> words{"env", "LC_ALL=C"};
  for (const std::string& word : split(given != nullptr && given[0] != '\0' ? given : "cc", ' ')) {
    if (!word.empty()) words.push_back(word);
  }
  return words;
}

class Compiler {
 public:
  Compiler() {
    const std::string& folder = folder_.path();
    if (folder.empty()) {
      failure_.error = "there is no folder to compile it in: " + folder_.error();
      return;
    }
    failure_.error = write_file_atomically(folder + "/gelenk_code.h", std::string(code_headers().front().text));
  }

  bool has_failed() const { return !failure_.error.empty(); }
  const CompiledCode& failure() const { return failure_; }
  std::string place(std::string_view name) const { return fmt::format("{}/{}", folder_.path(), name); }

  // False with a failure().
  bool run(const std::vector<std::string>& more, bool has_flags = true) {
    std::vector<std::string> words = compiler();
    const std::string name = words.size() > 2 ? words[2] : "cc";
    if (has_flags) words.insert(words.end(), flags().begin(), flags().end());
    words.push_back("-I" + folder_.path());
    words.insert(words.end(), more.begin(), more.end());
    const ProgramResult result = run_program(words, {}, kCompileSeconds);
    output_ = result.output;
    if (result.exit_code == 0) return true;
    if (!result.is_started || result.exit_code == kNotFound) {
      failure_.error = fmt::format("there is no C compiler '{}' on this computer", name);
      failure_.hint = "install one, such as gcc or clang, or name it: CC=clang gelenk run ...";
    } else if (result.exit_code < 0) {
      failure_.error = fmt::format("the compiler '{}' did not finish: {}", name, result.reason);
    } else {
      failure_.error = "the compiler reports\n" + first_errors();
      failure_.hint = "correct the C file; its functions are described in gelenk_code.h";
    }
    return false;
  }

  const std::string& output() const { return output_; }

  CompiledCode library(const std::string& file) const {
    CompiledCode result;
    ReadResult read = read_file(file, kMostLibraryBytes);
    if (read.text) {
      result.library = *std::move(read.text);
    } else {
      result.error = "the compiled library cannot be read: " + read.reason;
    }
    return result;
  }

 private:
  // Lines with an error, or what there is.
  std::string first_errors() const {
    std::vector<std::string> all, errors;
    for (const std::string& line : split(trim(output_), '\n')) {
      const std::string shown_line = is_printable(line, true) ? line : shown(line);
      all.push_back("    " + shown_line);
      if (line.find("error") != std::string::npos || line.find("undefined reference") != std::string::npos) {
        errors.push_back("    " + shown_line);
      }
    }
    std::vector<std::string>& lines = errors.empty() ? all : errors;
    if (lines.size() > kMostErrorLines) {
      lines.resize(kMostErrorLines);
      lines.emplace_back("    ...");
    }
    return join(lines, "\n");
  }

  PrivateFolder folder_;
  std::string output_;
  CompiledCode failure_;
};

// Where a user keeps what can be made again; relative paths are ignored, as the XDG specification wants.
std::optional<std::string> user_cache_dir() {
  const char* const cache = std::getenv("XDG_CACHE_HOME");
  if (cache != nullptr && cache[0] == '/') return std::string(cache) + "/gelenk";
  const char* const home = std::getenv("HOME");
  if (home == nullptr || home[0] == '\0') return std::nullopt;
  return std::string(home) + "/.cache/gelenk";
}

std::string identity_of(const std::string& preprocessed, const std::string& version) {
  Sha256 key;
  for (const std::string& piece : {preprocessed, join(flags(), " "), join(compiler(), " "), version}) {
    key.add(fmt::format("{} ", piece.size()));
    key.add(piece);
  }
  return key.hex();
}

void keep(const std::string& path, const std::string& library) {
  std::error_code ignored;  // what cannot be kept is compiled again
  std::filesystem::create_directories(std::filesystem::path(path).parent_path(), ignored);
  write_file_atomically(path, library);
}

CompiledCode missing_file(const std::string& source) {
  CompiledCode result;
  result.error = fmt::format("there is no file '{}'", source);
  result.hint = "paths are relative to the folder of the file they are written in";
  return result;
}

bool is_file(const std::string& source) {
  std::error_code ignored;
  return std::filesystem::is_regular_file(source, ignored);
}

}  // namespace

CompiledCode compile_code(const std::string& source) {
  if (!is_file(source)) return missing_file(source);
  Compiler compiler;
  if (compiler.has_failed() || !compiler.run({"--version"}, false)) return compiler.failure();
  const std::string version = compiler.output();
  const std::string text = compiler.place("code.i");
  if (!compiler.run({"-E", "-P", "-o", text, source})) return compiler.failure();
  const ReadResult preprocessed = read_file(text, kMostSourceBytes);
  if (!preprocessed.text) {
    CompiledCode failed;
    failed.error = fmt::format("'{}' cannot be read: {}", source, preprocessed.reason);
    return failed;
  }
  const std::string identity = identity_of(*preprocessed.text, version);
  const std::optional<std::string> cache = user_cache_dir();
  const std::string kept = cache ? fmt::format("{}/code/{}.so", *cache, identity) : std::string();
  const bool is_kept = cache && is_file(kept);
  const std::string made = is_kept ? kept : compiler.place("code.so");
  if (!is_kept && !compiler.run({"-shared", "-o", made, source, "-lm"})) return compiler.failure();
  CompiledCode result = compiler.library(made);
  result.identity = identity;
  if (cache && !is_kept && result.error.empty()) keep(kept, result.library);
  return result;
}

CompiledCode compile_codes(std::span<const std::string> sources) {
  if (sources.size() == 1) return compile_code(sources.front());
  Compiler compiler;
  if (compiler.has_failed()) return compiler.failure();
  std::vector<std::string> files;  // each once
  std::vector<std::string> objects;
  std::string declared;
  std::string copied;
  for (std::size_t s = 0; s < sources.size(); ++s) {
    if (!is_file(sources[s])) return missing_file(sources[s]);
    const auto known = std::find(files.begin(), files.end(), sources[s]);
    const auto number = static_cast<std::size_t>(known - files.begin());
    if (known == files.end()) {
      files.push_back(sources[s]);
      objects.push_back(compiler.place(fmt::format("code{}.o", number)));
      // Each file defines the one function by another name.
      if (!compiler.run({"-c", fmt::format("-Dgelenk_code_get_api=gelenk_code_get_api_{}", number), "-o",
                         objects.back(), sources[s]})) {
        return compiler.failure();
      }
      declared += fmt::format("const gelenk_code_api* gelenk_code_get_api_{}(uint32_t major);\n", number);
    }
    copied += fmt::format("  if (!add(gelenk_code_get_api_{}(major), {})) return NULL;\n", number, s);
  }
  const std::string glue = fmt::format(
      "#include <string.h>\n#include \"gelenk_code.h\"\n{}"
      "static gelenk_code_api all[{}];\n"
      "static int add(const gelenk_code_api* one, size_t place) {{\n"
      "  if (one == NULL) return 0;\n"
      "  memcpy(&all[place], one, one->size < sizeof *one ? one->size : sizeof *one);\n"
      "  all[place].size = sizeof *one;\n"
      "  all[place].next = place + 1 < sizeof all / sizeof all[0] ? &all[place + 1] : NULL;\n"
      "  return 1;\n}}\n"
      "const gelenk_code_api* gelenk_code_get_api(uint32_t major) {{\n{}  return all;\n}}\n",
      declared, sources.size(), copied);
  const std::string glue_file = compiler.place("all.c");
  const std::string made = compiler.place("code.so");
  std::vector<std::string> link{"-shared", "-o", made, glue_file};
  link.insert(link.end(), objects.begin(), objects.end());
  link.emplace_back("-lm");
  if (const std::string problem = write_file_atomically(glue_file, glue); !problem.empty()) {
    CompiledCode failed;
    failed.error = problem;
    return failed;
  }
  return compiler.run(link) ? compiler.library(made) : compiler.failure();
}

}  // namespace gelenk::app
