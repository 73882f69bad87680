// The page with the real program behind it: `npm run e2e:program`, with the path of the program in GELENK_PROGRAM.
// Pictures of each machine are left in test/fixtures/program/.
import assert from 'node:assert/strict';
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { frameSizes, headerTimes } from '../mp4_reader.mjs';
import { Page, closeBrowser } from './browser.mjs';
import { Served, gelenk } from './program.mjs';

const FOLDER = fileURLToPath(new URL('../fixtures/program/', import.meta.url));
const EXAMPLES = fileURLToPath(new URL('../../../examples/', import.meta.url));
const DRAWINGS = fileURLToPath(new URL('../../../tests/data/cad/', import.meta.url));
/** Machine, the end of its run in s, and a part that moves. */
const MACHINES = [
  ['car', 6, 'chassis'],
  ['steam_engine', 1, 'unit.0.piston_group.piston'],
  ['four_bar', 2, 'rocker'],
  ['crank_slider', 1, 'piston'],
];

const model = (name) => `${EXAMPLES}${name}/${name}.yaml`;

before(async () => {
  rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(FOLDER, { recursive: true });
  for (const [name] of MACHINES) await gelenk(['run', model(name), '-o', `${name}.h5`], { folder: FOLDER });
  // Beside the run, so that the page names its file without the folders of this computer.
  const slider = 'crank_slider.yaml';
  copyFileSync(model('crank_slider'), FOLDER + slider);
  await gelenk(['run', slider, '--set', 'speed=700 rpm', '-o', 'faster.h5'], { folder: FOLDER });
  // A rod that is shorter than the crank cannot follow it all the way round.
  await gelenk(['run', slider, '--set', 'rod_length=45 mm', '-o', 'failed.h5'], { folder: FOLDER, status: 1 });
});

after(closeBrowser);

/** Opens what the program serves, and sees to it that both end well. */
async function shown(args, body) {
  const served = await Served.start(args, { folder: FOLDER });
  try {
    const page = await Page.open(served.url);
    await body(page);
    await page.close();
  } finally {
    await served.end();
  }
}

const valueAt = (page, channel, time) =>
  page.raw.evaluate(([name, at]) => window.gelenk.session.channels.valueAt(name, at), [channel, time]);

/** A value of a row that may have to be fetched first. */
async function arrivedValue(page, channel, time) {
  await page.until(([name, at]) => window.gelenk.session.channels.valueAt(name, at) !== null, [channel, time]);
  return valueAt(page, channel, time);
}

for (const [name, end, part] of MACHINES) {
  test(`${name}: load, play, scrub`, async () => {
    await shown(['view', `${name}.h5`, '--no-browser'], async (page) => {
      assert.equal(await page.raw.title(), `${name} - Gelenk`);
      assert.ok((await page.raw.locator('.tree-row').count()) > 3, 'the tree has rows');
      await page.raw.screenshot({ path: `${FOLDER}${name}.png` });
      await page.raw.getByRole('button', { name: 'Play' }).click();
      await page.until(() => window.gelenk.session.state.time > 0.02);
      await page.raw.getByRole('button', { name: 'Pause' }).click();
      const place = () => page.raw.evaluate((path) => window.gelenk.viewport.screenPlace(path), part);
      const drawn = await place();
      await page.raw.getByLabel('Time', { exact: true }).fill(String(0.5 * end));
      await page.until(
        ([path, { x, y }]) => {
          const now = window.gelenk.viewport.screenPlace(path);
          return Math.hypot(now.x - x, now.y - y) > 0.3;
        },
        [part, drawn],
      );
      await page.raw.keyboard.press('End');
      assert.ok(Math.abs((await page.state('time')) - end) < 1e-9);
      await page.raw.screenshot({ path: `${FOLDER}${name}_end.png` });
    });
  });
}

test('an imported backhoe: load, play, pictures of its drawing', { timeout: 300_000 }, async () => {
  await gelenk(['import', `${DRAWINGS}backhoe.FCStd`, '-o', 'backhoe'], { folder: FOLDER });
  await gelenk(['run', 'backhoe/backhoe.yaml', '--duration', '0.5 s', '-o', 'backhoe.h5'], { folder: FOLDER });
  await shown(['view', 'backhoe.h5', '--no-browser'], async (page) => {
    const shapes = await page.raw.evaluate(() => window.gelenk.session.source.scene.parts.map((part) => part.shapes));
    assert.ok(shapes.length > 10, `${shapes.length} parts`);
    assert.ok(
      shapes.every((list) => list.some((shape) => shape.kind === 'mesh')),
      'every part shows its drawing',
    );
    await page.raw.screenshot({ path: `${FOLDER}backhoe.png` });
  });
});

