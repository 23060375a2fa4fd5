/**
 * Builds dist/sw.js (worker/service-worker.ts) for the files in dist: what it keeps are the scripts, styles and fonts of
 * members' and public pages and the few files beside them, not the admin area, not the landing page's document.
 */
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { build } from 'vite'

/** Of what has no digest in its name, the revision is the content. */
const named = ['app.html', 'boot.js', 'favicon.svg', 'site.webmanifest', 'app-icon-192.png']

/** A path of the router as a regular expression of addresses: a parameter is one part, anything may be asked for. */
const patternOf = (path) => `^/${path.replace(/:\w+/g, '[^/?]+')}/?(\\?|$)`

const isAdmin = (key) => /(^|\/|_)admin-/.test(key)

/** The chunks that a browser needs for anything but the admin area: reachable without passing one of its modules. */
function chunksOf(manifest) {
  const seen = new Set()
  const visit = (key) => {
    if (seen.has(key) || isAdmin(key)) return
    seen.add(key)
    const { imports = [], dynamicImports = [] } = manifest[key]
    for (const next of [...imports, ...dynamicImports]) visit(next)
  }
  visit('index.html')
  return [...seen].map((key) => manifest[key])
}

export async function buildServiceWorker(dist, manifest, { memberPaths, publicPaths }) {
  const files = new Set(chunksOf(manifest).flatMap(({ file, css = [], assets = [] }) => [file, ...css, ...assets]))
  const digested = [...files].sort().map((file) => ({ url: `/${file}`, revision: null }))
  const revised = await Promise.all(
    named.map(async (name) => {
      const content = await readFile(new URL(name, dist))
      return { url: `/${name}`, revision: createHash('sha256').update(content).digest('hex').slice(0, 16) }
    }),
  )
  await build({
    configFile: false,
    logLevel: 'error',
    publicDir: false,
    define: {
      FILES: JSON.stringify([...digested, ...revised]),
      MEMBER_PAGES: JSON.stringify(memberPaths.map(patternOf)),
      PUBLIC_PAGES: JSON.stringify(publicPaths.map(patternOf)),
      'process.env.NODE_ENV': '"production"',
    },
    build: {
      target: 'baseline-widely-available',
      outDir: new URL('.', dist).pathname,
      emptyOutDir: false,
      rolldownOptions: {
        input: new URL('../worker/service-worker.ts', import.meta.url).pathname,
        output: { format: 'iife', entryFileNames: 'sw.js' },
      },
    },
  })
  const sizes = await Promise.all([...files].map(async (file) => (await readFile(new URL(file, dist))).length))
  console.log(
    `Service worker: keeps ${files.size + named.length} files, ${Math.round(sizes.reduce((a, b) => a + b, 0) / 1e3)} kB`,
  )
}
