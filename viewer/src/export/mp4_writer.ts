// An MP4 file (ISO/IEC 14496-12) with one track of frames of equal length. Only the boxes that players need.

export interface EncodedFrame {
  data: Uint8Array;
  isKey: boolean;
}

export type VideoCodec =
  /** H.264 with the decoder configuration record (avcC) as the encoder gave it. */
  | { kind: 'avc'; configuration: Uint8Array }
  /** VP9 with 8 bits a color, by its profile and level (41 is level 4.1). */
  | { kind: 'vp9'; profile: number; level: number };

export interface VideoTrack {
  width: number;
  height: number;
  framesPerSecond: number;
  codec: VideoCodec;
  frames: EncodedFrame[];
}

/** Units of time in a frame: frame rates may have three decimals. */
const FRAME_UNITS = 1000;
const IDENTITY = [0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000];

type Content = number[] | Uint8Array;

function u16(...values: number[]): number[] {
  return values.flatMap((value) => [(value >> 8) & 255, value & 255]);
}

function u32(...values: number[]): number[] {
  return values.flatMap((value) => [(value >>> 24) & 255, (value >>> 16) & 255, (value >>> 8) & 255, value & 255]);
}

function text(value: string): number[] {
  return [...value].map((letter) => letter.charCodeAt(0));
}

function joined(parts: Content[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

function box(name: string, ...content: Content[]): Uint8Array<ArrayBuffer> {
  const size = content.reduce((sum, part) => sum + part.length, 8);
  return joined([u32(size), text(name), ...content]);
}

/** A box with version 0 and flags. */
function fullBox(name: string, flags: number, ...content: Content[]): Uint8Array<ArrayBuffer> {
  return box(name, u32(flags), ...content);
}

/** Units of time in a second. */
function timescale(track: VideoTrack): number {
  return Math.round(FRAME_UNITS * track.framesPerSecond);
}

function sampleEntry({ width, height, codec }: VideoTrack): Uint8Array {
  const before = [...u32(0), ...u16(0, 1), ...u16(0, 0), ...u32(0, 0, 0), ...u16(width, height)];
  // 72 dots an inch, one frame a sample, no name of a compressor, 24 bits of color.
  const after = [...u32(0x480000, 0x480000, 0), ...u16(1), ...new Array<number>(32).fill(0), ...u16(24, 0xffff)];
  if (codec.kind === 'avc') return box('avc1', before, after, box('avcC', codec.configuration));
  // Version 1; 8 bits, colors at half resolution, everything else is in the frames themselves (2: not said here).
  const description = [...u32(0x1000000), codec.profile, codec.level, (8 << 4) | (1 << 1), 2, 2, 2, ...u16(0)];
  return box('vp09', before, after, box('vpcC', description));
}

function sampleTable(track: VideoTrack, firstByte: number): Uint8Array {
  const { frames } = track;
  const keys = frames.flatMap((frame, i) => (frame.isKey ? [i + 1] : []));
  const sizes = frames.map((frame) => frame.data.length);
  return box(
    'stbl',
    fullBox('stsd', 0, u32(1), sampleEntry(track)),
    fullBox('stts', 0, u32(1, frames.length, FRAME_UNITS)),
    fullBox('stss', 0, u32(keys.length, ...keys)),
    fullBox('stsc', 0, u32(1, 1, frames.length, 1)),
    fullBox('stsz', 0, u32(0, sizes.length, ...sizes)),
    fullBox('stco', 0, u32(1, firstByte)),
  );
}

function movie(track: VideoTrack, firstByte: number): Uint8Array {
  const scale = timescale(track);
  const duration = track.frames.length * FRAME_UNITS;
  const { width, height } = track;
  const header = fullBox(
    'mvhd',
    0,
    u32(0, 0, scale, duration, 0x10000),
    u16(0x100, 0),
    u32(0, 0),
    u32(...IDENTITY),
    u32(0, 0, 0, 0, 0, 0, 2),
  );
  const trackHeader = fullBox(
    'tkhd',
    3,
    u32(0, 0, 1, 0, duration),
    u32(0, 0),
    u16(0, 0, 0, 0),
    u32(...IDENTITY),
    u32(width << 16, height << 16),
  );
  const media = box(
    'mdia',
    fullBox('mdhd', 0, u32(0, 0, scale, duration), u16(0x55c4, 0)),
    fullBox('hdlr', 0, u32(0), text('vide'), u32(0, 0, 0), text('video\0')),
    box(
      'minf',
      fullBox('vmhd', 1, u16(0, 0, 0, 0)),
      box('dinf', fullBox('dref', 0, u32(1), fullBox('url ', 1))),
      sampleTable(track, firstByte),
    ),
  );
  return box('moov', header, box('trak', trackHeader, media));
}

export function writeMp4(track: VideoTrack): Uint8Array<ArrayBuffer> {
  const type = box('ftyp', text('isom'), u32(0x200), text('isomiso2mp41'));
  // The size of the index does not depend on where the frames begin, so it is made twice.
  const firstByte = type.length + movie(track, 0).length + 8;
  const size = track.frames.reduce((sum, frame) => sum + frame.data.length, 8);
  return joined([type, movie(track, firstByte), u32(size), text('mdat'), ...track.frames.map((frame) => frame.data)]);
}
