/**
 * Writes two documents from the built one: dist/app.html for every page of the application, and dist/index.html with the
 * prerendered landing page, which loads the application once it becomes visible (/boot.js). Then writes every text once
 * more with Brotli, as <name>.br: both gateways send that to whom accepts it.
 */
import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { render } from '../node_modules/.prerender/prerender.js'

/** Gzipped budget of the landing page until it is interactive; bench/web.py measures it on a running stack. */
const budgetBytes = 120_000

const dist = new URL('../dist/', import.meta.url)
const manifest = JSON.parse(await readFile(new URL('.vite/manifest.json', dist), 'utf8'))

/** The files of a chunk and of all that it imports. */
function filesOf(entry, seen = new Set()) {
  const { file, imports = [] } = manifest[entry]
  seen.add(file)
  for (const next of imports) if (!seen.has(manifest[next].file)) filesOf(next, seen)
  return seen
}

function replaceOnce(html, pattern, text) {
  if (html.split(pattern).length !== 2) throw new Error(`dist/index.html does not have ${pattern} once`)
  return html.replace(pattern, () => text)
}

const app = await readFile(new URL('index.html', dist), 'utf8')
const entry = `/${manifest['index.html'].file}`
const beside = [...filesOf('index.html'), ...filesOf('src/app/routes/landing.tsx')].map((file) => `/${file}`)
const files = [...new Set(beside)].filter((file) => file !== entry)

let landing = app.replace(/ *<link rel="modulepreload"[^>]*>\n/g, '')
landing = replaceOnce(landing, /<script type="module"[^>]*><\/script>\n/, '')
landing = replaceOnce(
  landing,
  ' src="/boot.js"',
  ` src="/boot.js" data-app="${entry}" data-beside="${files.join(' ')}"`,
)
const { head, body } = await render()
landing = replaceOnce(landing, /(?<=<!-- head -->)[^]*(?=<!-- \/head -->)/, head)
landing = replaceOnce(landing, '<div id="root"></div>', `<div id="root" data-slot="prerendered">${body}</div>`)

const scripts = await Promise.all(
  ['/boot.js', entry, ...files]
    .filter((file) => file.endsWith('.js'))
    .map((file) => readFile(new URL(`.${file}`, dist))),
)
const initialBytes = scripts.reduce((sum, script) => sum + gzipSync(script, { level: 9 }).length, 0)
if (initialBytes > budgetBytes) {
  throw new Error(`The landing page loads ${initialBytes} bytes of JavaScript (gzip), ${budgetBytes} at most`)
}
console.log(`Landing page: ${initialBytes} bytes of JavaScript (gzip), ${budgetBytes} at most`)

const brotli = (text) => {
  const bytes = Buffer.from(text)
  return brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } })
}

await writeFile(new URL('app.html', dist), app)
for (const name of await readdir(dist, { recursive: true })) {
  if (!/\.(js|css|html|svg|txt|webmanifest)$/.test(name) || name === 'index.html') continue
  await writeFile(new URL(`${name}.br`, dist), brotli(await readFile(new URL(name, dist))))
}
await writeFile(new URL('index.html.br', dist), brotli(landing))
await writeFile(new URL('index.html', dist), landing) // last: a running stack detects a new build by it
await rm(new URL('../node_modules/.prerender', import.meta.url), { recursive: true })
