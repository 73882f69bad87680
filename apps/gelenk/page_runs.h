#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "apps/gelenk/model_input.h"
#include "gelenk/base/child_process.h"
#include "gelenk/base/private_folder.h"
#include "gelenk/view/live_control.h"
#include "gelenk/view/viewer_data.h"

namespace gelenk::app {

// A run that the page asks for.
struct PageRunCall {
  const ModelRequest& model;          // with the settings of the command line
  std::vector<std::string> settings;  // more of them, "path=value"
  std::vector<std::string> starts;
  std::string duration{};   // empty: as the model says
  std::string title{};      // what is special about it
  std::string kept_name{};  // without an ending; empty: the file of results goes when the viewer does
};

// The runs of a model that were started from its page. Each is a `gelenk run` of its own, so that it obeys the same
// rules and cannot break the viewer; the viewer reads its file while it is written. A few are kept to compare with.
class PageRuns {
 public:
  static constexpr std::size_t kMost = 4;

  explicit PageRuns(view::ViewerData& data) : data_(data) {}
  // A run whose file stays is asked to end well; all others are killed.
  ~PageRuns();
  PageRuns(const PageRuns&) = delete;
  PageRuns& operator=(const PageRuns&) = delete;

  // One at a time. Returns why not, or nothing.
  std::string start(const PageRunCall& call);
  // Looks after it; true when there are other runs to show than before.
  bool look();
  // Why the last one could not begin; reported once.
  std::string take_complaint() { return std::exchange(complaint_, {}); }

  // What steers the run that is going on, or is about to; null when none is.
  view::LiveControl* control() { return going_ ? &going_->control : nullptr; }
  // Its number among the runs that are shown, once it is there.
  std::optional<std::size_t> number() const { return going_ ? going_->number : std::nullopt; }

 private:
  struct Run {
    explicit Run(view::LiveControl shared) : control(std::move(shared)) {}
    PrivateFolder folder;
    view::LiveControl control;
    std::unique_ptr<ChildProcess> process;  // declared behind the folder: it ends first
    std::string file, output, title;
    bool is_kept = false;
    std::optional<std::size_t> number{};
  };
  bool open(Run& run);
  void make_room();
  void await_end();

  view::ViewerData& data_;
  std::vector<std::unique_ptr<Run>> runs_;  // the oldest first
  Run* going_ = nullptr;                    // the last of them, until it ends
  std::size_t count_ = 0;                   // of all that were ever started
  std::string complaint_;
};

}  // namespace gelenk::app
