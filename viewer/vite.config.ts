import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'vite';
import { viteSingleFile } from 'vite-plugin-singlefile';

// The page is one file that opens from disk; the program puts the data into it, see PROTOCOL.md.
export default defineConfig({
  plugins: [
    viteSingleFile({ removeViteModuleLoader: true }),
    {
      name: 'viewer-name',
      // The folder may be any: the program's build chooses its own.
      writeBundle: ({ dir = 'dist' }) => renameSync(join(dir, 'index.html'), join(dir, 'viewer.html')),
    },
  ],
  build: { target: 'es2022', modulePreload: false, chunkSizeWarningLimit: 1200 },
});
