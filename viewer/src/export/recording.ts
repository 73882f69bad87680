// The page without panels that makes one picture or video for the program and sends it back, see PROTOCOL.md.
import { DataError } from '../data/scene';
import { Api, openServer, takeToken } from '../data/server_source';
import { numberText, timeDecimals } from '../data/units';
import { h } from '../panels/dom';
import { Commands } from '../state/commands';
import { Session } from '../state/session';
import { heaviestPart } from '../view/motion_space';
import { pictureQuality } from '../view/quality';
import { Viewport } from '../view/viewport';
import { type RecordingWish, readRecordingWish } from './recording_wish';
import { drawAt, recordVideo } from './video';

/** Height of the text with the time, as part of the smaller side of the picture, and its distance from the edge. */
const TEXT_SIZE = 0.028;
const TEXT_MARGIN = 0.035;
/** The longest side that every renderer draws. */
const MOST_PIXELS = 8192;

function checkedTime(session: Session, time: number | null): number {
  const { startTime, endTime, run } = session;
  if (time === null) return startTime;
  if (!run) throw new DataError(`There is no run, so there is no picture of ${numberText(time)} s.`);
  if (time < startTime || time > endTime)
    throw new DataError(
      `The time ${numberText(time)} s is outside the run, which goes from ${numberText(startTime)} s to ${numberText(endTime)} s.`,
    );
  return time;
}

/** A canvas of the wished size for pictures that were drawn in more pixels. */
class Sheet {
  readonly canvas: HTMLCanvasElement;
  private readonly context: CanvasRenderingContext2D;

  constructor(private readonly wish: RecordingWish) {
    this.canvas = h('canvas', { width: wish.width, height: wish.height });
    this.context = this.canvas.getContext('2d', { alpha: false }) as CanvasRenderingContext2D;
    this.context.imageSmoothingQuality = 'high';
  }

  draw(picture: HTMLCanvasElement): HTMLCanvasElement {
    this.context.drawImage(picture, 0, 0, this.wish.width, this.wish.height);
    return this.canvas;
  }

  /** In the lower left corner. */
  write(text: string): void {
    const { width, height } = this.wish;
    const side = Math.min(width, height);
    this.context.font = `500 ${Math.max(10, Math.round(TEXT_SIZE * side))}px system-ui, 'DejaVu Sans', sans-serif`;
    this.context.fillStyle = '#4c5967';
    this.context.fillText(text, TEXT_MARGIN * side, height - TEXT_MARGIN * side);
  }
}

function pngOf(canvas: HTMLCanvasElement): Promise<Blob> {
  return new Promise((done, fail) => {
    canvas.toBlob((blob) => (blob ? done(blob) : fail(new DataError('The picture is too large for this browser.'))));
  });
}

/** Pixels that are drawn for each one of the picture, along a side: still pictures can afford more. */
function pixelRatio({ kind, width, height }: RecordingWish): number {
  return kind === 'png' && 2 * Math.max(width, height) <= MOST_PIXELS ? 2 : 1;
}

/** Fits the pose of a picture or the whole motion of a video, or goes along with a machine that travels far. */
async function aim(session: Session, viewport: Viewport, { kind, view }: RecordingWish): Promise<void> {
  await viewport.aim.measured;
  const { box, isTraveling } = viewport.aim.swept();
  if (kind === 'mp4' && !isTraveling) return viewport.look(view, box);
  viewport.look(view, viewport.visibleBox());
  if (kind === 'png') return;
  session.store.update({ follow: heaviestPart(session.source.scene) });
}

async function makeRecording(host: HTMLElement, api: Api, query: string): Promise<Blob> {
  const wish = readRecordingWish(query);
  const session = new Session(await openServer(api));
  const time = checkedTime(session, wish.time);
  session.store.update({ layers: wish.layers, time });
  const viewport = new Viewport(session, new Commands(session), pictureQuality(session.source.scene, pixelRatio(wish)));
  host.replaceChildren(
    h('main', { class: 'stage recording', style: `width:${wish.width}px;height:${wish.height}px` }, viewport.element),
  );
  viewport.setDark(false);
  viewport.resize();
  const sheet = new Sheet(wish);
  await drawAt(session, viewport, time);
  await aim(session, viewport, wish);
  if (wish.kind === 'png') return pngOf(sheet.draw(viewport.drawNow()));
  const decimals = timeDecimals(session.endTime - session.startTime);
  const pace = wish.speed === 1 ? '' : `   ${numberText(wish.speed)}×`;
  return recordVideo(session, viewport, {
    ...wish,
    frame: (picture) => {
      sheet.draw(picture);
      sheet.write(`${session.state.time.toFixed(decimals)} s${pace}`);
      return sheet.canvas;
    },
    progress: (done, total) => {
      // Whether the program hears of the progress does not matter.
      api.post(`api/recording/progress?done=${done}&total=${total}`, new Blob()).catch(() => {});
    },
  });
}

/** Makes what the address asks for; what goes wrong is reported to the program and on the page. */
export async function record(host: HTMLElement, query: string): Promise<void> {
  const api = new Api(takeToken());
  try {
    await api.post('api/recording', await makeRecording(host, api, query));
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    await api.post('api/recording/error', new Blob([text], { type: 'text/plain' })).catch(() => {});
    throw error;
  }
}
