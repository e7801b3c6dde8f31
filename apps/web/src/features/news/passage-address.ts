/** Characters at both ends of a passage by which it is found. */
const FOUND_BY = 16

/** Links to the passage itself where the browser supports text fragments, else to the article. */
export function passageAddress(url: string, quote: string): string {
  if (url.includes('#')) return url
  const encode = (text: string) => encodeURIComponent(text).replaceAll('-', '%2D')
  const [first = ''] = quote.split('\n')
  const characters = [...first]
  const whole = characters.length <= 2 * FOUND_BY
  const ends = [characters.slice(0, FOUND_BY), characters.slice(-FOUND_BY)].map((part) => encode(part.join('').trim()))
  return `${url}#:~:text=${whole ? encode(first) : ends.join(',')}`
}
