#pragma once

#include <optional>
#include <string>

#include "apps/gelenk/viewed_files.h"
#include "gelenk/base/file_watch.h"
#include "gelenk/view/run_wish.h"

namespace gelenk::app {

// A model whose page follows its files: the scene that is shown, with the numbers that the page has changed.
class ViewedModel {
 public:
  ViewedModel(ViewRequest request, view::ViewerData& data) : request_(std::move(request)), data_(data) {}

  // For the first time, when there must be something to show. Says what is wrong and returns the exit code.
  std::optional<ExitCode> open(Console& console);
  // Reads the model again when one of its files has changed; true when it did.
  bool look();
  // Shows the machine with these numbers.
  void apply(const view::RunWish& wish);

  // Why it cannot be run now, in a sentence, or nothing.
  std::string obstacle() const;
  const view::ModelSettings& settings() const { return settings_; }
  const view::RunWish& wish() const { return wish_; }
  const std::string& name() const { return name_; }
  const ModelRequest& model() const { return request_.show.model; }
  const std::vector<std::string>& starts() const { return request_.show.starts; }
  std::size_t scene_count() const { return scene_count_; }
  // Which scene and which messages there are, for those who follow: counts that grow.
  std::string versions_text() const;

 private:
  struct Reading {
    ViewedMachine machine;
    FileWatch watch;
    bool is_failed = false;  // there is nothing to show
    bool is_good() const { return !is_failed && !machine.is_incomplete; }
  };
  Reading read(const view::RunWish& wish) const;
  void read_again(bool may_forget);
  void show(Reading reading);
  void publish_settings();

  ViewRequest request_;
  view::ViewerData& data_;
  FileWatch watch_;
  view::RunWish wish_;
  view::ModelSettings settings_;
  std::string name_;
  std::size_t plain_bytes_ = 0;  // of the scene before what it says about settings
  bool has_good_scene_ = false;
  std::size_t scene_count_ = 0, message_count_ = 0;
};

}  // namespace gelenk::app
