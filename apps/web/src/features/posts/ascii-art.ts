/**
 * Shift_JIS art is set in a monospaced font and must not wrap. JDim's test (an ideographic space
 * followed by an ASCII space, which only art uses to shift by a few pixels) detects most of it; a
 * high share of drawing characters detects the rest.
 */
const SHIFT_SPACE = /　 | 　/u
const DRAWING =
  /[／＼｜￣＿∧∨⊂⊃∩∪ｌﾉﾚゝヽ丶彡ミ乂ﾞ゛゜`´ﾟ¨ヾ〃〆｀'"/\\|_()（）ノﾘ:;.,･…‐－―─━│┃┌┐└┘├┤┬┴┼╋╂■□▲△▼▽◆◇○●◎☆★♪\u2500-\u257f\u2580-\u259f]/gu
const MIN_LINES = 3
const DRAWING_SHARE = 0.5

export function isAsciiArt(text: string): boolean {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  if (lines.length >= 2 && lines.some((line) => SHIFT_SPACE.test(line))) return true
  if (lines.length < MIN_LINES) return false
  // Addresses contain many slashes and dots without being art.
  const drawn = lines.filter((line) => {
    const ink = line.replace(/https?:\/\/\S+|\s/gu, '')
    return ink.length > 1 && (ink.match(DRAWING)?.length ?? 0) / ink.length >= DRAWING_SHARE
  })
  return drawn.length >= MIN_LINES && drawn.length * 2 > lines.length
}
