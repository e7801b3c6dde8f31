/**
 * Whether a key press belongs to an input method, as the Escape that cancels a conversion does.
 * Safari sends the last one of a conversion after its end, with keyCode 229 alone.
 */
export const isImeKey = ({ isComposing, keyCode }: Pick<KeyboardEvent, 'isComposing' | 'keyCode'>): boolean =>
  isComposing || keyCode === 229
