// The page from disk: load, play, scrub, select, plot, compare, a failed run.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, test } from 'node:test';
import { Page, closeBrowser, fixture } from './browser.mjs';

after(closeBrowser);

test('a page from disk opens without the network and shows the machine', async () => {
  const page = await Page.open(fixture('crank_slider'));
  assert.equal(await page.raw.title(), 'crank_slider - Gelenk');
  assert.equal(page.files, 1, 'one file, and nothing else');
  const names = await page.raw.locator('.tree-row .tree-name').allTextContents();
  for (const name of ['crank', 'rod', 'piston', 'main_bearing', 'motor', 'gas']) assert.ok(names.includes(name), name);
  assert.equal(await page.raw.locator('.plot').count(), 2, 'the outputs of the model are plotted');
  const colors = await page.raw.evaluate(() => {
    const source = window.gelenk.viewport.drawNow();
    const copy = document.createElement('canvas');
    copy.width = source.width;
    copy.height = source.height;
    const context = copy.getContext('2d');
    context.drawImage(source, 0, 0);
    const { data } = context.getImageData(0, 0, copy.width, copy.height);
    return new Set(new Uint32Array(data.buffer)).size;
  });
  assert.ok(colors > 100, `the picture has ${colors} colors`);
  await page.close();
});

test('no other script runs in the page', async () => {
  const page = await Page.open(fixture('crank_slider'));
  await page.raw.evaluate(() => {
    const script = document.createElement('script');
    script.textContent = 'window.stranger = "a script"';
    const button = document.createElement('button');
    button.setAttribute('onclick', 'window.stranger = "a button"');
    document.body.append(script, button);
    button.click();
  });
  assert.equal(await page.raw.evaluate(() => window.stranger), undefined);
  assert.equal(page.errors.filter((text) => text.includes('Content Security Policy')).length, 2);
  page.errors.length = 0;
  await page.close();
});

test('play, pause, step, speed and loop by buttons and keys', async () => {
  const page = await Page.open(fixture('crank_slider'));
  await page.raw.getByRole('button', { name: 'Play' }).click();
  await page.until(() => window.gelenk.session.state.time > 0.05);
  await page.raw.getByRole('button', { name: 'Pause' }).click();
  assert.equal(await page.state('isPlaying'), false);
  await page.raw
    .locator('canvas')
    .first()
    .click({ position: { x: 5, y: 5 } });
  await page.raw.keyboard.press('Home');
  assert.equal(await page.state('time'), 0);
  await page.raw.keyboard.press('ArrowRight');
  await page.raw.keyboard.press('ArrowRight');
  assert.ok(Math.abs((await page.state('time')) - 0.01) < 1e-12, 'two rows of 5 ms');
  await page.raw.keyboard.press('ArrowLeft');
  assert.ok(Math.abs((await page.state('time')) - 0.005) < 1e-12);
  await page.raw.keyboard.press(']');
  assert.equal(await page.state('speed'), 2);
  await page.raw.keyboard.press('[');
  await page.raw.keyboard.press('[');
  assert.equal(await page.state('speed'), 0.5);
  await page.raw.keyboard.press('End');
  assert.equal(await page.state('time'), 2);
  await page.raw.getByRole('button', { name: 'Repeat at the end' }).click();
  await page.raw.keyboard.press('Escape');
  await page.raw.evaluate(() => {
    window.gelenk.commands.setSpeed(100);
    window.gelenk.commands.play(true);
  });
  await page.until(() => !window.gelenk.session.state.isPlaying && window.gelenk.session.state.time === 2);
  await page.close();
});

test('scrubbing moves the machine and the values', async () => {
  const page = await Page.open(fixture('crank_slider'));
  await page.raw.getByLabel('Time', { exact: true }).fill('0.25');
  assert.equal(await page.state('time'), 0.25);
  await page.settle();
  // A quarter of a turn: the crank pin is at the top.
  await page.raw.locator('.tree-row[data-path="rod"]').click();
  await page.until(() => document.querySelector('.values td.number')?.textContent.includes('50'));
  const text = await page.raw.locator('.values tr').first().locator('td.number').textContent();
  assert.match(text, /, 50, 0 mm$/);
  assert.match(await page.raw.locator('.inspector').textContent(), /crank_slider\.yaml:15/);
  await page.close();
});

