// What the picture shows first: the whole motion, nothing before it, parts before symbols, both runs, placeholders, errors.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { crankSliderRun, crankSliderScene } from '../crank_slider.mjs';
import { SETS } from '../make_fixtures.mjs';
import { TestServer } from '../test_server.mjs';
import { Page, closeBrowser, fixture } from './browser.mjs';

after(closeBrowser);

/** A page with a server behind it. */
async function served(set, body) {
  const server = new TestServer(set);
  try {
    const page = await Page.open(await server.start());
    await body(page, server);
    await page.close();
  } finally {
    await server.stop();
  }
}

/** Places on the screen of joints and parts at many times of the run, as shares of the picture. */
function screenPlaces(paths) {
  const { commands, session, viewport } = window.gelenk;
  const { clientWidth: width, clientHeight: height } = viewport.element;
  const places = [];
  for (let i = 0; i <= 40; ++i) {
    commands.seek(session.startTime + (i / 40) * (session.endTime - session.startTime));
    viewport.drawNow();
    for (const path of paths) {
      const { x, y } = viewport.screenPlace(path);
      places.push([x / width, y / height]);
    }
  }
  return places;
}

const isInside = ([x, y]) => x > 0 && x < 1 && y > 0 && y < 1;

test('the camera shows the whole motion, in every view; the floor is below all of it', async () => {
  const page = await Page.open(fixture('crank_slider'));
  const paths = ['crank', 'rod', 'piston', 'crank_pin', 'wrist_pin'];
  assert.ok((await page.raw.evaluate(screenPlaces, paths)).every(isInside), 'at first');
  for (const key of ['1', '4', '5', '7']) {
    await page.raw.keyboard.press(key);
    assert.ok((await page.raw.evaluate(screenPlaces, paths)).every(isInside), `view ${key}`);
  }
  // The crank of 50 mm and 10 mm radius turns all the way round; y is up.
  const { floor, lowest } = await page.raw.evaluate(() => {
    const { viewport } = window.gelenk;
    return { floor: viewport.floor, lowest: viewport.aim.swept().box.min.y };
  });
  assert.ok(floor < -0.06 && floor > -0.08, `floor at ${floor}`);
  assert.ok(floor < lowest, `${floor} < ${lowest}`);
  await page.close();
});

test('traces are in the picture, and a camera that somebody has moved stays', async () => {
  const page = await Page.open(fixture('crank_slider'));
  const place = () => page.raw.evaluate(() => window.gelenk.viewport.rig.place);
  await page.raw.evaluate(() => window.gelenk.commands.toggleTrace('rod.small_end'));
  await page.settle();
  assert.ok((await page.raw.evaluate(screenPlaces, ['wrist_pin'])).every(isInside));
  const box = await page.raw.locator('.viewport').boundingBox();
  await page.raw.mouse.move(box.x + 60, box.y + 60);
  await page.raw.mouse.down();
  await page.raw.mouse.move(box.x + 100, box.y + 70, { steps: 4 });
  await page.raw.mouse.up();
  const moved = await place();
  await page.raw.evaluate(() => window.gelenk.commands.toggleTrace('piston'));
  await page.settle();
  assert.deepEqual(await place(), moved);
  await page.close();
});

test('rows from a server: the floor and the camera learn of the whole motion', async () => {
  // Enough rows that they are not read as a whole.
  const set = { scene: crankSliderScene(), runs: [crankSliderRun({ end: 40, step: 0.002 })] };
  await served(set, async (page, server) => {
    await page.until(() => window.gelenk.viewport.floor < -0.06);
    const single = server.requests.filter((request) => request.endsWith('&count=1')).length;
    assert.ok(single > 10 && single <= 64, `${single} single rows`);
  });
});

