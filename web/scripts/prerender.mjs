/**
 * Writes documents from the built one: dist/app.html for every page of the application, with a spinner; dist/index.html with the
 * prerendered landing page, which loads the application once it becomes visible (/boot.js); quiz.html, login.html and
 * register.html, which are seen before their scripts are here; blog.html and article.html, into which the functions
 * service writes the text (edge_functions/muster_functions/blog). Then builds the service worker for these files
 * (service-worker.mjs), and writes every text once more with Brotli, as <name>.br: both gateways send that to whom accepts it.
 */
import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { bootScreen, memberPaths, publicPaths, render } from '../node_modules/.prerender/prerender.js'
import { buildServiceWorker } from './service-worker.mjs'

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

/** The files of the application and of a page's routes, without the entry itself. */
function filesBeside(...routes) {
  const files = ['index.html', ...routes].flatMap((name) => [...filesOf(name)]).map((file) => `/${file}`)
  return [...new Set(files)].filter((file) => file !== entry)
}

/** The built document, whose scripts are loaded once it is seen, at this path alone (/boot.js). */
function loadedLate(path, files) {
  const html = app.replace(/ *<link rel="modulepreload"[^>]*>\n/g, '')
  return replaceOnce(
    replaceOnce(html, /<script type="module"[^>]*><\/script>\n/, ''),
    ' src="/boot.js"',
    ` src="/boot.js" data-path="${path}" data-app="${entry}" data-beside="${files.join(' ')}"`,
  )
}

const files = filesBeside('src/app/routes/landing.tsx')
let landing = loadedLate('/', files)
const { head, body } = await render('/')
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

/** Pages whose picture is shown until the application draws them beside it (src/app/main.tsx). */
const pictured = ['quiz', 'login', 'register']

/** The page without its controls: what is typed or pressed before the scripts are here would be lost with them. */
const picture = (html) =>
  html
    .replace(/<(\/?)(?:form|fieldset|legend)\b/g, '<$1div')
    .replace(/<(\/?)(?:button|label)\b/g, '<$1span')
    .replace(/<input\b([^>]*)\/>/g, '<div$1></div>')
    .replace(/<(?!a\b)[^>]*>/g, (tag) =>
      tag.replace(/ (?:id="_R_[^"]*"|(?:for|role|tabindex|aria-(?!hidden)[a-z]+)="[^"]*")/g, ''),
    )

globalThis.window = { location: new URL('http://muster.invalid/') } // pages read where they are
for (const name of pictured) {
  const { body } = await render(`/${name}`)
  const files = filesBeside(`src/app/routes/${name}.tsx`, 'src/app/layouts/data-layout.tsx')
  const html = replaceOnce(
    loadedLate(`/${name}`, files),
    '<div id="root"></div>',
    `<div id="root" data-slot="served" data-for="visitors">${picture(body)}</div>`,
  )
  await writeFile(new URL(`${name}.html`, dist), html)
}

/** The frame of the site around the place of the text, for everybody. */
const { body: blog } = await render('/blog', 'unknown')
const frame = picture(replaceOnce(blog, /(?<=<main\b[^>]*>)[^]*(?=<\/main>)/, '<!-- text -->'))
for (const [name, path, route] of [
  ['blog', '/blog', 'blog'],
  ['article', '/blog/', 'blog-post'],
]) {
  const files = filesBeside(`src/app/routes/${route}.tsx`, 'src/app/layouts/data-layout.tsx')
  const served = `<div id="root" data-slot="served">${frame}</div>`
  await writeFile(new URL(`${name}.html`, dist), replaceOnce(loadedLate(path, files), '<div id="root"></div>', served))
}

/** Every other page: the bar and a spinner, which readers without scripts would see above what they are told. */
const started = replaceOnce(app, '<div id="root"></div>', `<div id="root">${bootScreen()}</div>`)
await writeFile(
  new URL('app.html', dist),
  replaceOnce(started, '</head>', '<noscript><style>#root { display: none }</style></noscript>\n  </head>'),
)
await buildServiceWorker(dist, manifest, { memberPaths, publicPaths })
for (const name of await readdir(dist, { recursive: true })) {
  if (!/\.(js|css|html|svg|txt|webmanifest)$/.test(name) || name === 'index.html') continue
  await writeFile(new URL(`${name}.br`, dist), brotli(await readFile(new URL(name, dist))))
}
await writeFile(new URL('index.html.br', dist), brotli(landing))
await writeFile(new URL('index.html', dist), landing) // last: a running stack detects a new build by it
await rm(new URL('../node_modules/.prerender', import.meta.url), { recursive: true })
process.exit(0) // what pages asked for while they were rendered would be waited for, half an hour long
