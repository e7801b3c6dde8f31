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
// Where the script does not come, buttons would be silent for good: the page says so, and keeps what was typed over the reload.
const typedKey = `typed:${location.pathname}`
const findFields = () =>
  document.querySelectorAll(
    'form[method=post] :is(textarea, select, input:not([type]), input[type=text], input[type=email])[name]',
  )
const reload = () => {
  try {
    sessionStorage[typedKey] = JSON.stringify(
      Object.fromEntries(Array.from(findFields(), ({ name, value }) => [name, value])),
    )
  } catch {}
  location.reload()
}
// Before the scripts of the page, for which it is as if it had been typed just now.
addEventListener(
  'readystatechange',
  () => {
    try {
      const typed = JSON.parse(sessionStorage[typedKey])
      delete sessionStorage[typedKey]
      for (const field of findFields()) field.value = typed[field.name] ?? field.value
    } catch {}
  },
  { capture: true, once: true },
)
let isLost = false
window.loseScript = () => {
  if (isLost) return
  isLost = true
  const say = () => {
    const note = document.createElement('p')
    const button = document.createElement('button')
    note.className = 'script-lost'
    note.role = 'alert'
    note.append('画面の一部を読み込めませんでした。', button)
    button.append('読み込み直す')
    button.onclick = reload
    document.body.prepend(note)
  }
  if (document.body) say()
  else addEventListener('DOMContentLoaded', say)
}
// One that neither comes nor fails (CHUNK_TIMEOUT_MS); the pressed button is remembered until the page hears for itself.
setTimeout(() => window.earlyPress !== undefined && window.loseScript(), 120_000)
// Scripts of extensions are none of ours; entry-client.tsx tells when it cannot start.
addEventListener('error', ({ target }) => target.type === 'module' && window.loseScript(), true)
