// Joins still WebP pictures into a moving one: each frame replaces a rectangle of what is shown.
// https://developers.google.com/speed/webp/docs/riff_container

const ANIMATED = 0x02;
const NOT_BLENDED = 0x02;
/** Of the chunks of a still picture, these hold its pixels. */
const PIXELS = ['ALPH', 'VP8 ', 'VP8L'];

/** Chunks of a file or of a part of it, with their padding. */
function* chunksOf(bytes) {
  for (let at = 0; at + 8 <= bytes.length;) {
    const end = at + 8 + bytes.readUInt32LE(at + 4);
    yield { name: bytes.toString('latin1', at, at + 4), whole: bytes.subarray(at, end + (end & 1)) };
    at = end + (end & 1);
  }
}

function chunk(name, content) {
  const head = Buffer.alloc(8);
  head.write(name, 'latin1');
  head.writeUInt32LE(content.length, 4);
  return Buffer.concat([head, content, Buffer.alloc(content.length & 1)]);
}

function threeBytes(...numbers) {
  const bytes = Buffer.alloc(3 * numbers.length);
  numbers.forEach((number, i) => bytes.writeUIntLE(number, 3 * i, 3));
  return bytes;
}

/** `x` and `y` are even, `duration` is in ms, `still` a WebP file. */
function frameChunk({ x, y, width, height, duration, still }) {
  const pixels = [...chunksOf(still.subarray(12))].filter(({ name }) => PIXELS.includes(name));
  return chunk(
    'ANMF',
    Buffer.concat([
      threeBytes(x / 2, y / 2, width - 1, height - 1, duration),
      Buffer.of(NOT_BLENDED),
      ...pixels.map(({ whole }) => whole),
    ]),
  );
}

/** The moving picture, which begins again at its end. */
export function animatedWebp(frames, { width, height }) {
  const content = Buffer.concat([
    Buffer.from('WEBP', 'latin1'),
    chunk('VP8X', Buffer.concat([Buffer.of(ANIMATED, 0, 0, 0), threeBytes(width - 1, height - 1)])),
    chunk('ANIM', Buffer.alloc(6)),
    ...frames.map(frameChunk),
  ]);
  return chunk('RIFF', content);
}
