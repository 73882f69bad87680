// The data inside a page on disk: base64 of raw deflate of
//   uint32 length of the JSON, JSON in UTF-8, zeros up to a multiple of 8 bytes, blocks of numbers (little endian).
// Offsets in the JSON count from the first byte after those zeros.
import { DataError } from './scene';

export interface Container {
  json: unknown;
  body: ArrayBuffer;
}

export function bytesOfBase64(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; ++i) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

async function inflate(bytes: Uint8Array<ArrayBuffer>): Promise<ArrayBuffer> {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
  return new Response(stream).arrayBuffer();
}

export function splitContainer(buffer: ArrayBuffer): Container {
  if (buffer.byteLength < 4) throw new DataError('The data in this page is cut off.');
  const length = new DataView(buffer).getUint32(0, true);
  const start = Math.ceil((4 + length) / 8) * 8;
  if (4 + length > buffer.byteLength) throw new DataError('The data in this page is cut off.');
  const json: unknown = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 4, length)));
  return { json, body: buffer.slice(Math.min(start, buffer.byteLength)) };
}

export async function readContainer(base64: string): Promise<Container> {
  let buffer: ArrayBuffer;
  try {
    buffer = await inflate(bytesOfBase64(base64));
  } catch {
    throw new DataError('The data in this page is damaged.');
  }
  return splitContainer(buffer);
}
