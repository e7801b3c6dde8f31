// Before the first paint of a thread, so that no post is painted in a place that is left at once:
// an address such as /thread/:id#480 leads to the page with that post, and the posts of a thread
// that was read before are not shown until the page is at the first unread one
// (features/posts/use-resume.ts). A browser that has never had records of what it read
// (features/reading/store.ts) shows them at once.
{
  const page = document.documentElement
  const [, threadId] = /^\/thread\/([^/]+)$/.exec(location.pathname) ?? []
  const [, number] = /^#([1-9]\d{0,8})$/.exec(location.hash) ?? []
  const isNew = performance.getEntriesByType('navigation')[0]?.type === 'navigate'
  const show = () => page.removeAttribute('data-resuming')
  const hide = () => {
    page.dataset.resuming = ''
    // For a script that is late or lost, and for a reader who begins to read.
    setTimeout(show, 5_000)
    addEventListener('scroll', show, { once: true })
  }
  const isFirst = location.search === ''
  const hasRecords = () => {
    try {
      return localStorage.getItem('records') !== null
    } catch {
      return false
    }
  }
  if (threadId !== undefined && isNew) {
    // Posts of a page, as PAGE_SIZE in packages/contract/src/limits.ts.
    if (number > 50 && isFirst) {
      hide()
      location.replace(`${location.pathname}?after=${Math.floor((number - 1) / 50) * 50}${location.hash}`)
    } else if (number !== undefined) {
      hide()
      // Who moves before the scripts run is not taken back (features/posts/use-fragment.ts).
      let hasMoved = false
      window.movedEarly = false
      const move = () => {
        hasMoved = true
        if ('movedEarly' in window) window.movedEarly = true
      }
      for (const type of ['wheel', 'touchstart', 'pointerdown', 'keydown'])
        addEventListener(type, move, { passive: true })
      // The browser goes to the fragment right after this event.
      addEventListener('DOMContentLoaded', () => {
        const top = scrollY
        if (hasMoved) requestAnimationFrame(() => scrollTo({ top, behavior: 'instant' }))
      })
      // That is only after the scripts.
      document.addEventListener(
        'readystatechange',
        () => {
          // A tap on what is not there yet moves nothing.
          hasMoved &&= scrollY > 0
          window.movedEarly = hasMoved
          if (!hasMoved) document.getElementById(number)?.scrollIntoView()
          show()
        },
        { once: true },
      )
    } else if (isFirst && location.hash === '' && hasRecords()) {
      hide()
      try {
        const opening = indexedDB.open('shinobi')
        opening.onerror = show
        // There is none yet: it must not be made here.
        opening.onupgradeneeded = () => opening.transaction.abort()
        opening.onsuccess = () => {
          const database = opening.result
          try {
            const reading = database.transaction('threads').objectStore('threads').get(threadId)
            reading.onerror = show
            reading.onsuccess = () => {
              if (!(reading.result?.readThrough > 0)) show()
            }
          } catch {
            show()
          }
          database.close()
        }
      } catch {
        show()
      }
    }
  }
}