test('selection goes from the tree to the scene and back', async () => {
  const page = await Page.open(fixture('car'));
  await page.raw.evaluate(() => {
    const { viewport } = window.gelenk;
    viewport.look('front');
  });
  await page.settle();
  const place = await page.raw.evaluate(() => window.gelenk.viewport.screenPlace('rear_right.wheel_group.wheel'));
  const box = await page.raw.locator('.viewport').boundingBox();
  // In the middle of the wheel, where the symbol of its joint is.
  await page.raw.mouse.click(box.x + place.x, box.y + place.y);
  assert.equal(await page.state('selection'), 'rear_right.wheel_group.wheel');
  const row = page.raw.locator('.tree-row.selected');
  assert.equal(await row.getAttribute('data-path'), 'rear_right.wheel_group.wheel');
  assert.equal(await row.getAttribute('aria-level'), '4');
  await page.raw.locator('.tree-row[data-path="chassis"]').click();
  assert.equal(await page.state('selection'), 'chassis');
  await page.close();
});

test('a click on a row counts even when the rows are drawn anew meanwhile', async () => {
  const page = await Page.open(fixture('car'));
  const { x, y, height } = await page.raw.locator('.tree-row[data-path="chassis"]').boundingBox();
  await page.raw.mouse.move(x + 60, y + height / 2);
  await page.raw.mouse.down();
  await page.raw.evaluate(() => document.querySelector('.tree-list').dispatchEvent(new Event('scroll')));
  await page.raw.mouse.up();
  assert.equal(await page.state('selection'), 'chassis');
  await page.close();
});

test('hide, show alone and transparent', async () => {
  const page = await Page.open(fixture('car'));
  const shown = () => page.raw.evaluate(() => window.gelenk.viewport.renderer.info.render.triangles);
  await page.settle();
  const all = await shown();
  await page.raw.locator('.tree-row[data-path="front_left"]').click();
  await page.raw.getByRole('button', { name: 'Hide', exact: true }).click();
  await page.settle();
  const fewer = await shown();
  assert.ok(fewer < all, `${fewer} < ${all}`);
  await page.raw.getByRole('button', { name: 'Show alone' }).click();
  await page.settle();
  assert.ok((await shown()) < fewer);
  await page.raw.keyboard.press('a');
  // What is selected is drawn a second time, to shine through.
  await page.raw.keyboard.press('Escape');
  await page.settle();
  assert.equal(await shown(), all);
  await page.raw.locator('.tree-row[data-path="front_left"]').click();
  await page.raw.getByRole('button', { name: 'Transparent' }).click();
  assert.deepEqual(await page.state('transparent'), ['front_left']);
  await page.close();
});

test('search finds elements and channels', async () => {
  const page = await Page.open(fixture('car'));
  await page.raw.keyboard.press('/');
  await page.raw.keyboard.type('rear strut length');
  const rows = page.raw.locator('.tree-row');
  await page.until(() => document.querySelectorAll('.tree-row').length === 2);
  assert.equal(await rows.first().getAttribute('data-path'), 'rear_left.damper.strut.length');
  await page.close();
});

test('a sealed component shows its ports only', async () => {
  const page = await Page.open(fixture('car'));
  await page.raw.locator('.tree-row[data-path="gearbox"]').click();
  assert.match(await page.raw.locator('.inspector').textContent(), /only what its maker published/);
  await page.raw.locator('.tree-row[data-path="gearbox"] .twisty').click();
  const inside = await page.raw.locator('.tree-row[data-path^="gearbox."]').allTextContents();
  assert.deepEqual(inside, ['input']);
  await page.close();
});

test('a channel is dragged from the tree onto a plot; a key does the same', async () => {
  const page = await Page.open(fixture('crank_slider'));
  await page.raw.locator('.tree-row[data-path="main_bearing"] .twisty').click();
  const channel = page.raw.locator('.tree-row[data-path="main_bearing.angle"]');
  await channel.dragTo(page.raw.locator('.plot').first());
  await page.until(() => window.gelenk.session.state.plots[0].channels.length === 2);
  assert.deepEqual((await page.state('plots'))[0].channels, ['stroke', 'main_bearing.angle']);
  await page.until(() => document.querySelectorAll('.plot')[0].textContent.includes('main_bearing.angle'));
  await page.raw.locator('.tree-row[data-path="main_bearing.rate"]').click();
  await page.raw.locator('.tree-list').press('Enter');
  const plots = await page.state('plots');
  assert.ok(plots.some((pane) => pane.channels.includes('main_bearing.rate')));
  await page.close();
});

