import type { Category } from '@shinobi/contract/categories'
import { categoryLabel } from '@shinobi/contract/category-labels'
import { Link } from 'react-router'
import { paths } from '../../app/paths.ts'
import { cx } from '../../ui/cx.ts'
import { Shuriken } from '../../ui/motifs/shuriken.tsx'
import styles from './category-button.module.css'

/**
 * A wooden plate with a star; on hover, touch or focus the star spins and a second one is thrown.
 */
export function CategoryButton({ category }: { category: Category }) {
  const { _id, name, description } = category
  const label = categoryLabel(name)
  return (
    <Link to={paths.category(_id)} className={cx(styles['plate'])}>
      <span className={styles['words']}>
        <span className={styles['label']}>{label}</span>
        {description !== '' && description !== label && <span className={styles['description']}>{description}</span>}
      </span>
      <span className={styles['target']} aria-hidden="true">
        <Shuriken className={styles['star']} />
      </span>
      <span className={styles['flight']} aria-hidden="true">
        <span className={styles['path']}>
          <Shuriken className={styles['thrown']} />
        </span>
      </span>
    </Link>
  )
}
