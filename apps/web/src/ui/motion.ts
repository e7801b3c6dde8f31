/**
 * The visitor's switch for decorative motion (演出を止める, in the footer and under 表示), beside the
 * system's setting: `data-motion` on <html>, where the style sheet reads it.
 */
import { onRootAttribute, rootAttribute, setRootAttribute } from '../lib/root-attributes.ts'

export const setMotionOff = (off: boolean): void => setRootAttribute('motion', off ? 'off' : null)

export const isMotionOff = (): boolean => rootAttribute('motion') === 'off'

/**
 * Whether motion is reduced, by the switch or by the system's setting; for event handlers, on the
 * client only.
 */
export const motionIsReduced = (): boolean =>
  isMotionOff() || window.matchMedia('(prefers-reduced-motion: reduce)').matches

export const onMotionChange = onRootAttribute