test('a plot shows the time, goes to a time, zooms, and leaves as CSV and PNG', async () => {
  const page = await Page.open(fixture('crank_slider'));
  const over = page.raw.locator('.plot').first().locator('.u-over');
  const box = await over.boundingBox();
  await page.raw.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
  assert.ok(Math.abs((await page.state('time')) - 1) < 0.02);
  await page.raw.mouse.move(box.x + box.width / 4, box.y + 20);
  await page.raw.mouse.down();
  await page.raw.mouse.move(box.x + box.width / 2, box.y + 30, { steps: 4 });
  await page.raw.mouse.up();
  await page.until(() => window.gelenk.session.state.plots[0].span !== null);
  const [from, to] = (await page.state('plots'))[0].span;
  assert.ok(Math.abs(from - 0.5) < 0.03 && Math.abs(to - 1) < 0.03, `${from} .. ${to}`);
  await over.dblclick();
  await page.until(() => window.gelenk.session.state.plots[0].span === null);
  const [table] = await Promise.all([
    page.raw.waitForEvent('download'),
    page.raw.getByRole('button', { name: 'CSV' }).first().click(),
  ]);
  const lines = readFileSync(await table.path(), 'utf8')
    .trim()
    .split('\n');
  assert.equal(lines[0], 'time (s),stroke (mm)');
  assert.equal(lines.length, 402);
  const [time, stroke] = lines[101].split(',').map(Number);
  assert.equal(time, 0.5);
  assert.ok(Math.abs(stroke - 100) < 1e-3, 'rod minus crank, in mm');
  const [picture] = await Promise.all([
    page.raw.waitForEvent('download'),
    page.raw.getByRole('button', { name: 'PNG' }).first().click(),
  ]);
  assert.equal(
    readFileSync(await picture.path())
      .subarray(1, 4)
      .toString(),
    'PNG',
  );
  await page.close();
});

test('two runs: a ghost in the scene, both curves, their difference', async () => {
  const page = await Page.open(fixture('compare'));
  const calls = () => page.raw.evaluate(() => window.gelenk.viewport.renderer.info.render.calls);
  await page.settle();
  const both = await calls();
  assert.equal(await page.state('compared'), 1, 'two runs are compared at once');
  await page.until(() => document.querySelectorAll('.plot')[0].textContent.includes('faster.h5: stroke'));
  const swatches = await page.raw
    .locator('.plot')
    .first()
    .locator('.swatch')
    .evaluateAll((list) => list.map((each) => getComputedStyle(each).borderTopColor));
  const runs = await page.raw
    .locator('.run-color')
    .evaluateAll((list) => list.map((each) => getComputedStyle(each).backgroundColor));
  const drawn = await page.raw.evaluate(() => {
    const { firstRun, secondRun } = window.gelenk.viewport.theme;
    return [firstRun, secondRun].map((color) => color.getStyle().replaceAll(',', ', '));
  });
  assert.deepEqual(swatches, runs, 'curves have the colors of their runs');
  assert.deepEqual(drawn, runs, 'so has the picture');
  assert.notEqual(runs[0], runs[1]);
  await page.raw.getByLabel('Compare with').selectOption('');
  await page.settle();
  assert.equal(await calls(), both - 1, 'the ghost is one more draw call');
  await page.raw.getByLabel('Compare with').selectOption('1');
  await page.raw.getByRole('button', { name: 'difference' }).first().click();
  await page.until(() => document.querySelectorAll('.plot')[0].textContent.includes('Δ stroke'));
  const csv = await page.raw.evaluate(() => window.gelenk.app.plots.view(1).csv());
  const row = csv
    .split('\n')
    .find((line) => line.startsWith('0.4,'))
    .split(',')
    .map(Number);
  // Closed form of both runs at 0.4 s, in mm.
  const stroke = (angle) => 50 * Math.cos(angle) + 150 * Math.sqrt(1 - (Math.sin(angle) / 3) ** 2);
  assert.ok(Math.abs(row[1] - (stroke(7 * 0.4) - stroke(2 * Math.PI * 0.4))) < 1e-3, String(row));
  await page.close();
});

test('a failed run opens where it failed', async () => {
  const page = await Page.open(fixture('failed'));
  assert.equal(await page.state('selection'), 'wrist_pin');
  assert.ok(Math.abs((await page.state('time')) - 1.2) < 1e-9);
  assert.match(await page.raw.getByRole('alert').textContent(), /cannot be closed: it is open by 12 mm/);
  assert.match(await page.raw.locator('.label-gap').first().textContent(), /wrist_pin open by 1[12](\.\d+)? mm/);
  const [pane] = await page.state('plots');
  assert.deepEqual(pane.channels, ['wrist_pin.reaction.force.magnitude']);
  assert.ok(pane.span[0] > 1.05, 'the last steps are plotted');
  assert.ok((await page.raw.locator('.tree-row.selected').getAttribute('data-path')) === 'wrist_pin');
  await page.close();
});

test('errors of a model are shown at their elements', async () => {
  const page = await Page.open(fixture('model_errors'));
  assert.equal(await page.state('selection'), 'crank_pin');
  assert.match(await page.raw.locator('.label-wrong').textContent(), /crank_pin: the axis has length zero/);
  assert.equal(await page.raw.locator('.tree-row[data-path="crank_pin"] .dot.error').count(), 1);
  await page.raw.locator('.notes .link', { hasText: 'piston' }).click();
  assert.equal(await page.state('selection'), 'piston');
  await page.close();
});
