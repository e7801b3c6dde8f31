// Runs before anything is drawn, so that nothing that was drawn has to be taken back: whether this browser has a session
// decides which links the header shows (the rendered page is the same for everybody and holds both).
document.documentElement.dataset.session = /(?:^|;\s*)session=/.test(document.cookie) ? 'in' : 'out'
