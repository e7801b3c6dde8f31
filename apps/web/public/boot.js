// Before anything is drawn: whether this browser has a session decides which links the header shows,
// for the rendered page is the same for everybody and holds both; and a banner that was read stays away.
document.documentElement.dataset.session = /(?:^|;\s*)session=/.test(document.cookie) ? 'in' : 'out'
try {
  const sheet = new CSSStyleSheet()
  sheet.insertRule(`[data-banner='${localStorage.bannerSeen}'] { display: none }`)
  document.adoptedStyleSheets = [sheet]
} catch {}
