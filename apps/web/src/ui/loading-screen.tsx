import styles from './loading-screen.module.css'
import { MoonRidge } from './motifs/moon-ridge.tsx'

/**
 * Covers the page while its first content loads: the moon rises and a figure crosses the ridge. It shows itself only after
 * 300 ms (in CSS, so a quick answer never flashes it), and stands still for those who asked for that.
 */
export function LoadingScreen({ label = '忍び込み中…' }: { label?: string }) {
  return (
    <div className={styles['screen']} role="status">
      <MoonRidge runner className={styles['scene']} />
      <p className={styles['label']}>{label}</p>
    </div>
  )
}
