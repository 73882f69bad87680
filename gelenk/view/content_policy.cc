#include "gelenk/view/content_policy.h"

namespace gelenk::view {

std::string content_policy(std::string_view page) {
  constexpr std::string_view kTag = R"(<meta http-equiv="Content-Security-Policy" content=")";
  constexpr std::string_view kOnlyByServers = "; frame-ancestors 'none'";
  std::string policy = "default-src 'none'";
  const std::size_t tag = page.find(kTag);
  const std::size_t end = tag == std::string_view::npos ? tag : page.find('"', tag + kTag.size());
  if (end != std::string_view::npos) policy = page.substr(tag + kTag.size(), end - tag - kTag.size());
  return policy.append(kOnlyByServers);
}

}  // namespace gelenk::view
