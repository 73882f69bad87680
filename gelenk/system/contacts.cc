#include "gelenk/system/contacts.h"

namespace gelenk::system {

void add_contacts(const model::Machine& machine, System& system) {
  if (machine.contacts.empty()) return;
  for (const model::ContourNode& node : machine.contours) {
    const std::int32_t body = node.frame.part.is_set() ? system.parts[node.frame.part.index()].body : kGround;
    system.contours.push_back({node.path, body});
  }
  for (const model::ContactNode& node : machine.contacts) {
    system.contacts.push_back({node.path, node.where, node.is_group, node.first, node.second});
  }
}

void set_contacts(const System& system, const model::Machine& machine, Params& params) {
  for (std::size_t c = 0; c < system.contours.size(); ++c) {
    const model::ContourNode& node = machine.contours[c];
    const model::FrameOnPart& frame = node.frame;
    const Pose place = frame.part.is_set() ? params.parts[frame.part.index()].X_BP * frame.X_PF : frame.X_PF;
    params.contours.push_back({node.contour, place});
  }
  for (const model::ContactNode& node : machine.contacts) params.contacts.push_back({node.friction, node.restitution});
}

}  // namespace gelenk::system
