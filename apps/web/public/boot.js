// Before the first paint, as the rendered page is the same for everybody: who has a session, a banner read, AI threads hidden.
document.documentElement.dataset.session = /(?:^|;\s*)session=/.test(document.cookie) ? 'in' : 'out'
try {
  if (localStorage.hideAi) document.documentElement.dataset.hideAi = ''
  const sheet = new CSSStyleSheet()
  sheet.insertRule(`[data-banner='${localStorage.bannerSeen}'] { display: none }`)
  document.adoptedStyleSheets = [sheet]
} catch {}
// The button pressed last before the script hears it is pressed by entry-client.tsx when it does.
window.earlyPress = null
addEventListener('click', (event) => {
  if (window.earlyPress !== undefined) window.earlyPress = event.target.closest('button[type=button]')
})
// A form sent before the script hears it stays on the page, and lib/early-form.ts sends it.
addEventListener('submit', (event) => {
  if (event.defaultPrevented || event.target.method !== 'post') return
  event.preventDefault()
  window.earlyForm = event.target
})
