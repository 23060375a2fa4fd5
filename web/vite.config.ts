/** How the application is built, served while developing and unit-tested. */
import { fileURLToPath } from 'node:url'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import type { Plugin } from 'vite'
import { defineConfig } from 'vitest/config'

/** Where `npm run dev` finds a stack; a build asks /config.js instead. */
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

/** The router's packages name only its development build, whose warnings nobody reads in a built application. */
const productionRouter = [
  { find: /^react-router$/, replacement: file('./node_modules/react-router/dist/production/index.mjs') },
  { find: /^react-router\/dom$/, replacement: file('./node_modules/react-router/dist/production/dom-export.mjs') },
]

/** Source text of the router's production build, and what it becomes; no line moves. */
const routerPatches: readonly (readonly [RegExp, string])[] = [
  [/= (React\d*\.(?:forwardRef|memo|createContext)\()/g, '= /* @__PURE__ */ $1'],
  [/^\w+\.displayName = .*$/gm, ''],
  [/return shouldPrefetch && !isAbsolute \?/g, 'return false ?'], // nothing here prefetches a framework's pages
]

/**
 * The router is one module whose components are made by calls, which a bundler must take for side effects: forms, fetchers
 * and prefetching that nobody uses would stay. Declares them pure, and fails the build when a new version is written
 * otherwise: without the patches the landing page is over its budget (bench/web.py).
 */
function pureRouter(): Plugin {
  const unmatched = new Set(routerPatches)
  return {
    name: 'pure-router',
    apply: (_config, { command, isSsrBuild }) => command === 'build' && !isSsrBuild,
    transform: {
      filter: { id: /react-router\/dist\/production\// },
      handler: (code) => {
        for (const patch of routerPatches) if (code.search(patch[0]) >= 0) unmatched.delete(patch)
        return { code: routerPatches.reduce((text, [pattern, pure]) => text.replace(pattern, pure), code), map: null }
      },
    },
    buildEnd(failure) {
      if (failure || unmatched.size === 0) return
      const patterns = [...unmatched].map(([pattern]) => String(pattern)).join(', ')
      this.error(`react-router's production build has no match of ${patterns}: adapt routerPatches in vite.config.ts`)
    },
  }
}

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
            // The landing page draws its own; elsewhere one file is fewer requests, and a shorter table in the entry.
            { name: 'icons', priority: 10, test: /node_modules[\\/]lucide-react[\\/]/ },
            // Comes with the first page or dialog that has a form.
            {
              name: 'forms',
              priority: 10,
              test: /node_modules[\\/](react-hook-form|zod|@hookform|@standard-schema)[\\/]|src[\\/]lib[\\/]forms/,
            },
            { name: 'data', priority: 10, test: /node_modules[\\/]@tanstack[\\/]/ },
            // What the landing page shares with others, a kilobyte each: one file is a round trip less on a slow line.
            {
              name: 'common',
              priority: 5,
              test: /clsx|src[\\/](config|components[\\/](art|document-head)|lib[\\/]browser[\\/](served-head|media))|ui[\\/](badge|skeleton)|card-skeletons|article-layout|waitlist-button/,
            },
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
    environment: 'jsdom',
    setupFiles: ['./src/test/setup.ts'],
    include: ['src/**/*.test.{ts,tsx}'],
    css: false,
    restoreMocks: true,
    testTimeout: 60_000, // three waits of src/test/setup.ts
    maxWorkers: 2,
    coverage: { provider: 'v8', include: ['src/**/*.{ts,tsx}'] },
  },
}))
