#pragma once

#include <string>
#include <vector>

#include "apps/gelenk/page_runs.h"
#include "apps/gelenk/viewed_model.h"
#include "gelenk/view/server.h"

namespace gelenk::app {

// What is behind the page of a model (docs/adr/0044-model-page.md): the model as its files are now, with numbers that
// were changed on the page, and the runs that were started there.
class ModelBench {
 public:
  ModelBench(ViewRequest request, view::ViewerData& data)
      : model_(std::move(request), data), data_(data), runs_(data) {}

  // Says what is wrong and returns the exit code.
  std::optional<ExitCode> open(Console& console) { return model_.open(console); }

  // `POST api/settings` and `POST api/run`; only declared numbers within their limits, and never a name of a file.
  view::Answer post(const view::HttpTarget& target, const std::string& body);
  // What a new follower gets first.
  std::vector<std::string> greeting() const;
  // Looks at files and runs, and passes on what is new.
  void look(view::Server& server);

  PageRuns& runs() { return runs_; }

 private:
  std::string start(const view::RunWish& wish);
  std::string runs_text() const;

  ViewedModel model_;
  view::ViewerData& data_;
  PageRuns runs_;
  bool is_announced_ = true;  // those who follow know which scene there is
};

}  // namespace gelenk::app
