import { categoryLabel, defaultCategory } from '@shinobi/contract/category-labels'
import type { Category } from '@shinobi/contract/categories'
import { messages } from '@shinobi/contract/messages'
import { may } from '@shinobi/contract/permissions'
import { stageOf } from '@shinobi/contract/thread-life'
import type { Thread } from '@shinobi/contract/threads'
import { useQuery } from '@tanstack/react-query'
import { Link, useSearchParams } from 'react-router'
import { PageHead } from '../../app/page-head.tsx'
import { paths } from '../../app/paths.ts'
import { useSite } from '../../app/site-context.tsx'
import { categoriesQuery } from '../../features/categories/api.ts'
import { usePause } from '../../features/notices/api.ts'
import { keepName } from '../../features/posts/keep-name.ts'
import { threadQuery } from '../../features/threads/api.ts'
import { CreateThreadForm } from '../../features/threads/create-thread-form.tsx'
import { toNextTitle } from '../../features/threads/next-title.ts'
import type { Continued } from '../../features/threads/use-create-thread.ts'
import { useMember } from '../../features/accounts/use-session.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { ChevronIcon } from '../../ui/icons.tsx'
import { Notice } from '../../ui/notice.tsx'
import styles from './create-page.module.css'

/**
 * /create, with the category of ?category= (name or id) preselected, or for the next thread of
 * ?previous= with all fields filled.
 */
export function CreatePage() {
  const [parameters] = useSearchParams()
  const member = useMember()
  const { data: categories = [] } = useQuery(categoriesQuery())
  const asked = parameters.get('category')
  const proposed = find(categories, asked) ?? defaultCategory(categories)
  const { publicUrl } = useSite()
  const previousId = parameters.get('previous')
  const { data: previous } = useQuery({ ...threadQuery(previousId ?? ''), enabled: previousId !== null })
  const continued = previous === undefined ? null : continuationOf(previous, publicUrl)
  return (
    <div className={`container ${styles['page']}`}>
      <PageHead
        title="スレッドを作成"
        description="忍板に新しいスレッドを立てます。ニックネームは任意、画像も1枚付けられます。"
        path={paths.create()}
        noindex
      />
      <header className={styles['head']}>
        <h1 className="screen-title">スレッドを作成</h1>
        <ButtonLink
          to={paths.categories}
          variant="ghost"
          className={styles['back']}
          icon={<ChevronIcon size={16} direction="left" />}
        >
          カテゴリ一覧に戻る
        </ButtonLink>
      </header>
      {previous !== undefined && continued !== null && <PreviousThread thread={previous} />}
      <CreateThreadForm
        key={continued?.threadId}
        continued={continued}
        categories={categories.map(({ name }) => ({ value: name, label: categoryLabel(name) }))}
        proposed={proposed?.name ?? ''}
        paused={usePause()}
        mayWriteAsStaff={(name) => may(member, 'writeAsStaff', find(categories, name)?._id)}
        onOpened={keepName}
      />
    </div>
  )
}

/** What the form contains for the next thread; null while the old one is far from its end. */
function continuationOf(thread: Thread, publicUrl: string): Continued | null {
  if (stageOf(thread) === 'open') return null
  const { _id: threadId, title, category, next } = thread
  return {
    threadId,
    title: toNextTitle(title),
    content: `前スレ ${publicUrl}${paths.thread(threadId)}\n\n`,
    category,
    hasNext: next !== null,
  }
}

/** The thread that the new one continues, or the one that continues it already. */
function PreviousThread({ thread: { _id, title, next } }: { thread: Thread }) {
  return next === null ? (
    <p className={styles['previous']}>
      <span className="meta">前スレ</span> <Link to={paths.thread(_id)}>{title}</Link>
    </p>
  ) : (
    <Notice tone="info">
      <p>
        {messages.next_thread_exists} <Link to={paths.thread(next._id)}>{next.title}</Link>
      </p>
      <p>このまま立てると、前スレとつながりのない別のスレッドになります。</p>
    </Notice>
  )
}

const find = (categories: readonly Category[], ref: string | null) =>
  categories.find(({ name, _id }) => name === ref || _id === ref)
