// Before anything is drawn: whether this browser has a session decides which links the header shows,
// for the rendered page is the same for everybody and holds both; a banner that was read stays away, and so do AI summaries
// for those who want none.
document.documentElement.dataset.session = /(?:^|;\s*)session=/.test(document.cookie) ? 'in' : 'out'
try {
  if (localStorage.hideAi) document.documentElement.dataset.hideAi = ''
  const sheet = new CSSStyleSheet()
  sheet.insertRule(`[data-banner='${localStorage.bannerSeen}'] { display: none }`)
  document.adoptedStyleSheets = [sheet]
} catch {}
