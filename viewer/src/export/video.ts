// The run as a video: every frame is drawn and encoded in its own time, so a slow machine makes the same video.
import { POSE_BLOCK, rowAt } from '../data/run';
import type { Session } from '../state/session';
import type { Viewport } from '../view/viewport';
import { type EncodedFrame, writeMp4 } from './mp4_writer';

const FRAMES_PER_SECOND = 30;
const MOST_FRAMES = 60 * FRAMES_PER_SECOND;
const KEY_EVERY = 60;
const BITS_PER_SECOND = 6_000_000;
/** High, main and baseline profile: the first one that the browser can encode. */
const CODECS = ['avc1.640028', 'avc1.4d0028', 'avc1.42001f'];

function pause(): Promise<void> {
  return new Promise((done) => setTimeout(done));
}

/** Goes to a time and waits until its rows are there and the picture shows them. */
async function drawAt(session: Session, viewport: Viewport, time: number): Promise<HTMLCanvasElement> {
  session.store.update({ time });
  await pause();
  const { run } = session;
  const block = run?.info.blocks.findIndex((each) => each.name === POSE_BLOCK) ?? -1;
  if (run && block >= 0) while (!run.row(block, rowAt(run.times, time))) await pause();
  return viewport.drawNow();
}

function even(size: number): number {
  return size - (size % 2);
}

async function chooseConfiguration(width: number, height: number): Promise<VideoEncoderConfig> {
  for (const codec of CODECS) {
    const config: VideoEncoderConfig = {
      codec,
      width,
      height,
      bitrate: BITS_PER_SECOND,
      framerate: FRAMES_PER_SECOND,
      avc: { format: 'avc' },
    };
    if ((await VideoEncoder.isConfigSupported(config)).supported) return config;
  }
  throw new Error('this browser does not encode H.264');
}

export async function recordVideo(session: Session, viewport: Viewport): Promise<{ blob: Blob; ending: string }> {
  if (typeof VideoEncoder === 'undefined') throw new Error('this browser has no video encoder for pages like this one');
  const { time: before, speed } = session.state;
  const { startTime, endTime } = session;
  const canvas = viewport.renderer.domElement;
  session.store.update({ isPlaying: false });
  const [width, height] = [even(canvas.width), even(canvas.height)];
  const config = await chooseConfiguration(width, height);
  const frames: EncodedFrame[] = [];
  let configuration: Uint8Array | null = null;
  let failure: Error | null = null;
  const encoder = new VideoEncoder({
    output: (chunk, metadata) => {
      const description = metadata?.decoderConfig?.description;
      if (description)
        configuration = new Uint8Array(
          ArrayBuffer.isView(description)
            ? description.buffer.slice(description.byteOffset, description.byteOffset + description.byteLength)
            : description.slice(0),
        );
      const data = new Uint8Array(chunk.byteLength);
      chunk.copyTo(data);
      frames.push({ data, isKey: chunk.type === 'key' });
    },
    error: (error) => (failure = error),
  });
  encoder.configure(config);
  const count = Math.max(1, Math.min(MOST_FRAMES, Math.ceil(((endTime - startTime) / speed) * FRAMES_PER_SECOND)));
  for (let i = 0; i < count && !failure; ++i) {
    const picture = await drawAt(session, viewport, Math.min(endTime, startTime + (i * speed) / FRAMES_PER_SECOND));
    const timestamp = Math.round((i * 1e6) / FRAMES_PER_SECOND);
    const frame = new VideoFrame(picture, { timestamp, visibleRect: { x: 0, y: 0, width, height } });
    encoder.encode(frame, { keyFrame: i % KEY_EVERY === 0 });
    frame.close();
    while (encoder.encodeQueueSize > 4) await pause();
  }
  await encoder.flush();
  encoder.close();
  session.store.update({ time: before });
  if (failure) throw failure as Error;
  if (!configuration) throw new Error('the encoder gave no frames');
  const file = writeMp4({ width, height, framesPerSecond: FRAMES_PER_SECOND, configuration, frames });
  return { blob: new Blob([file], { type: 'video/mp4' }), ending: 'mp4' };
}
