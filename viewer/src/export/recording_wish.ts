// What the address asks to record, see PROTOCOL.md. Wrong words end in a sentence for the user.
import { DataError } from '../data/scene';
import { LAYERS, type LayerName } from '../state/state';
import { VIEWS, type ViewName } from '../view/camera_rig';
import { FRAMES_PER_SECOND } from './video';

export interface RecordingWish {
  kind: 'png' | 'mp4';
  view: ViewName;
  width: number;
  height: number;
  framesPerSecond: number;
  speed: number;
  /** Null: where the run begins. */
  time: number | null;
  layers: ReadonlySet<LayerName>;
}

const KINDS = ['png', 'mp4'] as const;
const VIEW_WORDS = ['iso', ...VIEWS] as const;
/** What pictures show unless the address says otherwise: the machine, without symbols that explain it. */
const PICTURE_LAYERS: LayerName[] = ['grid', 'shapes', 'edges', 'springs'];
const LARGEST_SIDE = 8192;
const FASTEST_FRAMES = 240;

function oneOf<T extends string>(what: string, word: string, known: readonly T[]): T {
  const found = known.find((each) => each === word);
  if (found === undefined) throw new DataError(`There is no ${what} '${word}'; use one of ${known.join(', ')}.`);
  return found;
}

function number(words: URLSearchParams, name: string, fallback: number, isGood: (value: number) => boolean): number {
  const text = words.get(name);
  if (text === null) return fallback;
  const value = text.trim() === '' ? NaN : Number(text);
  if (!isGood(value)) throw new DataError(`The ${name} '${text}' does not work for a picture or video.`);
  return value;
}

/** Whether a page opens to be recorded and not to be used. */
export function asksForRecording(query: string): boolean {
  return new URLSearchParams(query).has('record');
}

export function readRecordingWish(query: string): RecordingWish {
  const words = new URLSearchParams(query);
  const view = oneOf('view', words.get('view') ?? 'iso', VIEW_WORDS);
  const isSide = (value: number) => Number.isInteger(value) && value >= 2 && value <= LARGEST_SIDE;
  const layers = words.get('layers');
  return {
    kind: oneOf('recording', words.get('record') ?? '', KINDS),
    view: view === 'iso' ? 'oblique' : view,
    width: number(words, 'width', 1280, isSide),
    height: number(words, 'height', 720, isSide),
    framesPerSecond: number(words, 'fps', FRAMES_PER_SECOND, (value) => value > 0 && value <= FASTEST_FRAMES),
    speed: number(words, 'speed', 1, (value) => value > 0 && Number.isFinite(value)),
    time: words.has('time') ? number(words, 'time', 0, Number.isFinite) : null,
    layers: new Set(
      layers === null
        ? PICTURE_LAYERS
        : layers
            .split(',')
            .filter(Boolean)
            .map((name) => oneOf('layer', name === 'parts' ? 'shapes' : name, LAYERS)),
    ),
  };
}
