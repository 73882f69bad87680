// Pictures and videos for the command line: the page makes them and sends them to the program.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { SETS } from '../make_fixtures.mjs';
import { frameSizes, headerTimes, sampleEntry } from '../mp4_reader.mjs';
import { TestServer } from '../test_server.mjs';
import { PATIENCE, closeBrowser, newContext } from './browser.mjs';

after(closeBrowser);

/** What the program would get for an address; `prepare` is run in the page before its own code. */
async function recorded(set, words, { prepare } = {}) {
  const server = new TestServer(set);
  const url = await server.start();
  const context = await newContext({ width: 300, height: 200, deviceScaleFactor: 2 });
  try {
    const page = await context.newPage();
    if (prepare) await page.addInitScript(prepare);
    await page.goto(`${url}&${words}`);
    const late = new Promise((_, fail) => setTimeout(() => fail(new Error('no recording came')), 2 * PATIENCE).unref());
    return { ...(await Promise.race([server.recorded, late])), progress: server.progress };
  } finally {
    await context.close();
    await server.stop();
  }
}

/** Colors of a picture, and the share of the most frequent one; counted by a browser. */
async function colorsOf(png) {
  const context = await newContext({ width: 100, height: 100 });
  const page = await context.newPage();
  const result = await page.evaluate(async (base64) => {
    const picture = await createImageBitmap(await (await fetch(`data:image/png;base64,${base64}`)).blob());
    const canvas = new OffscreenCanvas(picture.width, picture.height);
    const drawing = canvas.getContext('2d');
    drawing.drawImage(picture, 0, 0);
    const pixels = new Uint32Array(drawing.getImageData(0, 0, canvas.width, canvas.height).data.buffer);
    const counts = new Map();
    for (const pixel of pixels) counts.set(pixel, (counts.get(pixel) ?? 0) + 1);
    return { count: counts.size, largestShare: Math.max(...counts.values()) / pixels.length };
  }, png.toString('base64'));
  await context.close();
  return result;
}

async function playedBy(mp4) {
  const context = await newContext({ width: 100, height: 100 });
  const page = await context.newPage();
  const result = await page.evaluate(async (base64) => {
    const video = document.createElement('video');
    video.muted = true;
    video.src = `data:video/mp4;base64,${base64}`;
    await new Promise((done, fail) => {
      video.onloadeddata = done;
      video.onerror = () => fail(new Error(video.error.message));
    });
    /** Share of the most frequent color, which is that of the background. */
    const backgroundAt = async (time) => {
      video.currentTime = time;
      await new Promise((done) => (video.onseeked = done));
      const drawing = new OffscreenCanvas(video.videoWidth, video.videoHeight).getContext('2d');
      drawing.drawImage(video, 0, 0);
      const { data } = drawing.getImageData(0, 0, video.videoWidth, video.videoHeight);
      const counts = new Map();
      for (const pixel of new Uint32Array(data.buffer)) counts.set(pixel, (counts.get(pixel) ?? 0) + 1);
      return Math.max(...counts.values()) / (data.length / 4);
    };
    return {
      duration: video.duration,
      width: video.videoWidth,
      height: video.videoHeight,
      first: await backgroundAt(0),
      last: await backgroundAt(video.duration - 0.01),
    };
  }, mp4.toString('base64'));
  await context.close();
  return result;
}

test('a picture has exactly the wished size, shows the machine, and depends on the time', async () => {
  const words = 'record=png&view=iso&width=640&height=360';
  const { type, bytes, error } = await recorded(SETS.crank_slider(), words);
  assert.equal(error, undefined);
  assert.equal(type, 'image/png');
  assert.deepEqual([bytes.readUInt32BE(16), bytes.readUInt32BE(20)], [640, 360]);
  const { count, largestShare } = await colorsOf(bytes);
  assert.ok(count > 300, `${count} colors`);
  assert.ok(largestShare < 0.97, `${largestShare} of one color`);
  const later = await recorded(SETS.crank_slider(), `${words}&time=0.25`);
  assert.ok(!later.bytes.equals(bytes), 'a quarter of a turn later it looks different');
});

