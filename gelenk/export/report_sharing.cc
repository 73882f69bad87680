#include <fmt/format.h>

#include <algorithm>

#include "gelenk/base/text.h"
#include "gelenk/export/report_sections.h"

// Which loads on joints are unique, and which are an assumption.
namespace gelenk::exporting {
namespace {

using results::Certificate;
using Kind = ReportTable::Column::Kind;

// "force.y" of "crank_pin.reaction.force.y", "torque" of "motor.torque"
std::string short_name(const Certificate::SharedReaction& shared) {
  const std::string name = shared.channel.substr(std::min(shared.element.size() + 1, shared.channel.size()));
  constexpr std::string_view kReaction = "reaction.";
  return name.starts_with(kReaction) ? name.substr(kReaction.size()) : name;
}

struct Sharer {
  std::string element;
  std::vector<std::string> directions;
  bool is_always = true;
};

std::vector<Sharer> sharers(const Certificate& certificate) {
  std::vector<Sharer> result;
  for (const Certificate::SharedReaction& shared : certificate.shared_reactions) {
    if (result.empty() || result.back().element != shared.element) result.push_back({shared.element, {}, true});
    result.back().directions.push_back(short_name(shared));
    result.back().is_always = result.back().is_always && shared.is_always;
  }
  return result;
}

std::string split_sentence(const std::string& split) {
  return fmt::format(
      "Rigid parts do not determine how these joints share their load. The values assume slightly compliant joints, "
      "{}; all other directions are unique.",
      split == "equal" ? "all equally compliant" : "each as compliant as its parts");
}

}  // namespace

ReportSection shared_loads_section(const RunDigest& digest) {
  ReportSection section{.title = "Shared joint loads"};
  if (!digest.certificate || digest.certificate->shared_reactions.empty()) return section;
  const Certificate& certificate = *digest.certificate;
  section.lead = split_sentence(certificate.reaction_split);
  section.table = ReportTable{
      {{"joint", Kind::name}, {"directions", Kind::text}, {"shared with", Kind::text}, {"when", Kind::text}}, {}};
  const std::vector<Sharer> all = sharers(certificate);
  for (const Sharer& sharer : all) {
    if (section.table->rows.size() == kMostTableRows) break;
    const std::vector<std::string> partners = results::sharing_partners(certificate, sharer.element);
    section.table->rows.push_back({sharer.element, join(sharer.directions, ", "),
                                   partners.empty() ? std::string(kNothing) : join(partners, ", "),
                                   sharer.is_always ? "always" : "at times"});
  }
  if (all.size() > kMostTableRows) {
    section.notes.push_back(fmt::format("There are {} more; the certificate names them.", all.size() - kMostTableRows));
  }
  if (!certificate.has_reaction_partners) {
    section.notes.push_back("There are too many redundant directions to find which joints share with each other.");
  }
  return section;
}

}  // namespace gelenk::exporting
