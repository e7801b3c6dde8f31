import type { ReactNode } from 'react'
import { paths } from '../../app/paths.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { PlusIcon } from '../../ui/icons.tsx'
import { SearchForm } from './search-form.tsx'
import { ThreadList, type ThreadListProps } from './thread-list.tsx'
import styles from './thread-list-screen.module.css'

interface ThreadListScreenProps extends ThreadListProps {
  /** The category's name with its picture; without one it is the board's list, which has the way to a new thread in its head. */
  title?: string
  /** Between the search and the list. */
  trending?: ReactNode
  /** Beside the list, or above it on narrow windows. */
  sidebar: ReactNode
}

/** スレッド一覧: the same screen for the board and for a category. */
export function ThreadListScreen({ title, trending, sidebar, ...list }: ThreadListScreenProps) {
  return (
    <div className={`container ${styles['screen']}`}>
      <header className={styles['head']}>
        {title === undefined ? (
          <>
            <h1 className="screen-title">スレッド一覧</h1>
            <ButtonLink to={paths.create()} variant="primary" icon={<PlusIcon size={18} />} data-creates>
              スレッドを作成
            </ButtonLink>
          </>
        ) : (
          <>
            <h1 className="screen-title">{title}</h1>
            <h2 className={`meta ${styles['kind']}`}>スレッド一覧</h2>
          </>
        )}
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
