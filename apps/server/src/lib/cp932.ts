import iconv from 'iconv-lite'

/**
 * Text in CP932 (Shift_JIS as Windows and 2ch use it). Characters that it lacks become numeric
 * references (`&#128514;`), as browsers send them in forms.
 */
export function encodeCp932(text: string): Buffer {
  const parts = Array.from(text.toWellFormed(), (character) => {
    const bytes = iconv.encode(character, 'cp932')
    // iconv-lite writes ? for what it cannot encode.
    const isLacking = bytes.length === 1 && bytes[0] === 0x3f && character !== '?'
    return isLacking ? Buffer.from(`&#${character.codePointAt(0)};`) : bytes
  })
  return Buffer.concat(parts)
}
