import { createHash } from 'node:crypto';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'vite';
import { viteSingleFile } from 'vite-plugin-singlefile';

const SCRIPT = /<script type="module"[^>]*>([\s\S]*?)<\/script>/g;
const STYLE = /<style[^>]*>([\s\S]*?)<\/style>/g;
const CHARSET = '<meta charset="utf-8" />';

/** What a policy says of texts between such tags: those, and no other. */
function hashes(html: string, tag: RegExp): string {
  const texts = [...html.matchAll(tag)].map((match) => match[1]);
  return texts.map((text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`).join(' ');
}

/** The page says itself what may run in it, so that the rule goes along when it is saved; the server says it again. */
function withPolicy(html: string): string {
  const policy = [
    "default-src 'none'",
    `script-src ${hashes(html, SCRIPT)}`,
    `style-src ${hashes(html.replace(SCRIPT, ''), STYLE)}`,
    "img-src 'self' data: blob:",
    "connect-src 'self'",
    'media-src blob:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  if (!html.includes(CHARSET)) throw new Error('the page has no place for its policy');
  return html.replace(CHARSET, `${CHARSET}\n    <meta http-equiv="Content-Security-Policy" content="${policy}" />`);
}

// The page is one file that opens from disk; the program puts the data into it, see PROTOCOL.md.
export default defineConfig({
  plugins: [
    viteSingleFile({ removeViteModuleLoader: true }),
    {
      name: 'viewer-name',
      // The folder may be any: the program's build chooses its own.
      writeBundle: ({ dir = 'dist' }) => {
        const page = join(dir, 'viewer.html');
        renameSync(join(dir, 'index.html'), page);
        writeFileSync(page, withPolicy(readFileSync(page, 'utf8')));
      },
    },
  ],
  build: { target: 'es2022', modulePreload: false, chunkSizeWarningLimit: 1200 },
});
