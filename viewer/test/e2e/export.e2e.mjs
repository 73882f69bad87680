// What leaves the page: picture, video, glTF, link. And the free motions.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, test } from 'node:test';
import { Page, closeBrowser, fixture } from './browser.mjs';

after(closeBrowser);

async function exported(page, item) {
  await page.raw.locator('summary[aria-label="Export"]').click();
  const [download] = await Promise.all([
    page.raw.waitForEvent('download'),
    page.raw.getByRole('button', { name: item }).click(),
  ]);
  return { name: download.suggestedFilename(), bytes: readFileSync(await download.path()) };
}

test('a picture as PNG', async () => {
  const page = await Page.open(fixture('car'));
  const { name, bytes } = await exported(page, 'Picture (PNG)');
  assert.equal(name, 'car.png');
  assert.equal(bytes.subarray(1, 4).toString(), 'PNG');
  const { width } = await page.raw.locator('.viewport').boundingBox();
  assert.equal(bytes.readUInt32BE(16), Math.round(width));
  assert.ok(bytes.length > 5000, 'it is not empty');
  await page.close();
});

test('the animation as glTF has the recorded poses', async () => {
  const page = await Page.open(fixture('crank_slider'));
  const { name, bytes } = await exported(page, 'Animation (glTF)');
  assert.equal(name, 'crank_slider.glb');
  assert.equal(bytes.subarray(0, 4).toString(), 'glTF');
  const length = bytes.readUInt32LE(12);
  const gltf = JSON.parse(bytes.subarray(20, 20 + length).toString());
  const body = bytes.subarray(20 + length + 8);
  const [animation] = gltf.animations;
  assert.equal(animation.channels.length, 6, 'places and turns of three parts');
  const piston = gltf.nodes.findIndex((node) => node.name === 'piston');
  const channel = animation.channels.find(({ target }) => target.node === piston && target.path === 'translation');
  const sampler = animation.samplers[channel.sampler];
  const numbers = (accessor) => {
    const { bufferView, byteOffset = 0, count, type } = gltf.accessors[accessor];
    const start = (gltf.bufferViews[bufferView].byteOffset ?? 0) + byteOffset;
    return Array.from({ length: count * (type === 'VEC3' ? 3 : 1) }, (_, i) => body.readFloatLE(start + 4 * i));
  };
  const times = numbers(sampler.input);
  const places = numbers(sampler.output);
  assert.ok(times.length > 60 && times.length <= 122, `${times.length} keys`);
  times.forEach((time, i) => {
    const angle = 2 * Math.PI * time;
    const x = 0.05 * Math.cos(angle) + 0.15 * Math.sqrt(1 - (Math.sin(angle) / 3) ** 2);
    assert.ok(Math.abs(places[3 * i] - x) < 1e-6, `${time}: ${places[3 * i]} ${x}`);
  });
  await page.close();
});

test('a video as MP4 that the browser plays', { timeout: 300_000 }, async () => {
  const page = await Page.open(fixture('crank_slider'), { width: 700, height: 420 });
  await page.raw.evaluate(() => {
    window.gelenk.commands.setSpeed(5);
    window.gelenk.session.store.update({ time: 0.3 });
  });
  const { name, bytes } = await exported(page, 'Video (MP4)');
  assert.equal(name, 'crank_slider.mp4');
  assert.equal(bytes.subarray(4, 8).toString(), 'ftyp');
  assert.equal(await page.state('time'), 0.3, 'the time is as it was');
  const played = await page.raw.evaluate(async (base64) => {
    const video = document.createElement('video');
    video.muted = true;
    const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
    video.src = URL.createObjectURL(new Blob([bytes], { type: 'video/mp4' }));
    await new Promise((done, fail) => {
      video.onloadeddata = done;
      video.onerror = () => fail(new Error(video.error.message));
    });
    return { duration: video.duration, width: video.videoWidth };
  }, bytes.toString('base64'));
  assert.ok(Math.abs(played.duration - 0.4) < 0.05, `2 s at speed 5 take ${played.duration} s`);
  assert.ok(played.width > 300);
  await page.close();
});

test('a link brings the view back', async () => {
  const page = await Page.open(fixture('car'));
  await page.raw.evaluate(() => {
    const { commands, viewport } = window.gelenk;
    commands.seek(1.5);
    commands.select('rear_left.damper.tube');
    commands.toggleHidden('chassis');
    commands.toggleProjection();
    commands.toggleLayer('frames');
    commands.plot('energy.kinetic');
    viewport.look('left');
  });
  await page.settle();
  await page.raw.locator('summary[aria-label="Export"]').click();
  await page.raw.getByRole('button', { name: 'Copy link to this view' }).click();
  const { hash } = new URL(page.raw.url());
  const camera = await page.raw.evaluate(() => window.gelenk.viewport.rig.place);
  await page.close();

  const other = await Page.open(fixture('car'), { hash });
  assert.equal(await other.state('time'), 1.5);
  assert.equal(await other.state('selection'), 'rear_left.damper.tube');
  assert.deepEqual(await other.state('hidden'), ['chassis']);
  assert.equal(await other.state('projection'), 'orthographic');
  assert.ok((await other.state('layers')).includes('frames'));
  assert.deepEqual((await other.state('plots'))[0].channels, ['body_height', 'energy.kinetic']);
  const again = await other.raw.evaluate(() => window.gelenk.viewport.rig.place);
  again.forEach((value, i) => assert.ok(Math.abs(value - camera[i]) < 1e-4, `camera ${i}: ${value} ${camera[i]}`));
  await other.close();
});

test('the free motions swing the assembled machine', async () => {
  const page = await Page.open(fixture('crank_slider'));
  await page.raw.getByLabel('Free motion').selectOption('0');
  const places = await page.raw.evaluate(async () => {
    const seen = [];
    for (let i = 0; i < 12; ++i) {
      await new Promise((done) => setTimeout(done, 150));
      seen.push(window.gelenk.viewport.screenPlace('crank_pin').y);
    }
    return seen;
  });
  assert.ok(Math.max(...places) - Math.min(...places) > 5, 'the pin goes up and down');
  await page.raw.getByLabel('Free motion').selectOption('');
  assert.equal(await page.state('motion'), null);
  await page.close();
});
