// Tells the reader when a newer mail has come; reloads the list by itself while no mail is open.
const known = document.body.dataset.newest ?? ''
const fresh = document.getElementById('fresh')

async function look() {
  try {
    const response = await fetch('/mail/api/messages?limit=1')
    if (!response.ok) return
    const { messages } = await response.json()
    const newest = messages[0]?.id ?? ''
    if (newest === known) return
    const idle = !document.body.classList.contains('reading') && !location.search && document.activeElement === document.body
    if (idle) location.reload()
    else if (fresh) fresh.hidden = newest <= known
  } catch {
    // The stack is down or restarting: look again later.
  }
}

setInterval(() => {
  if (!document.hidden) void look()
}, 3000)
