import { loadChunk } from '../../lib/load-chunk.ts'

/** Opens the panel 表示, which is loaded on demand. */
export const openDisplay = (): Promise<void> =>
  loadChunk(() => import('./display-panel.tsx')).then(
    ({ DisplayPanel, showApart }) => showApart(DisplayPanel),
    () => {},
  )