test('values are those of the closed form', async () => {
  await shown(['view', 'crank_slider.h5', '--no-browser'], async (page) => {
    for (const time of [0, 0.105, 0.5]) {
      const angle = Math.PI / 6 + 20 * Math.PI * time;
      const exact = 0.05 * Math.cos(angle) + Math.sqrt(0.15 ** 2 - (0.05 * Math.sin(angle)) ** 2);
      const value = await arrivedValue(page, 'piston.position.x', time);
      assert.ok(Math.abs(value - exact) < 1e-6, `${time} s: ${value}, not ${exact}`);
    }
  });
});

test('selection goes from the scene to the tree and back', async () => {
  await shown(['view', 'car.h5', '--no-browser'], async (page) => {
    const wheel = 'rear_right.wheel_group.wheel';
    await page.raw.evaluate(() => {
      window.gelenk.commands.toggleLayer('joints');
      window.gelenk.viewport.look('front');
    });
    await page.settle();
    const place = await page.raw.evaluate((path) => window.gelenk.viewport.screenPlace(path), wheel);
    const box = await page.raw.locator('.viewport').boundingBox();
    await page.raw.mouse.click(box.x + place.x, box.y + place.y);
    assert.equal(await page.state('selection'), wheel);
    assert.equal(await page.raw.locator('.tree-row.selected').getAttribute('data-path'), wheel);
    await page.raw.locator('.tree-row[data-path="chassis"]').click();
    assert.equal(await page.state('selection'), 'chassis');
    assert.match(await page.raw.locator('.inspector').textContent(), /car\.yaml/);
  });
});

test('a channel is dragged from the tree onto a plot', async () => {
  await shown(['view', 'crank_slider.h5', '--no-browser'], async (page) => {
    await page.raw.locator('.tree-row[data-path="main_bearing"] .twisty').click();
    await page.raw.locator('.tree-row[data-path="main_bearing.angle"]').dragTo(page.raw.locator('.plot').first());
    await page.until(() => document.querySelectorAll('.plot')[0].textContent.includes('main_bearing.angle'));
    assert.ok((await page.state('plots'))[0].channels.includes('main_bearing.angle'));
    await page.raw.screenshot({ path: `${FOLDER}plot.png` });
  });
});

test('two runs side by side, and their difference', async () => {
  await shown(['view', 'crank_slider.h5', 'faster.h5', '--no-browser'], async (page) => {
    await page.until(() => document.querySelectorAll('.plot')[0].textContent.includes('faster.h5'));
    await page.raw.getByRole('button', { name: 'difference' }).first().click();
    await page.until(() => document.querySelectorAll('.plot')[0].textContent.includes('Δ'));
    await page.raw.evaluate(() => window.gelenk.commands.seek(0.1));
    await page.settle();
    await page.raw.screenshot({ path: `${FOLDER}compare.png` });
  });
});

test('a failed run opens where it failed and says why', async () => {
  await shown(['view', 'failed.h5', '--no-browser'], async (page) => {
    assert.equal(await page.raw.evaluate(() => window.gelenk.session.run.info.status), 'failed');
    const [time, last] = await page.raw.evaluate(() => {
      const { session } = window.gelenk;
      return [session.state.time, session.endTime];
    });
    assert.equal(time, last);
    assert.equal(await page.state('selection'), 'motor');
    assert.match(
      await page.raw.getByRole('alert').textContent(),
      /cannot turn 'main_bearing' past .*'rod' is stretched/,
    );
    await page.raw.screenshot({ path: `${FOLDER}failed.png` });
  });
});

/** Crank and rod are too short for the distance of their bearings. */
const OPEN = `gelenk: 1
name: too_short
parts:
  crank:
    mass: 1 kg
    shape: {cylinder: {radius: 10 mm, from: [0, 0, 0], to: pin}}
    frames: {pin: {at: [0.1 m, 0, 0]}}
  rod:
    at: [0.1 m, 0, 0]
    mass: 1 kg
    shape: {cylinder: {radius: 10 mm, from: [0, 0, 0], to: end}}
    frames: {end: {at: [0.2 m, 0, 0]}}
ground: {frames: {far: {at: [0.5 m, 0, 0]}}}
joints:
  base: {type: revolute, between: [ground, crank], axis: z}
  pin: {type: revolute, between: [crank.pin, rod], axis: z}
  end: {type: revolute, between: [ground.far, rod.end], axis: z}
`;

