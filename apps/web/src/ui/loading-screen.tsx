import styles from './loading-screen.module.css'
import { MoonRidge } from './motifs/moon-ridge.tsx'

/**
 * Covers the page while its first content loads: the moon rises and a figure crosses the ridge. It
 * appears only after 300 ms (in CSS, so that a fast answer never flashes it), and does not move
 * under reduced motion.
 */
export function LoadingScreen({ label = '忍び込み中…' }: { label?: string }) {
  return (
    <div className={styles['screen']} role="status">
      <MoonRidge runner className={styles['scene']} />
      <p className={styles['label']}>{label}</p>
    </div>
  )
}
