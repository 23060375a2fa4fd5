/* Runs before the first paint, as a file because the CSP allows no inline script: applies the chosen theme, decides whether
   the prerendered landing page is shown, and stores clicks made before hydration. On prerendered pages (data-path) it also loads
   the application (data-app, with the modules in data-beside) after the first paint. When scripts do not load it says so. */
;(function () {
  var root = document.documentElement
  var page = document.currentScript.dataset
  var loading = false

  function load() {
    if (loading || !page.app) return
    loading = true
    page.beside.split(' ').forEach(function (file) {
      document.head.append(
        Object.assign(document.createElement('link'), { rel: 'modulepreload', crossOrigin: '', href: file }),
      )
    })
    document.head.append(
      Object.assign(document.createElement('script'), { type: 'module', crossOrigin: '', src: page.app }),
    )
  }

  /* What is seen would stay without its controls, or a spinner, for good. */
  function tellFailure(event) {
    if (!(event.target instanceof HTMLScriptElement) || document.querySelector('[data-slot="not-loaded"]')) return
    var note = Object.assign(document.createElement('p'), { textContent: 'This page couldn’t be loaded. ' })
    note.dataset.slot = 'not-loaded'
    note.setAttribute('role', 'alert')
    note.append(Object.assign(document.createElement('a'), { href: location.href, textContent: 'Try again' }))
    document.body.prepend(note)
    addEventListener('online', function () {
      location.reload()
    })
  }

  function afterPaint() {
    if (document.hidden) load() /* hidden pages are not painted */
    else
      requestAnimationFrame(function () {
        setTimeout(load)
      })
  }

  try {
    var theme = localStorage.getItem('muster:theme')
    if (theme === 'light' || theme === 'dark') {
      root.dataset.theme = theme
      document.querySelectorAll('meta[name="theme-color"]').forEach(function (meta) {
        meta.media = meta.dataset.scheme === theme ? 'all' : 'not all'
      })
    }
    if (localStorage.getItem('sb-muster-auth-token')) {
      root.dataset.member = ''
      root.dataset.prerendered = 'off'
    }
  } catch (error) {
    console.debug(error) /* storage is blocked: the system's theme, a visitor's page */
  }
  if (location.pathname !== page.path) root.dataset.prerendered = 'off'
  if (root.dataset.prerendered === 'off') load()
  else addEventListener('load', afterPaint)
  addEventListener('error', tellFailure, true)
  document.addEventListener('click', function (event) {
    var button = event.target instanceof Element && event.target.closest('[data-early]')
    if (button && !root.dataset.started) {
      root.dataset.early = button.dataset.early
      load()
    }
  })
})()
