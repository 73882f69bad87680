// The page of a model with the real program behind it: follows the files, changes numbers, runs, stops.
// Pictures are left in test/fixtures/model_page/.
import assert from 'node:assert/strict';
import { copyFileSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { after, beforeEach, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Page, closeBrowser } from './browser.mjs';
import { Served } from './program.mjs';

const FOLDER = fileURLToPath(new URL('../fixtures/model_page/', import.meta.url));
const EXAMPLES = fileURLToPath(new URL('../../../examples/', import.meta.url));
const MODEL = `${FOLDER}crank_slider.yaml`;
/** On an idle computer it is a few tenths of a second. */
const SOON_MS = 5000;

beforeEach(() => {
  mkdirSync(FOLDER, { recursive: true });
  for (const name of readdirSync(FOLDER)) if (!name.endsWith('.png')) rmSync(FOLDER + name, { recursive: true });
  copyFileSync(`${EXAMPLES}crank_slider/crank_slider.yaml`, MODEL);
});

after(closeBrowser);

/** The page of the model, and what the program left behind when it had ended. */
async function shown(body, options) {
  const temporary = `${FOLDER}temporary`;
  mkdirSync(temporary, { recursive: true });
  process.env.TMPDIR = temporary;
  const served = await Served.start(['view', 'crank_slider.yaml', '--no-browser'], { folder: FOLDER });
  delete process.env.TMPDIR;
  try {
    const page = await Page.open(served.url, options);
    await page.until(() => window.gelenk.session.state.live?.connected);
    await body(page);
    await page.close();
  } finally {
    assert.equal(await served.end(), 0);
  }
  assert.deepEqual(readdirSync(temporary), [], 'nothing is left behind');
}

/** As an editor saves: a new file with the name of the old one. */
function save(change) {
  writeFileSync(`${MODEL}~`, change(readFileSync(MODEL, 'utf8')));
  renameSync(`${MODEL}~`, MODEL);
}

async function soon(page, what, check, argument) {
  const start = performance.now();
  await page.until(check, argument);
  const passed = performance.now() - start;
  console.log(`${what}: ${(passed / 1000).toFixed(2)} s`);
  assert.ok(passed < SOON_MS, `${what} took ${passed} ms`);
}

const rodLength = (page) =>
  page.raw.evaluate(
    () => window.gelenk.session.source.scene.parts.find((part) => part.path === 'rod').shapes[0].length,
  );
const hasPart = (path) => window.gelenk.session.index.find(path) !== undefined;
const setting = (page, path) => page.raw.locator(`.setting[data-path="${path}"]`);
const button = (page, name) => page.raw.getByRole('button', { name, exact: true });

/** Waits until run number `number` is shown and has ended. */
const runEnded = (page, number) =>
  page.until((wanted) => {
    const { session } = window.gelenk;
    return session.run?.number === wanted && session.run.info.status === 'done' && !session.state.isStarting;
  }, number);

test('an edit is seen, an error is shown while the machine stays', async () => {
  await shown(async (page) => {
    const camera = () => page.raw.evaluate(() => window.gelenk.viewport.rig.place);
    await page.raw.locator('.tree-row[data-path="rod"]').click();
    // Who has turned the machine wants to keep the view.
    const { x, y } = await page.raw.locator('.viewport').boundingBox();
    await page.raw.mouse.move(x + 400, y + 500);
    await page.raw.mouse.down();
    await page.raw.mouse.move(x + 430, y + 490);
    await page.raw.mouse.up();
    const turned = await camera();
    save((text) => text.replace('rod_length: 150 mm', 'rod_length: 190 mm').replaceAll('piston', 'slug'));
    await soon(page, 'an edit', hasPart, 'slug');
    assert.ok(Math.abs((await rodLength(page)) - 0.19) < 1e-9);
    await page.raw.locator('.tree-row[data-path="slug"]').waitFor();
    assert.equal(await page.state('selection'), 'rod');
    assert.deepEqual(await camera(), turned);
    save((text) => text.replace('mass: 0.5 kg', 'mass: 0.5 kgg').replace('revolute', 'revolt'));
    await soon(page, 'an error', () => !document.querySelector('.model-banner').hidden);
    const banner = await page.raw.locator('.model-banner').textContent();
    assert.match(banner, /The model has 2 errors/);
    assert.match(banner, /crank_slider\.yaml:\d+/);
    assert.ok(await page.raw.evaluate(hasPart, 'slug'), 'the machine stays');
    assert.match(await page.raw.locator('.chip.verdict').textContent(), /2 errors/);
    await page.settle();
    await page.raw.screenshot({ path: `${FOLDER}error.png` });
    save((text) => text.replace('kgg', 'kg').replace('revolt', 'revolute'));
    await soon(page, 'the end of an error', () => document.querySelector('.model-banner').hidden);
    // A machine that does not fit any more is fitted, where nobody has turned it.
    await page.raw.evaluate(() => window.gelenk.viewport.look('oblique'));
    save((text) => text.replace('rod_length: 190 mm', 'rod_length: 500 mm'));
    await page.until(() => Math.abs(window.gelenk.viewport.visibleBox().max.x - 0.5) < 0.2);
    assert.ok(
      await page.raw.evaluate(() => window.gelenk.viewport.rig.sees(window.gelenk.viewport.visibleBox())),
      'all of it is in the picture',
    );
    await page.settle();
    await page.raw.screenshot({ path: `${FOLDER}edited.png` });
  });
});

test('files that the model uses are followed', async () => {
  const part = (name) => `gelenk: 1\nparts: {${name}: {mass: 1 kg, inertia: {xx: 1, yy: 1, zz: 1}}}\n`;
  writeFileSync(`${FOLDER}weight.yaml`, part('lead'));
  save((text) => `${text}assemblies: {extra: weight.yaml}\n`);
  await shown(async (page) => {
    assert.ok(await page.raw.evaluate(hasPart, 'extra.lead'));
    rmSync(`${FOLDER}weight.yaml`);
    await soon(page, 'a file that is gone', () => !document.querySelector('.model-banner').hidden);
    assert.ok(await page.raw.evaluate(hasPart, 'extra.lead'), 'the machine stays');
    writeFileSync(`${FOLDER}weight.yaml`, part('gold'));
    await soon(page, 'a file that is back', hasPart, 'extra.gold');
    assert.equal(await page.raw.locator('.model-banner').isVisible(), false);
  });
});

test('a parameter is moved, the model is run, and run again', async () => {
  await shown(async (page) => {
    const radius = () =>
      page.raw.evaluate(
        () => window.gelenk.session.source.scene.parts.find((part) => part.path === 'crank').shapes[0].length,
      );
    const slider = page.raw.getByLabel('crank_length, slider');
    assert.deepEqual(
      [await slider.getAttribute('min'), await slider.getAttribute('max'), await slider.inputValue()],
      ['20', '80', '50'],
    );
    await button(page, 'Run').click();
    await runEnded(page, 0);
    assert.equal(await page.state('compared'), null);
    assert.equal(await page.raw.locator('.plot').count(), 2, 'the outputs of the model are plotted');
    await page.raw.screenshot({ path: `${FOLDER}first.png` });
    await slider.focus();
    await slider.press('ArrowRight');
    assert.ok(Number(await slider.inputValue()) > 50, 'arrows move the slider');
    await slider.fill('65');
    await soon(page, 'a parameter', () => {
      const crank = window.gelenk.session.source.scene.parts.find((part) => part.path === 'crank');
      return Math.abs(crank.shapes[0].length - 0.065) < 1e-9;
    });
    assert.equal(await page.state('isAssembled'), true, 'the machine is shown as it is put together now');
    assert.ok(await slider.evaluate((element) => element === document.activeElement), 'the slider is still held');
    await page.raw.getByLabel('main_bearing.angle', { exact: true }).fill('60');
    await page.raw.getByLabel('Duration').fill('0.5');
    await page.raw.getByLabel('Duration').press('Enter');
    await button(page, 'Run').click();
    await runEnded(page, 1);
    assert.equal(await page.raw.evaluate(() => window.gelenk.session.comparedRun.number), 0);
    await page.until(() => document.querySelectorAll('.plot')[0].textContent.includes('run 1: stroke'));
    // Crank 65 mm, rod 150 mm, 60°
    await page.until(() => window.gelenk.session.channels.valueAt('piston.position.x', 0) !== null);
    const place = await page.raw.evaluate(() => window.gelenk.session.channels.valueAt('piston.position.x', 0));
    const exact = 0.065 * 0.5 + Math.sqrt(0.15 ** 2 - (0.065 * Math.sin(Math.PI / 3)) ** 2);
    assert.ok(Math.abs(place - exact) < 1e-6, `${place}, not ${exact}`);
    assert.ok(Math.abs((await page.raw.evaluate(() => window.gelenk.session.runEnd)) - 0.5) < 1e-9);
    const [ends, longer] = await page.raw.evaluate(() => {
      const { comparedRun, endTime } = window.gelenk.session;
      return [endTime, comparedRun.times[comparedRun.times.length - 1]];
    });
    assert.ok(longer > 0.5 && ends === longer, 'the time line goes on where the first run was longer');
    await page.raw.evaluate(() => window.gelenk.commands.seek(0.03));
    await page.settle();
    await page.raw.screenshot({ path: `${FOLDER}compare.png` });
    // A reload finds everything again.
    await page.raw.reload();
    await page.until(() => window.gelenk?.session.state.live?.connected);
    assert.equal(await page.raw.evaluate(() => window.gelenk.session.source.runs.length), 2);
    assert.deepEqual((await page.state('wish')).parameters, { crank_length: 0.065 });
    await setting(page, 'crank_length').getByRole('button').click();
    await page.until(() => {
      const crank = window.gelenk.session.source.scene.parts.find((part) => part.path === 'crank');
      return Math.abs(crank.shapes[0].length - 0.05) < 1e-9;
    });
    assert.ok((await radius()) < 0.051);
    assert.deepEqual((await page.state('wish')).parameters, {});
  });
});

test('joints that an edit has torn apart show their gap', async () => {
  await shown(async (page) => {
    // Crank and rod reach 200 mm.
    const far = 'ground: {frames: {far: {at: [1 m, 0, 0]}}}\n';
    const pin = '  pin: {type: spherical, between: [ground.far, piston]}\n';
    save((text) => text.replace('joints:\n', `${far}joints:\n${pin}`));
    await soon(page, 'a gap', () => document.querySelector('.label-gap') !== null);
    assert.equal(await page.raw.locator('.model-banner').isVisible(), true);
    await page.settle();
    await page.raw.screenshot({ path: `${FOLDER}open.png` });
    await button(page, 'Run').click();
    await page.until(() => /the model has errors/.test(window.gelenk.session.state.notice));
    await button(page, 'Run').waitFor();
    save((text) => text.replace(pin, ''));
    await soon(page, 'the end of a gap', () => document.querySelector('.label-gap') === null);
    page.errors.length = 0; // The browser complains of the refused request.
  });
});

test('a number beyond its limit is not taken', async () => {
  await shown(async (page) => {
    const field = page.raw.getByLabel('crank_length', { exact: true });
    await field.fill('90');
    await field.press('Enter');
    assert.equal(await field.getAttribute('aria-invalid'), 'true');
    assert.equal(await field.getAttribute('title'), 'at most 80');
    assert.deepEqual((await page.state('wish')).parameters, {});
    await field.fill('80');
    await field.press('Enter');
    assert.deepEqual((await page.state('wish')).parameters, { crank_length: 0.08 });
  });
});

test('a long run is followed, stopped, and kept', async () => {
  await shown(async (page) => {
    await page.raw.getByLabel('Duration').fill('3000');
    await page.raw.getByLabel('keep file').check();
    await button(page, 'Run').click();
    await page.until(() => window.gelenk.session.state.live?.status === 'running');
    await page.until(() => window.gelenk.session.run?.times.length > 3 && window.gelenk.session.state.time > 0.01);
    await page.raw.screenshot({ path: `${FOLDER}running.png` });
    await button(page, 'Stop').click();
    await page.until(() => window.gelenk.session.run.info.status === 'stopped');
    await button(page, 'Run').waitFor();
    assert.match(await page.raw.evaluate(() => window.gelenk.session.run.info.file), /^crank_slider\.h5/);
  });
  assert.ok(readdirSync(FOLDER).includes('crank_slider.h5'));
});

test('on a phone the panel is a sheet', async () => {
  const options = { width: 390, height: 780 };
  await shown(async (page) => {
    await page.raw.getByRole('navigation', { name: 'Panels' }).getByRole('button', { name: 'Run' }).click();
    await page.raw.getByLabel('crank_length, slider').waitFor();
    await page.raw.screenshot({ path: `${FOLDER}phone.png` });
  }, options);
});
