import { renameSync } from 'node:fs';
import { defineConfig } from 'vite';
import { viteSingleFile } from 'vite-plugin-singlefile';

// The page is one file that opens from disk; the program puts the data into it, see PROTOCOL.md.
export default defineConfig({
  plugins: [
    viteSingleFile({ removeViteModuleLoader: true }),
    {
      name: 'viewer-name',
      closeBundle: () => renameSync('dist/index.html', 'dist/viewer.html'),
    },
  ],
  build: { target: 'es2022', modulePreload: false, chunkSizeWarningLimit: 1200 },
});
