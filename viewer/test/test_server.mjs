// Serves the page and its data as PROTOCOL.md says. A live run lets its rows appear one after the other.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { SETS } from './make_fixtures.mjs';
import { ServerSocket } from './web_socket.mjs';

const PAGE = new URL('../dist/viewer.html', import.meta.url);
const TOKEN = 'test-token';

function bytesOf(array) {
  return Buffer.from(array.buffer, array.byteOffset, array.byteLength);
}

class Failure extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

/** One data set behind the protocol; `live`: rows a second of the first run. */
export class TestServer {
  constructor(set, { live = 0 } = {}) {
    this.set = set;
    this.live = live;
    this.known = live ? 1 : Infinity;
    this.status = live ? 'running' : 'done';
    this.commands = [];
    this.requests = [];
    /** What pages sent: the recording (`type`, `bytes`) or its error, and the progress before. */
    this.progress = [];
    this.recorded = new Promise((done) => (this.tellRecorded = done));
    this.sockets = new Set();
    this.server = createServer((request, response) => this.answer(request, response));
    this.server.on('upgrade', (request, socket) => this.connect(new ServerSocket(request, socket)));
  }

  async start() {
    await new Promise((done) => this.server.listen(0, '127.0.0.1', done));
    if (this.live) this.timer = setInterval(() => this.advance(), 50);
    const { port } = this.server.address();
    return `http://127.0.0.1:${port}/?token=${TOKEN}`;
  }

  stop() {
    clearInterval(this.timer);
    for (const socket of this.sockets) socket.socket.destroy();
    this.server.closeAllConnections();
    return new Promise((done) => this.server.close(done));
  }

  answer(request, response) {
    const url = new URL(request.url, 'http://localhost');
    this.requests.push(url.pathname + url.search);
    try {
      const { type, body } = request.method === 'POST' ? this.take(url, request) : this.find(url, request);
      response.writeHead(200, { 'Content-Type': type, 'Cache-Control': 'no-store' }).end(body);
    } catch (error) {
      const status = error.status ?? 500;
      response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify({ error: error.message }));
    }
  }

  find(url, request) {
    if (url.pathname === '/') return { type: 'text/html; charset=utf-8', body: readFileSync(PAGE) };
    if (!url.pathname.startsWith('/api/')) throw new Failure(404, 'there is nothing here');
    this.checkToken(request);
    const json = (value) => ({ type: 'application/json', body: JSON.stringify(value) });
    const binary = (array) => ({ type: 'application/octet-stream', body: bytesOf(array) });
    switch (url.pathname) {
      case '/api/scene':
        return json(this.set.scene);
      case '/api/diagnostics':
        return json(this.set.diagnostics ?? []);
      case '/api/runs':
        return json(
          this.set.runs.map((run) => ({
            ...run.info,
            rows: this.rows(run),
            ...(run === this.set.runs[0] && this.live ? { status: this.status } : {}),
          })),
        );
      case '/api/times': {
        const run = this.run(url);
        return binary(run.times.slice(Number(url.searchParams.get('first') ?? 0), this.rows(run)));
      }
      case '/api/rows':
        return binary(this.block(url));
      case '/api/channel':
        return binary(this.channel(url));
      default:
        throw new Failure(404, 'there is nothing here');
    }
  }

  take(url, request) {
    this.checkToken(request);
    const chunks = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      const bytes = Buffer.concat(chunks);
      const type = request.headers['content-type'];
      if (url.pathname === '/api/recording') this.tellRecorded({ type, bytes });
      else if (url.pathname === '/api/recording/error') this.tellRecorded({ error: bytes.toString() });
      else this.progress.push(['done', 'total'].map((name) => Number(url.searchParams.get(name))));
    });
    return { type: 'application/json', body: '{}' };
  }

  checkToken(request) {
    if (request.headers.authorization !== `Bearer ${TOKEN}`) throw new Failure(401, 'the token is wrong');
  }

  rows(run) {
    return Math.min(run.times.length, run === this.set.runs[0] ? this.known : Infinity);
  }

  run(url) {
    const run = this.set.runs[Number(url.searchParams.get('run'))];
    if (!run) throw new Failure(404, 'there is no such run');
    return run;
  }

  block(url) {
    const run = this.run(url);
    const [block, first, count] = ['block', 'first', 'count'].map((name) => Number(url.searchParams.get(name)));
    const width = run.info.blocks[block]?.width;
    if (width === undefined || first < 0 || first + count > this.rows(run))
      throw new Failure(416, 'these rows do not exist');
    return run.makeRows
      ? run.makeRows(block, first, count)
      : run.data[block].slice(first * width, (first + count) * width);
  }

  channel(url) {
    const run = this.run(url);
    const channel = run.info.channels.find((each) => each.name === url.searchParams.get('name'));
    if (!channel) throw new Failure(404, `there is no channel '${url.searchParams.get('name')}'`);
    const first = Number(url.searchParams.get('first') ?? 0);
    const width = run.info.blocks[channel.block].width;
    return Float64Array.from({ length: Math.max(0, this.rows(run) - first) }, (_, i) => {
      return run.makeValue
        ? run.makeValue(channel, first + i)
        : run.data[channel.block][(first + i) * width + channel.column];
    });
  }

  // --- Live ---

  connect(socket) {
    let isKnown = false;
    this.sockets.add(socket);
    socket.onText = (text) => {
      const message = JSON.parse(text);
      if (!isKnown) {
        isKnown = message.type === 'hello' && message.token === TOKEN;
        if (!isKnown) socket.close(1008);
        else socket.sendText(this.statusText());
        return;
      }
      this.commands.push(message.type);
      if (message.type === 'pause' && this.status === 'running') this.status = 'paused';
      if (message.type === 'resume' && this.status === 'paused') this.status = 'running';
      if (message.type === 'stop') this.status = 'stopped';
      this.send(this.statusText());
      if (message.type === 'stop') this.send(JSON.stringify({ type: 'rows', run: 0, rows: this.known }));
    };
  }

  statusText() {
    const { times } = this.set.runs[0];
    const time = times[Math.min(times.length, this.known) - 1];
    return JSON.stringify({
      type: 'status',
      run: 0,
      status: this.status,
      time,
      end: times[times.length - 1],
      message: '',
    });
  }

  send(text) {
    for (const socket of this.sockets) socket.sendText(text);
  }

  advance() {
    if (this.status !== 'running') return;
    const run = this.set.runs[0];
    this.known = Math.min(run.times.length, this.known + Math.max(1, Math.round(this.live / 20)));
    const row = this.known - 1;
    const width = run.info.blocks[0].width;
    const head = Buffer.alloc(16);
    head[0] = 1;
    head.writeUInt32LE(row, 4);
    head.writeDoubleLE(run.times[row], 8);
    const message = Buffer.concat([head, bytesOf(run.data[0].slice(row * width, (row + 1) * width))]);
    for (const socket of this.sockets) socket.sendBinary(message);
    if (this.known === run.times.length) this.status = 'done';
    this.send(JSON.stringify({ type: 'rows', run: 0, rows: this.known }));
    this.send(this.statusText());
  }
}

if (process.argv[1] === new URL(import.meta.url).pathname) {
  const name = process.argv[2] ?? 'crank_slider';
  const live = Number(process.argv[3] ?? 0);
  const server = new TestServer(SETS[name](), { live });
  console.log(await server.start());
}
