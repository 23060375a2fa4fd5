/**
 * Makes two documents of the built one: dist/app.html for every page of the application, and dist/index.html with the
 * landing page drawn into it, which fetches the application itself once it is seen (/boot.js).
 */
import { readFile, rm, writeFile } from 'node:fs/promises'
import { render } from '../node_modules/.prerender/prerender.js'

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
landing = replaceOnce(
  landing,
  '<div id="root"></div>',
  `<div id="root" data-slot="prerendered">${await render()}</div>`,
)

await writeFile(new URL('app.html', dist), app)
await writeFile(new URL('index.html', dist), landing) // last: a running stack looks at it for a new build
await rm(new URL('../node_modules/.prerender', import.meta.url), { recursive: true })
