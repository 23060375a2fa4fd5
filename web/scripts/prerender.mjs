/** Puts the prerendered landing page into dist/index.html, and the files it needs at once into its head. */
import { readFile, rm, writeFile } from 'node:fs/promises'
import { render } from '../node_modules/.prerender/prerender.js'

const dist = new URL('../dist/', import.meta.url)
const page = new URL('index.html', dist)
const manifest = JSON.parse(await readFile(new URL('.vite/manifest.json', dist), 'utf8'))

/** The landing page's own chunks, so that they load beside the entry and not after it. */
function chunksOf(entry, seen = new Set()) {
  const { file, imports = [] } = manifest[entry]
  seen.add(file)
  for (const next of imports) if (!seen.has(manifest[next].file)) chunksOf(next, seen)
  return seen
}

const landing = await render()
const html = await readFile(page, 'utf8')
const marker = '<div id="root"></div>'
if (!html.includes(marker)) throw new Error(`dist/index.html has no ${marker}`)

const links = [...chunksOf('src/app/routes/landing.tsx')]
  .filter((file) => !html.includes(file))
  .map((file) => `    <link rel="modulepreload" crossorigin href="/${file}">\n`)
  .join('')

await writeFile(
  page,
  html
    .replace('  </head>', `${links}  </head>`)
    .replace(marker, () => `<div id="root"><div data-slot="prerendered">${landing}</div></div>`),
)
await rm(new URL('../node_modules/.prerender', import.meta.url), { recursive: true })
