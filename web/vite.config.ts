/** Build, development server and unit tests. */
import { fileURLToPath } from 'node:url'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'
import { areaGroups } from './scripts/chunks.ts'
import { pureRouter } from './scripts/pure-router.ts'

/** The backend of `npm run dev`; a build reads /config.js instead. */
const backend = process.env.MUSTER_URL ?? 'http://127.0.0.1:54321'
const proxied = [
  '/config.js',
  '/rest',
  '/auth/v1',
  '/realtime',
  '/functions',
  '/feed.xml',
  '/robots.txt',
  '/sitemap.xml',
]

const file = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/** The router's packages export only its development build, whose warnings are of no use in production. */
const productionRouter = [
  { find: /^react-router$/, replacement: file('./node_modules/react-router/dist/production/index.mjs') },
  { find: /^react-router\/dom$/, replacement: file('./node_modules/react-router/dist/production/dom-export.mjs') },
]

export default defineConfig(({ command }) => ({
  plugins: [react(), tailwindcss(), pureRouter()],
  resolve: { alias: [{ find: '@', replacement: file('./src') }, ...(command === 'build' ? productionRouter : [])] },
  build: {
    target: 'baseline-widely-available',
    sourcemap: 'hidden',
    manifest: true,
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            {
              name: 'react',
              priority: 20,
              test: /node_modules[\\/](react|react-dom|scheduler|react-router|react-router-dom)[\\/]/,
            },
            { name: 'supabase', priority: 10, test: /node_modules[\\/]@supabase[\\/]/ },
            // The landing page has its own icons.
            { name: 'icons', priority: 10, test: /node_modules[\\/]lucide-react[\\/]/ },
            // Loaded with the first page or dialog that has a form, or a text.
            {
              name: 'forms',
              priority: 10,
              test: /node_modules[\\/](react-hook-form|zod|@hookform|@standard-schema)[\\/]|src[\\/]lib[\\/]forms/,
            },
            {
              name: 'markdown',
              priority: 10,
              test: /node_modules[\\/](react-markdown|remark-gfm|rehype-sanitize)[\\/]/,
            },
            ...areaGroups(file('./index.html')),
          ],
        },
      },
    },
  },
  server: {
    host: '127.0.0.1',
    port: 5173,
    strictPort: true,
    proxy: Object.fromEntries(proxied.map((path) => [path, { target: backend, ws: path === '/realtime' }])),
  },
  preview: { host: '127.0.0.1', port: 4173, strictPort: true },
  test: {
    // The files of a worker share its process, document and packages, which take longer to load than most files run;
    // src/test gives each file its own copy of the application's modules, and an empty document.
    pool: 'forks',
    isolate: false,
    // Rendering leaves much behind that is soon of no use; with little room for it, it is copied again and again.
    execArgv: ['--max-semi-space-size=64'],
    setupFiles: ['./src/test/fresh-modules.ts'],
    css: false,
    restoreMocks: true,
    testTimeout: 60_000, // three waits of src/test/setup.ts
    hookTimeout: 60_000,
    maxWorkers: 2,
    coverage: { provider: 'v8', include: ['src/**/*.{ts,tsx}'] },
    projects: [
      // What needs neither a document nor a browser's storage: a document takes ten times as long as such a test.
      {
        extends: true,
        test: { name: 'pure', environment: 'node', include: ['src/**/*.test.ts'], exclude: ['src/**/*.dom.test.ts'] },
      },
      {
        extends: true,
        test: {
          name: 'dom',
          environment: 'jsdom',
          include: ['src/**/*.test.tsx', 'src/**/*.dom.test.ts'],
          setupFiles: ['./src/test/setup.ts'],
        },
      },
    ],
  },
}))
