import { messages } from '@shinobi/contract/messages'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { PageHead } from '../../app/page-head.tsx'
import { paths } from '../../app/paths.ts'
import { categoriesQuery } from '../../features/categories/api.ts'
import { EmptyState } from '../../ui/empty.tsx'
import { ErrorBox } from '../../ui/error-box.tsx'
import { LoadingScreen } from '../../ui/loading-screen.tsx'
import styles from './categories-page.module.css'
import { CategoryButton } from './category-button.tsx'

export function CategoriesPage() {
  const { data: categories, isError, refetch } = useQuery(categoriesQuery())
  return (
    <div className={`container ${styles['page']}`}>
      <PageHead
        title="カテゴリ一覧"
        description="忍板のカテゴリ一覧。政治、経済、国際、移民、愚痴、雑談など、話題からスレッドを探せます。"
        path={paths.categories}
      />
      <h1 className="screen-title">カテゴリ一覧</h1>
      {categories !== undefined ? (
        categories.length === 0 ? (
          <EmptyState title="カテゴリはまだありません。">
            <Link to={paths.home}>すべてのスレッドを見る</Link>
          </EmptyState>
        ) : (
          <ul className={styles['list']}>
            {categories.map((category) => (
              <li key={category._id}>
                <CategoryButton category={category} />
              </li>
            ))}
          </ul>
        )
      ) : isError ? (
        <ErrorBox message={messages.categories_failed} pose="offline" onRetry={() => void refetch()} />
      ) : (
        <LoadingScreen />
      )}
    </div>
  )
}