test('a model without a run gives a picture as assembled', async () => {
  const { bytes } = await recorded({ ...SETS.car(), runs: [] }, 'record=png&view=front&width=320&height=200');
  assert.equal(bytes.readUInt32BE(16), 320);
});

test('a video has all frames of the run and plays', { timeout: 300_000 }, async () => {
  const words = 'record=mp4&view=front&width=320&height=180&fps=25&speed=4';
  const { type, bytes, error, progress } = await recorded(SETS.crank_slider(), words);
  assert.equal(error, undefined);
  assert.equal(type, 'video/mp4');
  // 2 s at speed 4 are 0.5 s, which 25 frames a second cut into 12.5.
  assert.equal(frameSizes(bytes).length, 13);
  assert.ok(frameSizes(bytes).every((size) => size > 0));
  const { timescale, duration } = headerTimes(bytes);
  assert.ok(Math.abs(duration / timescale - 13 / 25) < 1e-9);
  assert.equal(sampleEntry(bytes), 'avc1');
  assert.deepEqual(progress, [
    [10, 13],
    [13, 13],
  ]);
  const played = await playedBy(bytes);
  assert.deepEqual([played.width, played.height], [320, 180]);
  assert.ok(Math.abs(played.duration - 13 / 25) < 0.01, `${played.duration} s`);
});

/** The crank-slider on a train: it leaves its place for good. */
function travelingSet() {
  const set = SETS.crank_slider();
  const [{ info, times, data }] = set.runs;
  const { width } = info.blocks[0];
  times.forEach((time, row) => {
    for (let x = 0; x < width; x += 7) data[0][row * width + x] += 20 * time;
  });
  return set;
}

test('a machine that travels far stays in the picture', { timeout: 300_000 }, async () => {
  const words = 'record=mp4&width=320&height=180&fps=5&speed=2&layers=parts';
  const { bytes, error } = await recorded(travelingSet(), words);
  assert.equal(error, undefined);
  const { first, last } = await playedBy(bytes);
  assert.ok(first < 0.97 && last < 0.97, `background: ${first} of the first picture, ${last} of the last one`);
});

/** A browser that encodes no H.264. */
function withoutH264() {
  const ask = VideoEncoder.isConfigSupported.bind(VideoEncoder);
  VideoEncoder.isConfigSupported = async (config) =>
    config.codec.startsWith('avc1') ? { supported: false, config } : ask(config);
}

test('without H.264 the video is VP9', { timeout: 300_000 }, async () => {
  const words = 'record=mp4&view=front&width=320&height=180&fps=10&speed=4';
  const { bytes, error } = await recorded(SETS.crank_slider(), words, { prepare: withoutH264 });
  assert.equal(error, undefined);
  assert.equal(sampleEntry(bytes), 'vp09');
  assert.equal(frameSizes(bytes).length, 5);
  const played = await playedBy(bytes);
  assert.deepEqual([played.width, played.height], [320, 180]);
});

test('what cannot be recorded is reported to the program in a sentence', async () => {
  const errorOf = async (set, words) => (await recorded(set, words)).error;
  const small = 'width=64&height=64';
  assert.equal(
    await errorOf(SETS.crank_slider(), `record=png&view=above&${small}`),
    "There is no view 'above'; use one of iso, front, back, left, right, top, bottom, oblique.",
  );
  assert.equal(
    await errorOf(SETS.crank_slider(), `record=png&time=7&${small}`),
    'The time 7 s is outside the run, which goes from 0 s to 2 s.',
  );
  assert.equal(
    await errorOf({ ...SETS.crank_slider(), runs: [] }, `record=mp4&${small}`),
    'A video needs a run of more than one row.',
  );
});
