/**
 * Shift_JIS art is set in a font of its own and must not wrap. A line of it has an ideographic
 * space beside an ASCII space (JDim's test: art shifts by a few pixels with them), or a high share
 * of drawing characters.
 */
const SHIFT_SPACE = /　 | 　/u
const DRAWING =
  /[／＼｜￣＿∧∨⊂⊃∩∪ｌﾉﾚゝヽ丶彡ミ乂ﾞ゛゜`´ﾟ¨ヾ〃〆｀'"/\\|_()（）ノﾘ:;.,･…‐－―─━│┃┌┐└┘├┤┬┴┼╋╂■□▲△▼▽◆◇○●◎☆★♪\u2500-\u257f\u2580-\u259f]/gu
const DRAWING_SHARE = 0.5
/** No drawing is wider; a line of prose easily is, and would never wrap. */
const LINE_MAX = 240

export function isAsciiArt(text: string): boolean {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  if (lines.length < 2 || lines.some((line) => line.length > LINE_MAX)) return false
  const isShifted = lines.some((line) => SHIFT_SPACE.test(line))
  const drawn = lines.filter((line) => SHIFT_SPACE.test(line) || isDrawn(line))
  // A stray pair of spaces is in prose, too. Art often has some lines of prose above or below it.
  if (isShifted) return drawn.length >= 2 && drawn.length * 3 >= lines.length
  return drawn.length >= 3 && drawn.length * 2 > lines.length
}

function isDrawn(line: string): boolean {
  // Addresses contain many slashes and dots without being art.
  const ink = line.replace(/https?:\/\/\S+|\s/gu, '')
  return ink.length > 1 && (ink.match(DRAWING)?.length ?? 0) / ink.length >= DRAWING_SHARE
}
