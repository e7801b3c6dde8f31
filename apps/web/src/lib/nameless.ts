/** Who posted without a name, or has left the board since. */
export const NAMELESS = '名無し'
