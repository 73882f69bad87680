// The run as a video: every frame is drawn and encoded in its own time, so a slow machine makes the same video.
import { arrivedRows } from '../data/run';
import { DataError } from '../data/scene';
import type { Session } from '../state/session';
import type { Viewport } from '../view/viewport';
import { FrameEncoder } from './frame_encoder';
import { writeMp4 } from './mp4_writer';

export const FRAMES_PER_SECOND = 30;
/** Ten minutes at the usual rate; the whole video is in memory. */
const MOST_FRAMES = 18_000;
const PROGRESS_EVERY = 10;

export interface VideoWish {
  framesPerSecond: number;
  /** Seconds of the run in a second of the video. */
  speed: number;
  /** Makes a frame of the picture that has just been drawn. */
  frame?: (picture: HTMLCanvasElement) => HTMLCanvasElement;
  progress?: (done: number, total: number) => void;
}

/** Goes to a time, waits until its rows are there, and draws. The canvas holds the picture until the next await. */
export async function drawAt(session: Session, viewport: Viewport, time: number): Promise<HTMLCanvasElement> {
  if (session.run) await arrivedRows(session.run, time);
  session.store.update({ time });
  // Subscribers of the state are called before this continues.
  await Promise.resolve();
  return viewport.drawNow();
}

function even(size: number): number {
  return size - (size % 2);
}

function frameCount(session: Session, { framesPerSecond, speed }: VideoWish): number {
  const seconds = (session.endTime - session.startTime) / speed;
  if (!(seconds > 0)) throw new DataError('A video needs a run of more than one row.');
  // Rounding must not add a frame to a span of whole frames.
  const count = Math.max(1, Math.ceil(seconds * framesPerSecond - 1e-6));
  if (count > MOST_FRAMES)
    throw new DataError(
      `The video would have ${count} frames, more than ${MOST_FRAMES}; a higher speed or fewer frames a second make it shorter.`,
    );
  return count;
}

export async function recordVideo(session: Session, viewport: Viewport, wish: VideoWish): Promise<Blob> {
  const { time: before } = session.state;
  const { startTime, endTime } = session;
  const total = frameCount(session, wish);
  session.store.update({ isPlaying: false });
  const frameAt = async (i: number) => {
    const picture = await drawAt(
      session,
      viewport,
      Math.min(endTime, startTime + (i * wish.speed) / wish.framesPerSecond),
    );
    return wish.frame?.(picture) ?? picture;
  };
  const first = await frameAt(0);
  const encoder = await FrameEncoder.open(even(first.width), even(first.height), wish.framesPerSecond);
  for (let i = 0; i < total; ++i) {
    await encoder.add(await frameAt(i));
    if ((i + 1) % PROGRESS_EVERY === 0 || i + 1 === total) wish.progress?.(i + 1, total);
  }
  const file = writeMp4(await encoder.finish());
  session.store.update({ time: before });
  return new Blob([file], { type: 'video/mp4' });
}
