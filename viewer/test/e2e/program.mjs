// The real program behind the page: runs models, serves files, and is ended as Ctrl-C would end it.
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';

const PATIENCE = 60_000;
const END_PATIENCE = 10_000;

function program() {
  const path = process.env.GELENK_PROGRAM;
  if (!path) throw new Error('GELENK_PROGRAM does not name the program; set it to the path of `gelenk`');
  return path;
}

/** Runs the program to its end; any other exit status than the expected one is an error with its output. */
export async function gelenk(args, { status = 0, folder } = {}) {
  const ended = await promisify(execFile)(program(), args, { cwd: folder, timeout: 2 * PATIENCE }).then(
    (output) => ({ code: 0, ...output }),
    (error) => error,
  );
  assert.equal(ended.code, status, `gelenk ${args.join(' ')}: ${ended.stderr || ended.message}`);
  return ended.stdout;
}

/** A program that serves a page until it is asked to end. */
export class Served {
  static async start(args, { folder } = {}) {
    const child = spawn(program(), args, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
    const served = new Served(child);
    served.url = await served.firstLine(args);
    return served;
  }

  constructor(child) {
    this.child = child;
    this.trouble = '';
    child.stderr.on('data', (text) => (this.trouble += text));
    this.ended = new Promise((done) => child.on('exit', (code, signal) => done({ code, signal })));
  }

  async firstLine(args) {
    const lines = createInterface({ input: this.child.stdout });
    const late = setTimeout(() => this.child.kill('SIGKILL'), PATIENCE);
    const line = await Promise.race([
      new Promise((done) => lines.once('line', done)),
      this.ended.then(({ code, signal }) => `ended with ${code ?? signal}: ${this.trouble}`),
    ]);
    clearTimeout(late);
    // What it prints later is not of interest, but must not fill the pipe.
    this.child.stdout.resume();
    assert.match(line, /^http:\/\/127\.0\.0\.1:\d+\/\?token=\S+$/, `first line of gelenk ${args.join(' ')}`);
    return line;
  }

  /** As Ctrl-C; the program has to end by itself. */
  async end() {
    if (this.child.exitCode === null) this.child.kill('SIGINT');
    const late = setTimeout(() => this.child.kill('SIGKILL'), END_PATIENCE);
    const { code, signal } = await this.ended;
    clearTimeout(late);
    assert.equal(signal, null, `it ends by itself after Ctrl-C, not by ${signal}; ${this.trouble}`);
    return code;
  }
}
