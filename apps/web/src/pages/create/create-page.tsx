import { categoryLabel, defaultCategory } from '@shinobi/contract/category-labels'
import type { Category } from '@shinobi/contract/categories'
import { NAMELESS } from '@shinobi/contract/nameless'
import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { PageHead } from '../../app/page-head.tsx'
import { paths } from '../../app/paths.ts'
import { categoriesQuery } from '../../features/categories/api.ts'
import { usePause } from '../../features/notices/api.ts'
import { chooseName } from '../../features/posts/nickname.ts'
import { rememberOwn } from '../../features/posts/own-posts.ts'
import { CreateThreadForm } from '../../features/threads/create-thread-form.tsx'
import { mayWriteAsStaff } from '../../lib/runs-board.ts'
import { useMember } from '../../lib/use-session.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { ChevronIcon } from '../../ui/icons.tsx'
import styles from './create-page.module.css'

/** /create, with the category of ?category= (name or id) chosen beforehand. */
export function CreatePage() {
  const [parameters] = useSearchParams()
  const member = useMember()
  const { data: categories = [] } = useQuery(categoriesQuery())
  const asked = parameters.get('category')
  const proposed = find(categories, asked) ?? defaultCategory(categories)
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
      <CreateThreadForm
        categories={categories.map(({ name }) => ({ value: name, label: categoryLabel(name) }))}
        proposed={proposed?.name ?? ''}
        paused={usePause()}
        mayWriteAsStaff={(name) => mayWriteAsStaff(member, find(categories, name)?._id ?? '')}
        onOpened={rememberThread}
      />
    </div>
  )
}

/** In the thread that somebody opened, post 1 is marked as theirs, and they are not asked for a name again. */
function rememberThread(threadId: string, nickname: string): void {
  rememberOwn(threadId)
  chooseName(threadId, nickname === '' ? NAMELESS : nickname)
}

const find = (categories: readonly Category[], ref: string | null) =>
  categories.find(({ name, _id }) => name === ref || _id === ref)
