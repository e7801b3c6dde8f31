import { SPAM_POSTS, SPAM_WINDOW_MINUTES } from '@shinobi/contract/limits'
import { renderToStaticMarkup } from 'react-dom/server'
import { MemoryRouter } from 'react-router'
import { expect, test } from 'vitest'
import { SiteProvider } from '../../app/site-context.tsx'
import { AboutPage } from './about-page.tsx'

const SITE = {
  ...{ publicUrl: 'https://board.example.jp', contactEmail: null, version: null, sourceUrl: null },
  ...{ googleClientId: null, sendsMail: false, hostingBadge: null },
}

test('the page about the board names which post is the first that is refused as spam, and the window', () => {
  const page = renderToStaticMarkup(
    <MemoryRouter>
      <SiteProvider site={SITE}>
        <AboutPage />
      </SiteProvider>
    </MemoryRouter>,
  )
  expect(page).toContain(`${SPAM_WINDOW_MINUTES}分間に${SPAM_POSTS}回目からは、時間をおくまで書き込めません。`)
})
