/** An empty document with polyfills for jsdom, and the cleanup after every test. */
import '@testing-library/jest-dom/vitest'
import { cleanup, configure, prettyDOM } from '@testing-library/react'
import { toast } from 'sonner'
import { afterEach, vi } from 'vitest'
import { memberChanged } from '@/lib/supabase/member-change'

/** What a query did not find. The document is printed when somebody reads it: a wait drops an error at each look. */
function elementError(what: string | null, container: Element): Error {
  const error = new Error()
  // V8's, which the types of browsers don't have; the stack then ends in the test, not here.
  ;(Error as unknown as { captureStackTrace: (of: Error, above: unknown) => void }).captureStackTrace(
    error,
    elementError,
  )
  error.name = 'TestingLibraryElementError'
  let text: string | undefined
  return Object.defineProperty(error, 'message', {
    configurable: true, // waits define it anew
    get: () => (text ??= [what, prettyDOM(container)].filter(Boolean).join('\n\n')),
    set: (changed: string) => {
      text = changed
    },
  })
}

// The first test of a file waits for the import of its page, which takes seconds on a busy machine. Waits end early.
configure({ asyncUtilTimeout: 20_000, getElementError: elementError })

// What the file before may have left behind. Sonner's style sheet goes, too: nothing tests how toasts look, and jsdom
// compares each of its rules with each element whose style is asked for.
vi.useRealTimers()
vi.unstubAllGlobals()
vi.unstubAllEnvs()
for (const element of [document.documentElement, document.body])
  for (const name of element.getAttributeNames()) element.removeAttribute(name)
document.head.replaceChildren()
document.body.replaceChildren()
window.history.replaceState(null, '', '/')
Reflect.deleteProperty(navigator, 'clipboard') // user-event's

afterEach(() => {
  cleanup()
  toast.dismiss() // otherwise the next test's toaster shows them again
  memberChanged() // clears the shared query client
  localStorage.clear()
  sessionStorage.clear()
})

class ObserverStub {
  observe() {}
  unobserve() {}
  disconnect() {}
  takeRecords() {
    return []
  }
}

vi.stubGlobal('ResizeObserver', ObserverStub)
vi.stubGlobal('IntersectionObserver', ObserverStub)
Element.prototype.scrollIntoView ??= () => {}
Element.prototype.animate ??= () => ({ cancel() {} }) as Animation
Element.prototype.hasPointerCapture ??= () => false
Element.prototype.setPointerCapture ??= () => {}
Element.prototype.releasePointerCapture ??= () => {}
window.scrollTo = () => {}
window.matchMedia ??= (query: string) =>
  ({
    matches: false,
    media: query,
    onchange: null,
    addEventListener() {},
    removeEventListener() {},
    addListener() {},
    removeListener() {},
    dispatchEvent: () => false,
  }) as MediaQueryList

/** The backend is the page's own origin, which MSW handles. */
window.__MUSTER_CONFIG__ = { supabaseUrl: '', supabaseKey: 'sb_publishable_test' }
