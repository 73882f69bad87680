// The server's side of a WebSocket (RFC 6455), as much as tests need: text and binary messages in single frames.
import { createHash } from 'node:crypto';

const MAGIC = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';
const TEXT = 1;
const BINARY = 2;
const CLOSE = 8;

export class ServerSocket {
  constructor(request, socket) {
    this.socket = socket;
    this.rest = Buffer.alloc(0);
    this.isOpen = true;
    const accept = createHash('sha1')
      .update(request.headers['sec-websocket-key'] + MAGIC)
      .digest('base64');
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
    );
    socket.on('data', (data) => this.read(data));
    socket.on('close', () => (this.isOpen = false));
    socket.on('error', () => (this.isOpen = false));
    this.onText = () => {};
  }

  sendText(text) {
    this.send(TEXT, Buffer.from(text));
  }

  sendBinary(bytes) {
    this.send(BINARY, bytes);
  }

  close(code) {
    const payload = Buffer.alloc(2);
    payload.writeUInt16BE(code);
    this.send(CLOSE, payload);
    this.socket.end();
  }

  send(kind, payload) {
    if (!this.isOpen) return;
    const isLong = payload.length > 65535;
    const head = Buffer.alloc(payload.length < 126 ? 2 : isLong ? 10 : 4);
    head[0] = 0x80 | kind;
    head[1] = payload.length < 126 ? payload.length : isLong ? 127 : 126;
    if (isLong) head.writeBigUInt64BE(BigInt(payload.length), 2);
    else if (payload.length >= 126) head.writeUInt16BE(payload.length, 2);
    this.socket.write(Buffer.concat([head, payload]));
  }

  // Messages of the page are short; each is one frame with a mask.
  read(data) {
    this.rest = Buffer.concat([this.rest, data]);
    while (this.rest.length >= 6) {
      let length = this.rest[1] & 127;
      let at = 2;
      if (length === 126) {
        length = this.rest.readUInt16BE(2);
        at = 4;
      }
      if (this.rest.length < at + 4 + length) return;
      const mask = this.rest.subarray(at, at + 4);
      const payload = Buffer.from(this.rest.subarray(at + 4, at + 4 + length)).map((byte, i) => byte ^ mask[i % 4]);
      const kind = this.rest[0] & 15;
      this.rest = this.rest.subarray(at + 4 + length);
      if (kind === TEXT) this.onText(payload.toString());
      else if (kind === CLOSE) this.socket.end();
    }
  }
}