test('a machine that travels far is followed', async () => {
  const set = SETS.crank_slider();
  const [{ info, times, data }] = set.runs;
  times.forEach((time, row) => {
    for (let x = 0; x < info.blocks[0].width; x += 7) data[0][row * info.blocks[0].width + x] += 20 * time;
  });
  await served(set, async (page) => {
    await page.until(() => window.gelenk.session.state.follow === 'piston');
    await page.raw.evaluate(() => window.gelenk.commands.toEnd());
    await page.settle();
    const { x, width } = await page.raw.evaluate(() => {
      const { viewport } = window.gelenk;
      return { ...viewport.screenPlace('piston'), width: viewport.element.clientWidth };
    });
    assert.ok(x > 0 && x < width, `${x} of ${width}`);
  });
});

test('messages and legends are beside the picture, not over it', async () => {
  const page = await Page.open(fixture('failed'));
  await page.raw.evaluate(() => {
    window.gelenk.commands.toggleLayer('reactions');
    window.gelenk.commands.toggleMeasuring();
  });
  await page.settle();
  const canvas = await page.raw.locator('.viewport canvas').first().boundingBox();
  for (const name of ['.banner', '.arrow-legend', '.measure-row']) {
    const { y, height } = await page.raw.locator(name).boundingBox();
    assert.ok(y + height <= canvas.y + 0.5 || y >= canvas.y + canvas.height - 0.5, name);
  }
  await page.close();
});

test('a part is picked before the joint in it; a second click takes the joint', async () => {
  const page = await Page.open(fixture('crank_slider'));
  await page.raw.keyboard.press('1');
  await page.settle();
  const box = await page.raw.locator('.viewport').boundingBox();
  const { x, y } = await page.raw.evaluate(() => window.gelenk.viewport.screenPlace('wrist_pin'));
  await page.raw.mouse.click(box.x + x, box.y + y);
  assert.ok(['piston', 'rod'].includes(await page.state('selection')), await page.state('selection'));
  await page.raw.mouse.click(box.x + x, box.y + y);
  assert.equal(await page.state('selection'), 'wrist_pin');
  await page.close();
});

/** Shares of pixels that are blue as the selection is, of those that are not background. */
async function selectedShare(page) {
  return page.raw.evaluate(() => {
    const source = window.gelenk.viewport.drawNow();
    const copy = new OffscreenCanvas(source.width, source.height).getContext('2d');
    copy.drawImage(source, 0, 0);
    const { data } = copy.getImageData(0, 0, source.width, source.height);
    const background = data.slice(0, 3);
    let drawn = 0;
    let blue = 0;
    for (let i = 0; i < data.length; i += 4) {
      if (Math.abs(data[i] - background[0]) + Math.abs(data[i + 2] - background[2]) < 12) continue;
      ++drawn;
      if (data[i + 2] > data[i] + 40) ++blue;
    }
    return blue / drawn;
  });
}

test('an assembly that is selected in the tree is marked as a whole, joints and springs as well', async () => {
  const page = await Page.open(fixture('car'));
  await page.raw.evaluate(() => {
    const { commands } = window.gelenk;
    for (const layer of ['grid', 'edges', 'gravity']) commands.toggleLayer(layer);
    commands.isolate('front_left');
  });
  await page.settle();
  const before = await selectedShare(page);
  await page.raw.locator('.tree-row[data-path="front_left"]').click();
  await page.settle();
  const marked = await selectedShare(page);
  assert.ok(before < 0.2 && marked > 0.9, `${before} before, ${marked} after`);
  await page.raw.locator('.tree-row[data-path="front_left"] .twisty').click();
  assert.ok((await page.raw.locator('.tree-row.within').count()) > 2, 'so are its rows of the tree');
  await page.close();
});

