// Before the first paint, as the rendered page is the same for everybody: who has a session, a banner read, AI threads hidden.
document.documentElement.dataset.session = /(?:^|;\s*)session=/.test(document.cookie) ? 'in' : 'out'
try {
  if (localStorage.hideAi) document.documentElement.dataset.hideAi = ''
  const sheet = new CSSStyleSheet()
  sheet.insertRule(`[data-banner='${localStorage.bannerSeen}'] { display: none }`)
  document.adoptedStyleSheets = [sheet]
} catch {}
