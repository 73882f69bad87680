import { deflateRawSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { readContainer, splitContainer } from './container';
import { sourceOfContainer } from './embedded_source';

function packed(json: object, body: Float64Array): Uint8Array {
  const text = new TextEncoder().encode(JSON.stringify(json));
  const start = Math.ceil((4 + text.length) / 8) * 8;
  const bytes = new Uint8Array(start + body.byteLength);
  new DataView(bytes.buffer).setUint32(0, text.length, true);
  bytes.set(text, 4);
  bytes.set(new Uint8Array(body.buffer), start);
  return bytes;
}

const run = {
  format: 1,
  rows: 2,
  timesOffset: 0,
  blocks: [{ name: 'parts/pose', width: 1, offset: 16 }],
  channels: [{ name: 'a', unit: 'm', quantity: 'length', block: 0, column: 0 }],
};

function body(): Float64Array {
  const numbers = new Float64Array(3);
  numbers.set([0.5, 1.5]);
  new Float32Array(numbers.buffer).set([7, 8], 4);
  return numbers;
}

describe('container', () => {
  it('holds JSON and numbers', async () => {
    const bytes = packed({ scene: { format: 1, name: 'x' }, runs: [run] }, body());
    const source = sourceOfContainer(await readContainer(deflateRawSync(bytes).toString('base64')));
    expect(source.scene.name).toBe('x');
    expect([...source.runs[0].times]).toEqual([0.5, 1.5]);
    expect([...(await source.runs[0].channel('a'))]).toEqual([7, 8]);
    expect(source.runs[0].row(0, 1)?.[0]).toBe(8);
    expect(source.runs[0].row(0, 2)).toBeNull();
  });

  it('that is damaged says so', async () => {
    await expect(readContainer('AAAA')).rejects.toThrow(/damaged/);
    expect(() => splitContainer(new ArrayBuffer(2))).toThrow(/cut off/);
    const bytes = packed({ scene: { format: 1 }, runs: [{ ...run, rows: 100 }] }, body());
    expect(() => sourceOfContainer(splitContainer(bytes.buffer as ArrayBuffer))).toThrow(/shorter than/);
    expect(() => sourceOfContainer({ json: { scene: { format: 2 } }, body: new ArrayBuffer(0) })).toThrow(/format 2/);
  });
});
