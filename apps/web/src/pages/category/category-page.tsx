import { categoryLabel } from '@shinobi/contract/category-labels'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useParams, useSearchParams } from 'react-router'
import { PendingScreen } from '../../app/deferred-screens.tsx'
import { PageHead } from '../../app/page-head.tsx'
import { paths } from '../../app/paths.ts'
import { useSite } from '../../app/site-context.tsx'
import { categoryQuery } from '../../features/categories/api.ts'
import { FeaturedCategories } from '../../features/categories/featured-categories.tsx'
import { keepName } from '../../features/posts/keep-name.ts'
import { ShieldNotice } from '../../features/shields/shield-notice.tsx'
import { Likes } from '../../features/likes/likes.tsx'
import { listQuery, readListView } from '../../features/threads/list-address.ts'
import { HeldThreads } from '../../features/threads/held-threads.tsx'
import { ThreadListScreen } from '../../features/threads/thread-list-screen.tsx'
import { CategoryTrending, TrendingSidebar } from '../../features/threads/trending.tsx'

/** The emoji before a label, which titles and search results omit. */
const EMOJI = /^\p{Extended_Pictographic}\S*\s/u

/** /categories/:categoryId; its loader has checked that the category exists. */
export function CategoryPage() {
  const ref = useParams()['categoryId'] ?? ''
  const [parameters] = useSearchParams()
  const view = useMemo(() => readListView(parameters), [parameters])
  const { publicUrl } = useSite()
  const { data: category } = useQuery(categoryQuery(ref))
  if (category === undefined) return <PendingScreen />

  const label = categoryLabel(category.name).replace(EMOJI, '')
  const searched = view.search !== ''
  const address = publicUrl + paths.category(category.name)
  return (
    <>
      <PageHead
        title={searched ? `${label}で「${view.search}」の検索結果` : `${label}のスレッド一覧`}
        description={`忍板の${label}カテゴリ${category.description === '' ? '' : `（${category.description}）`}のスレッド一覧です。新着順・投稿数順・いいね順で読み、匿名で書き込めます。`}
        path={paths.category(category.name) + listQuery({ search: view.search, sort: 'newest', cursor: view.cursor })}
        noindex={searched}
        jsonLd={{
          '@type': 'CollectionPage',
          name: `${label}のスレッド一覧`,
          url: address,
          inLanguage: 'ja',
          breadcrumb: {
            '@type': 'BreadcrumbList',
            itemListElement: [
              { '@type': 'ListItem', position: 1, name: 'スレッド一覧', item: `${publicUrl}/` },
              { '@type': 'ListItem', position: 2, name: label, item: address },
            ],
          },
        }}
      />
      <ShieldNotice category={category.name} />
      <ThreadListScreen
        category={ref}
        title={categoryLabel(category.name)}
        view={view}
        above={<HeldThreads category={category.name} onOpened={keepName} />}
        sidebar={
          <>
            <FeaturedCategories current={category.name} />
            <CategoryTrending category={ref} />
            <TrendingSidebar wideOnly />
          </>
        }
      />
      <Likes />
    </>
  )
}
