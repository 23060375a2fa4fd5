/**
 * The browser's Back closes what lies over the page before it leaves it: on a phone a sheet looks like a page.
 *
 * An open layer adds a second entry of the same page to the history. Going back from it is not the router's business;
 * when the layer was closed otherwise the entry stays, and Back passes over it.
 */

interface Entry {
  /** The router's name of the page. */
  key?: string
  /** The page's second entry. */
  layer?: true
}

/** How long a layer that was asked to close may take to be gone, in ms; one that asks first stays. */
const closingMs = 400

const layers: (() => void)[] = []
let pageKey: string | undefined
/** Whether the history stands on the page's second entry. */
let isOnLayer = false
/** First entries whose page was replaced from its second one, each with what took its place: they are passed over. */
const replacedBy = new Map<string, string>()

const entryOf = (state: unknown): Entry => (typeof state === 'object' && state !== null ? state : {})

/** A second entry for a page that has layers and stands on its first one. */
function addEntry() {
  const state = entryOf(window.history.state)
  if (layers.length > 0 && !state.layer) window.history.pushState({ ...state, layer: true }, '')
  isOnLayer = entryOf(window.history.state).layer === true
}

function wentTo(event: PopStateEvent) {
  const { key, layer } = entryOf(event.state)
  const replacement = key === undefined ? undefined : replacedBy.get(key)
  if (replacement !== undefined) {
    event.stopImmediatePropagation()
    return pageKey === replacement ? window.history.back() : window.history.forward()
  }
  if (pageKey === undefined || key !== pageKey) return
  event.stopImmediatePropagation()
  isOnLayer = layer === true
  if (layer) return
  const close = layers.at(-1)
  if (!close) return window.history.back()
  close()
  window.setTimeout(addEntry, closingMs)
}

/** To be told of each page that the router shows, and whether it took the place of the one before. */
export function atPage(key: string, replaces = false) {
  if (replaces && pageKey !== undefined && pageKey !== key) {
    for (const [first, by] of replacedBy) if (by === pageKey) replacedBy.set(first, key)
    if (isOnLayer) replacedBy.set(pageKey, key)
  }
  pageKey = key
  addEntry()
}

/** A layer opened, which `close` closes, or which asks first; returns what is to be called once it is gone. */
export function addLayer(close: () => void): () => void {
  layers.push(close)
  addEntry()
  return () => void layers.splice(layers.indexOf(close), 1)
}

// With the module, so before the router's own listener. (The landing page is rendered without a window.)
if (typeof window !== 'undefined') window.addEventListener('popstate', wentTo, { capture: true })
