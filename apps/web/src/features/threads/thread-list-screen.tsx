import type { ReactNode } from 'react'
import { paths } from '../../app/paths.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'
import { PlusIcon } from '../../ui/icons.tsx'
import { SearchForm } from './search-form.tsx'
import { ThreadList, type ThreadListProps } from './thread-list.tsx'
import styles from './thread-list-screen.module.css'

interface ThreadListScreenProps extends ThreadListProps {
  /** Chosen beforehand on the screen behind スレッドを作成. */
  createIn?: string
  /** Between the search and the list. */
  trending?: ReactNode
  /** Beside the list, or above it on narrow windows. */
  sidebar: ReactNode
}

/** スレッド一覧: the same screen for the board and for a category. */
export function ThreadListScreen({ createIn, trending, sidebar, ...list }: ThreadListScreenProps) {
  return (
    <div className={`container ${styles['screen']}`}>
      <header className={styles['head']}>
        <h1 className="screen-title">スレッド一覧</h1>
        <ButtonLink
          to={paths.create(createIn)}
          variant="primary"
          icon={<PlusIcon size={18} />}
          className={cx(createIn !== undefined && styles['again'])}
        >
          スレッドを作成
        </ButtonLink>
      </header>
      <div className={styles['tools']}>
        <SearchForm view={list.view} />
      </div>
      <aside className={styles['aside']} aria-label="カテゴリと急上昇">
        {sidebar}
      </aside>
      <div className={styles['main']}>
        {trending}
        <ThreadList {...list} />
      </div>
    </div>
  )
}
