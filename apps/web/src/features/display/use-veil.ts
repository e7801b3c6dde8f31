import { useState } from 'react'
import { readDisplay, useDisplay } from './settings.ts'

export interface Veil {
  /** The image is blurred or hidden: the next press shows it. */
  readonly veiled: boolean
  readonly reveal: () => void
  /** For `data-veil`, by which the style sheet blurs or hides; undefined once shown. */
  readonly attribute: '' | undefined
}

/**
 * Whether an image is blurred or hidden.
 * @param thumbnail its link or button; null where it is not on the page: nobody has revealed it
 */
export const isVeiled = (thumbnail: HTMLElement | null): boolean =>
  readDisplay('images') !== 'show' && (thumbnail === null || 'veil' in thumbnail.dataset)

/**
 * For the link or button of an image, which the visitor may have chosen to blur or to hide (画像).
 * The style sheet acts before the first paint; this tells what a press does.
 */
export function useVeil(): Veil {
  const choice = useDisplay('images')
  const [shown, setShown] = useState(false)
  return {
    veiled: choice !== 'show' && !shown,
    reveal: () => setShown(true),
    attribute: shown ? undefined : '',
  }
}
