import { useMemo } from 'react'
import { useSearchParams } from 'react-router'
import { PageHead, SITE_NAME } from '../../app/page-head.tsx'
import { paths } from '../../app/paths.ts'
import { useSite } from '../../app/site-context.tsx'
import { FeaturedCategories } from '../../features/categories/featured-categories.tsx'
import { Likes } from '../../features/likes/likes.tsx'
import { listQuery, readListView } from '../../features/threads/list-address.ts'
import { ThreadListScreen } from '../../features/threads/thread-list-screen.tsx'
import { TrendingSidebar } from '../../features/threads/trending.tsx'

const DESCRIPTION =
  '忍板は、名乗らずに語れる日本語の掲示板です。政治・経済・国際から雑談まで、スレッドを読み、立て、その場で書き込めます。ニュースのAI要約には出典と元記事へのリンクが付きます。'

/** / and /ranking. */
export function HomePage() {
  const [parameters] = useSearchParams()
  const view = useMemo(() => readListView(parameters), [parameters])
  const { publicUrl } = useSite()
  const searched = view.search !== ''
  return (
    <>
      <PageHead
        title={searched ? `「${view.search}」の検索結果` : ''}
        description={DESCRIPTION}
        path={paths.home + listQuery({ search: view.search, sort: 'newest', cursor: view.cursor })}
        noindex={searched}
        jsonLd={{
          '@type': 'WebSite',
          name: SITE_NAME,
          url: `${publicUrl}/`,
          inLanguage: 'ja',
          potentialAction: {
            '@type': 'SearchAction',
            target: `${publicUrl}/?search={search_term_string}`,
            'query-input': 'required name=search_term_string',
          },
        }}
      />
      <ThreadListScreen
        category={null}
        view={view}
        sidebar={
          <>
            <FeaturedCategories />
            <TrendingSidebar />
          </>
        }
      />
      <Likes />
    </>
  )
}