test('joints that cannot be closed show their gap', async () => {
  writeFileSync(`${FOLDER}too_short.yaml`, OPEN);
  const served = await Served.start(['check', 'too_short.yaml', '--view', '--no-browser'], { folder: FOLDER });
  const page = await Page.open(served.url);
  // Bearings 0.5 m apart, parts of 0.1 m and 0.2 m.
  assert.match(await page.raw.locator('.label-gap').textContent(), /pin open by 0\.2 m/);
  assert.equal(await page.state('selection'), 'pin');
  assert.match(await page.raw.locator('.label-wrong').textContent(), /cannot be closed/);
  const { x, y } = await page.raw.evaluate(() => window.gelenk.viewport.screenPlace('end'));
  const { width, height } = await page.raw.locator('.viewport').boundingBox();
  assert.ok(x > 0 && x < width && y > 0 && y < height, 'both ends of a gap are in the picture');
  await page.raw.screenshot({ path: `${FOLDER}open.png` });
  await page.close();
  assert.equal(await served.end(), 3, 'the model has errors');
});

test('a joint that could not be read is in the tree, with its error', async () => {
  writeFileSync(`${FOLDER}misspelled.yaml`, OPEN.replace('[crank.pin, rod]', '[crank.pin, rodd]'));
  const served = await Served.start(['check', 'misspelled.yaml', '--view', '--no-browser'], { folder: FOLDER });
  const page = await Page.open(served.url);
  assert.equal(await page.state('selection'), 'pin');
  assert.equal(await page.raw.locator('.tree-row[data-path="pin"] .dot.error').count(), 1);
  assert.match(await page.raw.locator('.inspector').textContent(), /joint with an error.*there is no .*'rodd'/s);
  await page.raw.screenshot({ path: `${FOLDER}misspelled.png` });
  await page.close();
  assert.equal(await served.end(), 3, 'the model has errors');
});

test('a run that is going on: follow, pause, resume, stop', async () => {
  const args = ['run', model('car'), '--duration', '3000 s', '-o', 'live.h5', '--view', '--no-browser'];
  await shown(args, async (page) => {
    const button = (name) => page.raw.getByRole('button', { name });
    const rows = () => page.raw.evaluate(() => window.gelenk.session.run.times.length);
    await page.until(() => window.gelenk.session.state.live?.status === 'running');
    await page.until((time) => window.gelenk.session.state.time > time, await page.state('time'));
    assert.equal(await button('Resume run').isVisible(), false);
    await button('Pause run').click();
    await page.until(() => window.gelenk.session.state.live.status === 'paused');
    assert.equal(await button('Pause run').isVisible(), false);
    assert.ok(await button('Stop run').isVisible());
    await new Promise((done) => setTimeout(done, 500));
    const held = await rows();
    await new Promise((done) => setTimeout(done, 500));
    assert.equal(await rows(), held, 'the run waits');
    await button('Resume run').click();
    await page.until((count) => window.gelenk.session.run.times.length > count, held);
    const { width } = await page.raw.getByLabel('Time', { exact: true }).boundingBox();
    assert.ok(width > 250, `${width} pixels are left for the time line`);
    await page.raw.screenshot({ path: `${FOLDER}live.png` });
    await button('Stop run').click();
    await page.until(() => window.gelenk.session.run.info.status === 'stopped');
    for (const name of ['Pause run', 'Resume run', 'Stop run']) assert.equal(await button(name).isVisible(), false);
  });
  assert.match(await gelenk(['info', 'live.h5'], { folder: FOLDER }), /stopped/);
});

test('an HTML file opens from disk without the network', async () => {
  for (const name of ['car', 'failed']) {
    await gelenk(['export', `${name}.h5`, '-o', `${name}.html`], { folder: FOLDER });
    const page = await Page.open(pathToFileURL(`${FOLDER}${name}.html`).href);
    assert.equal(page.files, 1, 'one file, and nothing else');
    await page.raw.getByRole('button', { name: 'Play' }).click();
    await page.raw.screenshot({ path: `${FOLDER}${name}_html.png` });
    await page.close();
  }
});

test('a picture and a video', { timeout: 300_000 }, async () => {
  const picture = ['--view', 'iso', '--size', '1280x720'];
  for (const [name] of MACHINES) {
    const file = `${name}_picture.png`;
    await gelenk(['export', `${name}.h5`, '-o', file, '--time', '0.3', ...picture], { folder: FOLDER });
    const bytes = readFileSync(FOLDER + file);
    assert.deepEqual([bytes.readUInt32BE(16), bytes.readUInt32BE(20)], [1280, 720]);
    assert.ok(bytes.length > 5000, 'it is not empty');
  }
  const video = ['--size', '320x180', '--fps', '10', '--speed', '0.5', '--view', 'front'];
  await gelenk(['export', 'crank_slider.h5', '-o', 'video.mp4', ...video], { folder: FOLDER });
  const bytes = readFileSync(`${FOLDER}video.mp4`);
  assert.equal(frameSizes(bytes).length, 20, '1 s at half the speed, ten frames a second');
  const { timescale, duration } = headerTimes(bytes);
  assert.equal(duration / timescale, 2);
});
