#pragma once

#include <cstdint>
#include <string_view>

// Numbers and words of glTF 2.0 (sections 4.4 and 5) that its reader and its writer share.
namespace gelenk::geometry::gltf {

inline constexpr std::uint32_t kMagic = 0x46546C67, kVersion = 2, kJsonChunk = 0x4E4F534A, kBinaryChunk = 0x004E4942;
inline constexpr int kByte = 5121, kShort = 5123, kUnsigned = 5125, kFloat = 5126;  // unsigned ones
inline constexpr int kVertexBuffer = 34962, kIndexBuffer = 34963;
inline constexpr int kTriangles = 4;
inline constexpr std::string_view kScalar = "SCALAR", kVector3 = "VEC3", kVector4 = "VEC4";

}  // namespace gelenk::geometry::gltf
