// Applies the browser's own state before the first paint, because the rendered page is the same for
// everybody: whether there is a session, which banner was closed, whether AI summaries are hidden,
// and what was chosen under 表示 (features/display/settings.ts).
const page = document.documentElement
const applyChoices = () => {
  try {
    for (const name of ['theme', 'text', 'density', 'images', 'send', 'keys', 'motion']) {
      if (localStorage[name]) page.dataset[name] = localStorage[name]
      else delete page.dataset[name]
    }
  } catch {}
}
// A chosen theme colours the browser's own parts too; without a choice the system's does.
const metas = Array.from(document.querySelectorAll('meta[name=theme-color]'), (meta) => [meta, meta.content])
const schemes = { night: 'dark', paper: 'light' }
const colourBrowser = () => {
  const { theme } = page.dataset
  const [light, dark] = metas.map(([, colour]) => colour)
  for (const [meta, colour] of metas) meta.content = { night: dark, paper: light }[theme] ?? colour
  document.querySelector('meta[name=color-scheme]').content = schemes[theme] ?? 'dark light'
}
applyChoices()
colourBrowser()
new MutationObserver(colourBrowser).observe(page, { attributeFilter: ['data-theme'] })
// Another tab has changed them, or did while this page waited in the browser's memory.
addEventListener('storage', applyChoices)
addEventListener('pageshow', ({ persisted }) => persisted && applyChoices())
page.dataset.session = /(?:^|;\s*)session=/.test(document.cookie) ? 'in' : 'out'
try {
  if (localStorage.hideAi) page.dataset.hideAi = ''
  const sheet = new CSSStyleSheet()
  sheet.insertRule(`[data-banner='${localStorage.bannerSeen}'] { display: none }`)
  document.adoptedStyleSheets = [sheet]
} catch {}
// A list whose address names no order is shown in the one chosen last (features/threads).
try {
  const { pathname, search, hash } = location
  const isPlainList = search + hash === '' && /^\/(ranking|categories\/[^/]+)?$/.test(pathname)
  if (localStorage.listOrder && isPlainList)
    location.replace(`${pathname}?sort=${encodeURIComponent(localStorage.listOrder)}`)
} catch {}
// Browsers list the first 250 loaded files, calls and pictures among them, and reading without a
// network needs them all (features/offline/keep-files.ts).
performance.setResourceTimingBufferSize(2_000)
// Remembers the buttons and numbers of posts that were pressed before hydration, each once however
// often it was pressed; entry-client.tsx clicks them afterwards.
window.earlyPresses = new Set()
addEventListener('click', (event) => {
  const pressed = event.target.closest('button[type=button], a[data-number]')
  if (!pressed || !window.earlyPresses) return
  window.earlyPresses.delete(pressed)
  window.earlyPresses.add(pressed)
})
// Cancels the native submission of a form before hydration; lib/early-form.ts submits it later.
addEventListener('submit', (event) => {
  if (event.defaultPrevented || event.target.method !== 'post') return
  event.preventDefault()
  window.earlyForm = event.target
})
// Without the main script buttons do nothing: shows a message with a reload button, and keeps typed
// text across the reload.
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
// Restores the text before the scripts of the page run, as if it had been typed before hydration.
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
let offer = null
// A line over the page with a button that loads it anew; only one at a time.
const offerReload = (text, action, role) => {
  const say = () => {
    const note = document.createElement('p')
    const button = document.createElement('button')
    const close = document.createElement('button')
    offer?.remove()
    offer = note
    note.className = 'reload-offer'
    note.role = role
    note.append(text, button, close)
    button.append(action)
    button.onclick = reload
    close.append('閉じる')
    close.onclick = () => note.remove()
    document.body.prepend(note)
  }
  if (document.body) say()
  else addEventListener('DOMContentLoaded', say)
}
// The page without content names the scripts of the server's build.
window.findNewVersion = async () => {
  const answer = await fetch('/offline.html', { cache: 'no-cache' })
  const entry = document.querySelector('script[type=module][src]')?.getAttribute('src')
  if (!answer.ok || !entry || (await answer.text()).includes(`"${entry}"`)) return false
  offerReload('新しい版があります。', '更新する', 'status')
  return true
}
let isLost = false
window.loseScript = async () => {
  if (isLost) return
  isLost = true
  // The old files are gone after a new version was installed.
  if (await window.findNewVersion().catch(() => false)) return
  offerReload('画面の一部を読み込めませんでした。', '読み込み直す', 'alert')
}
// For a request that neither succeeds nor fails (CHUNK_TIMEOUT_MS). `earlyPresses` is deleted
// after hydration.
setTimeout(() => window.earlyPresses && window.loseScript(), 120_000)
// Ignores scripts of extensions. entry-client.tsx calls loseScript itself when it fails to start.
addEventListener('error', ({ target }) => target.type === 'module' && window.loseScript(), true)
