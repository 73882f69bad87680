// Collects screenshots for a moving picture. Of each only the rectangle that has changed is kept; the browser packs it.
import { newContext } from './e2e/browser.mjs';
import { animatedWebp } from './webp_writer.mjs';

const QUALITY = 0.65;

/** Runs in the browser: the part of a picture that differs from the last one, as WebP. Null: nothing does. */
async function packChange({ png, quality }) {
  const picture = await createImageBitmap(await (await fetch(`data:image/png;base64,${png}`)).blob());
  const { width, height } = picture;
  const canvas = new OffscreenCanvas(width, height);
  const pen = canvas.getContext('2d', { alpha: false, willReadFrequently: true });
  pen.drawImage(picture, 0, 0);
  const now = new Uint32Array(pen.getImageData(0, 0, width, height).data.buffer);
  const last = window.lastPixels ?? new Uint32Array(now.length);
  window.lastPixels = now;
  let [left, top, right, bottom] = [width, height, 0, 0];
  now.forEach((pixel, i) => {
    if (pixel === last[i]) return;
    left = Math.min(left, i % width);
    right = Math.max(right, (i % width) + 1);
    top = Math.min(top, Math.floor(i / width));
    bottom = Math.floor(i / width) + 1;
  });
  if (right === 0) return null;
  // The format has even places only.
  const [x, y] = [left & ~1, top & ~1];
  const piece = new OffscreenCanvas(right - x, bottom - y);
  piece.getContext('2d', { alpha: false }).drawImage(picture, -x, -y);
  const bytes = new Uint8Array(await (await piece.convertToBlob({ type: 'image/webp', quality })).arrayBuffer());
  const base64 = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
  return { x, y, width: piece.width, height: piece.height, base64 };
}

export class FilmRecorder {
  static async start(size) {
    const context = await newContext(size);
    return new FilmRecorder(await context.newPage(), size);
  }

  constructor(packer, size) {
    this.packer = packer;
    this.size = size;
    this.frames = [];
  }

  /** What a page shows now, for so many milliseconds. */
  async add(page, duration) {
    const png = (await page.screenshot()).toString('base64');
    const change = await this.packer.evaluate(packChange, { png, quality: QUALITY });
    if (change === null) {
      this.frames[this.frames.length - 1].duration += duration;
      return;
    }
    const { base64, ...place } = change;
    this.frames.push({ ...place, duration, still: Buffer.from(base64, 'base64') });
  }

  film() {
    return animatedWebp(this.frames, this.size);
  }
}
