// What tests want to know of an MP4 file: sizes of frames, duration, kind of video.

const CONTAINERS = ['moov', 'trak', 'mdia', 'minf', 'stbl'];

/** The content of the first box of that name. */
function findBox(bytes, name) {
  for (let at = 0; at + 8 <= bytes.length;) {
    const size = bytes.readUInt32BE(at);
    const kind = bytes.toString('latin1', at + 4, at + 8);
    const content = bytes.subarray(at + 8, at + size);
    if (kind === name) return content;
    const inside = CONTAINERS.includes(kind) ? findBox(content, name) : null;
    if (inside) return inside;
    at += size;
  }
  return null;
}

export function frameSizes(file) {
  const box = findBox(file, 'stsz');
  return Array.from({ length: box.readUInt32BE(8) }, (_, i) => box.readUInt32BE(12 + 4 * i));
}

export function headerTimes(file) {
  const box = findBox(file, 'mvhd');
  return { timescale: box.readUInt32BE(12), duration: box.readUInt32BE(16) };
}

/** `avc1` or `vp09`. */
export function sampleEntry(file) {
  return findBox(file, 'stsd').toString('latin1', 12, 16);
}
