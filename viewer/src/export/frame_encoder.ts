// Pictures become frames of a video track: H.264, or VP9 where the browser cannot encode H.264.
import { DataError } from '../data/scene';
import type { EncodedFrame, VideoCodec, VideoTrack } from './mp4_writer';

const KEY_EVERY = 60;
/** Enough for thin lines on a plain background. */
const BITS_PER_PIXEL = 0.22;
const MOST_WAITING = 4;

interface Choice {
  codec: string;
  /** VP9 only; H.264 describes itself. */
  vp9?: { profile: number; level: number };
}

/** The first one that the browser can encode: H.264 high (also for large pictures), main, baseline; VP9. */
const CHOICES: Choice[] = [
  { codec: 'avc1.640028' },
  { codec: 'avc1.640033' },
  { codec: 'avc1.4d0028' },
  { codec: 'avc1.42001f' },
  { codec: 'vp09.00.51.08', vp9: { profile: 0, level: 51 } },
];

function pause(): Promise<void> {
  return new Promise((done) => setTimeout(done));
}

function bytesOf(source: AllowSharedBufferSource): Uint8Array {
  return ArrayBuffer.isView(source)
    ? new Uint8Array(source.buffer.slice(source.byteOffset, source.byteOffset + source.byteLength))
    : new Uint8Array(source.slice(0));
}

export class FrameEncoder {
  private readonly frames: EncodedFrame[] = [];
  private readonly encoder: VideoEncoder;
  private configuration: Uint8Array | null = null;
  private failure: Error | null = null;
  private count = 0;

  /** Width and height have to be even. */
  static async open(width: number, height: number, framesPerSecond: number): Promise<FrameEncoder> {
    if (typeof VideoEncoder === 'undefined')
      throw new DataError('This browser has no video encoder for pages like this one.');
    const bitrate = Math.round(BITS_PER_PIXEL * width * height * framesPerSecond);
    for (const choice of CHOICES) {
      const config: VideoEncoderConfig = {
        codec: choice.codec,
        width,
        height,
        bitrate,
        framerate: framesPerSecond,
        ...(choice.vp9 ? {} : { avc: { format: 'avc' } }),
      };
      if ((await VideoEncoder.isConfigSupported(config)).supported) return new FrameEncoder(config, choice.vp9 ?? null);
    }
    throw new DataError(`This browser encodes neither H.264 nor VP9 videos of ${width} x ${height} pixels.`);
  }

  private constructor(
    private readonly config: VideoEncoderConfig,
    private readonly vp9: { profile: number; level: number } | null,
  ) {
    this.encoder = new VideoEncoder({
      output: (chunk, metadata) => {
        const description = metadata?.decoderConfig?.description;
        if (description) this.configuration = bytesOf(description);
        const data = new Uint8Array(chunk.byteLength);
        chunk.copyTo(data);
        this.frames.push({ data, isKey: chunk.type === 'key' });
      },
      error: (error) => (this.failure = error),
    });
    this.encoder.configure(config);
  }

  /** Adds what a canvas shows at this moment, and waits while the encoder is behind. */
  async add(canvas: HTMLCanvasElement): Promise<void> {
    const { width, height, framerate = 1 } = this.config;
    const timestamp = Math.round((this.count * 1e6) / framerate);
    const frame = new VideoFrame(canvas, { timestamp, visibleRect: { x: 0, y: 0, width, height } });
    this.encoder.encode(frame, { keyFrame: this.count % KEY_EVERY === 0 });
    frame.close();
    ++this.count;
    while (this.encoder.encodeQueueSize > MOST_WAITING && !this.failure) await pause();
    if (this.failure) throw this.failure;
  }

  async finish(): Promise<VideoTrack> {
    await this.encoder.flush();
    this.encoder.close();
    if (this.failure) throw this.failure;
    const { width, height, framerate = 1 } = this.config;
    return { width, height, framesPerSecond: framerate, codec: this.codec(), frames: this.frames };
  }

  private codec(): VideoCodec {
    if (this.vp9) return { kind: 'vp9', ...this.vp9 };
    if (!this.configuration) throw new DataError('The video encoder produced no frames.');
    return { kind: 'avc', configuration: this.configuration };
  }
}
