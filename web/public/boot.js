/* Before the first paint, as a file because no inline script is allowed:
   a theme the member chose, whether the prerendered landing page fits this visit, and presses that come before the application. */
;(function () {
  var root = document.documentElement
  try {
    var theme = localStorage.getItem('muster:theme')
    if (theme === 'light' || theme === 'dark') root.dataset.theme = theme
    if (localStorage.getItem('sb-muster-auth-token')) root.dataset.prerendered = 'off'
  } catch (error) {
    console.debug(error) /* storage is blocked: the system's theme, a visitor's page */
  }
  if (location.pathname !== '/') root.dataset.prerendered = 'off'
  document.addEventListener('click', function (event) {
    var button = event.target instanceof Element && event.target.closest('[data-early]')
    if (button && !root.dataset.started) root.dataset.early = button.dataset.early
  })
})()
