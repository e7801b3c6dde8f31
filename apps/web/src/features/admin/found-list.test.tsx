import { renderToStaticMarkup } from 'react-dom/server'
import { MemoryRouter } from 'react-router'
import { expect, test } from 'vitest'
import { FoundList } from './found-list.tsx'

const NONE = { page: 1, total: 0, totalPages: 0 }
const ONE_PAGE = { ...NONE, total: 3, totalPages: 1 }

const show = (pagination: typeof NONE, stale: boolean) =>
  renderToStaticMarkup(
    <MemoryRouter initialEntries={['/admin/posts?page=5']}>
      <FoundList label="書き込み" pagination={pagination} stale={stale}>
        行
      </FoundList>
    </MemoryRouter>,
  )

test('a page that does not exist leads to another, unless the number of pages is that of another search', () => {
  expect(show(ONE_PAGE, false)).toBe('')
  expect(show(ONE_PAGE, true)).toContain('行')
})

test('a list is said to be empty only once its own search has found nothing', () => {
  expect(show(NONE, false)).toContain('書き込みはまだありません。')
  expect(show(NONE, true)).not.toContain('書き込みはまだありません。')
})
