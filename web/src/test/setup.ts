/** What jsdom lacks, and the cleanup after every test. */
import '@testing-library/jest-dom/vitest'
import { cleanup, configure } from '@testing-library/react'
import { toast } from 'sonner'
import { afterEach, vi } from 'vitest'
import { memberChanged } from '@/lib/supabase/member-change'

// The first test of a file waits for its page to be imported, which takes seconds on a busy machine. A wait ends early.
configure({ asyncUtilTimeout: 20_000 })

afterEach(() => {
  cleanup()
  toast.dismiss() // else the next test's toaster shows them again
  memberChanged() // empties the shared cache
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

/** The backend is the page's own origin; tests answer for it. */
window.__MUSTER_CONFIG__ = { supabaseUrl: '', supabaseKey: 'sb_publishable_test' }
