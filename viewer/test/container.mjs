// Writes data into a page, the way the program does it; see PROTOCOL.md.
import { readFileSync } from 'node:fs';
import { deflateRawSync } from 'node:zlib';

const PAGE = new URL('../dist/viewer.html', import.meta.url);

/** The container of a data set, before compression. */
export function packContainer({ scene, runs, diagnostics }) {
  const blocks = [];
  let offset = 0;
  const add = (array) => {
    const at = offset;
    const bytes = Buffer.from(array.buffer, array.byteOffset, array.byteLength);
    const padding = (8 - (bytes.length % 8)) % 8;
    blocks.push(bytes, Buffer.alloc(padding));
    offset += bytes.length + padding;
    return at;
  };
  const described = runs.map((run) => ({
    ...run.info,
    timesOffset: add(run.times),
    blocks: run.info.blocks.map((block, i) => ({ ...block, offset: add(run.data[i]) })),
  }));
  const json = Buffer.from(JSON.stringify({ scene, runs: described, diagnostics: diagnostics ?? [] }));
  const head = Buffer.alloc(4);
  head.writeUInt32LE(json.length);
  const padding = Buffer.alloc((8 - ((4 + json.length) % 8)) % 8);
  return Buffer.concat([head, json, padding, ...blocks]);
}

export function pageWith(set) {
  const data = deflateRawSync(packContainer(set)).toString('base64');
  const page = readFileSync(PAGE, 'utf8');
  const place = '<script id="gk-data" type="application/octet-stream">';
  if (!page.includes(place)) throw new Error('the page has no place for data');
  // A function, since $ in a text would have a meaning.
  return page.replace(place, () => place + data);
}