test('a search shows the ends of long names', async () => {
  const page = await Page.open(fixture('car'));
  await page.raw.keyboard.press('/');
  await page.raw.keyboard.type('wheel_group position');
  await page.until(() => document.querySelectorAll('.tree-row').length > 5);
  const cut = await page.raw.evaluate(() =>
    [...document.querySelectorAll('.tree-row')].flatMap((row) => {
      const end = row.querySelector('.name-end').getBoundingClientRect();
      const around = row.querySelector('.tree-name').getBoundingClientRect();
      return end.right <= around.right + 0.5 ? [] : [row.textContent];
    }),
  );
  assert.deepEqual(cut, []);
  await page.close();
});

test('parts without a shape of their own are hatched, and say so', async () => {
  const page = await Page.open(fixture('car'));
  await page.raw.evaluate(() => window.gelenk.commands.select('rear_left.wheel_group.arm'));
  await page.until(() => document.querySelector('.inspector').textContent.includes('placeholder'));
  await page.raw.evaluate(() => window.gelenk.commands.select('chassis'));
  await page.until(() => !document.querySelector('.inspector').textContent.includes('placeholder'));
  // Alone in the picture, a hatched shape has more edges of brightness than the same shape in plain.
  await page.raw.evaluate(() => {
    const { commands, session } = window.gelenk;
    commands.play(false);
    commands.select(null);
    for (const layer of ['grid', 'edges', 'gravity', 'joints', 'springs'])
      if (session.state.layers.has(layer)) commands.toggleLayer(layer);
  });
  const changes = async (path) => {
    await page.raw.evaluate((only) => window.gelenk.session.store.update({ isolated: only }), path);
    await page.settle();
    await page.raw.evaluate((only) => window.gelenk.viewport.fit(only), path);
    await page.settle();
    return page.raw.evaluate(() => {
      const source = window.gelenk.viewport.drawNow();
      const copy = new OffscreenCanvas(source.width, source.height).getContext('2d');
      copy.drawImage(source, 0, 0);
      const { data } = copy.getImageData(0, source.height / 2, source.width, 1);
      let count = 0;
      for (let i = 4; i < data.length; i += 4) if (Math.abs(data[i] - data[i - 4]) > 4) ++count;
      return count;
    });
  };
  const [arm, tube] = [await changes('rear_left.wheel_group.arm'), await changes('rear_left.damper.tube')];
  assert.ok(tube >= 2, 'the plain shape is in the picture');
  assert.ok(arm > 4 * tube, `${arm} and ${tube} changes of brightness`);
  await page.close();
});

test('a joint that could not be read is in the tree, with its error', async () => {
  const page = await Page.open(fixture('broken_joint'));
  const row = page.raw.locator('.tree-row[data-path="rear_left.damper.guide_pin"]');
  assert.ok(await row.isVisible());
  assert.equal(await row.locator('.dot.error').count(), 1);
  assert.equal(await page.state('selection'), 'rear_left.damper.guide_pin');
  assert.match(await page.raw.locator('.inspector').textContent(), /joint with an error.*there is no frame 'tub'/s);
  // Closed rows above it show that there is an error inside.
  await page.raw.locator('.tree-row[data-path="rear_left"] .twisty').click();
  assert.equal(await page.raw.locator('.tree-row[data-path="rear_left"] .dot.error').count(), 1);
  await page.close();
});

test('a run plays when it is opened, but not for people who want less motion, and not from a link', async () => {
  const lively = await Page.open(fixture('crank_slider'), { reducedMotion: 'no-preference' });
  await lively.until(() => window.gelenk.session.state.isPlaying && window.gelenk.session.state.time > 0.02);
  await lively.close();
  for (const options of [{}, { reducedMotion: 'no-preference', hash: '#time=0.5' }]) {
    const still = await Page.open(fixture('crank_slider'), options);
    await still.settle();
    assert.equal(await still.state('isPlaying'), false);
    await still.close();
  }
  const failed = await Page.open(fixture('failed'), { reducedMotion: 'no-preference' });
  assert.equal(await failed.state('isPlaying'), false, 'a failed run shows where it failed');
  await failed.close();
});
