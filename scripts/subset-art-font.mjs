/**
 * Cuts the font of Shift_JIS art out of Monapo (IPA Font License 1.0), which has the widths of MS
 * PGothic, and writes apps/web/src/ui/fonts/shinobi-art.woff2 with the licence. Needed only when a
 * character is missing: node scripts/subset-art-font.mjs <folder>, the contents of Debian's package
 * fonts-monapo (dpkg -x fonts-monapo_….deb <folder>).
 */
import { readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import subsetFont from 'subset-font'

/**
 * All that is not one em wide in MS PGothic, and what belongs to its drawings: letters, kana, signs
 * and lines. Kanji are one em wide in every font of the system.
 */
const spans = [
  [0x20, 0x7e],
  [0xa0, 0x4ff],
  [0x2000, 0x2bff],
  [0x3000, 0x33ff],
  [0xfe30, 0xfe4f],
  [0xff00, 0xffef],
]

const folder = process.argv[2]
if (folder === undefined) {
  console.error('usage: node scripts/subset-art-font.mjs <folder of the unpacked package fonts-monapo>')
  process.exit(1)
}
const target = join(dirname(fileURLToPath(import.meta.url)), '../apps/web/src/ui/fonts')

const text = spans
  .flatMap(([from, to]) => Array.from({ length: to - from + 1 }, (_, index) => String.fromCodePoint(from + index)))
  .join('')
const original = await readFile(join(folder, 'usr/share/fonts/truetype/monapo/monapo.ttf'))
const subset = await subsetFont(original, text, { targetFormat: 'sfnt', noLayoutClosure: true })

// The licence forbids the name of the original in a derived font. A name of the same length keeps
// the table as long as it was.
const [before, after] = ['Monapo', 'ShinAA']
for (const encode of [(name) => Buffer.from(name, 'latin1'), (name) => Buffer.from(name, 'utf16le').swap16()]) {
  const name = encode(before)
  for (let place = subset.indexOf(name); place !== -1; place = subset.indexOf(name)) encode(after).copy(subset, place)
}
const font = await subsetFont(subset, text, { targetFormat: 'woff2', noLayoutClosure: true })
await writeFile(join(target, 'shinobi-art.woff2'), font)
console.log(`shinobi-art: ${font.length} bytes`)

const notice = await readFile(join(folder, 'usr/share/doc/fonts-monapo/copyright'), 'utf8')
const licence = notice
  .slice(notice.indexOf(' IPAフォントライセンス'), notice.lastIndexOf('\nLicense: GPL-3+'))
  .split('\n')
  .map((line) => (line === ' .' ? '' : line.slice(1)))
  .join('\n')
  .trim()
await writeFile(
  join(target, 'IPA.txt'),
  `shinobi-art.woff2 is a part of Monapo (C) 2007-2011 Information-technology Promotion Agency, Japan,
2009-2017 UTUMI Hirosi, without its kanji and under another name. Its licence follows.

The original is Debian's package fonts-monapo, version 20170722. To use it instead, install it on
your computer: the board prefers an installed Monapo to this file. The file itself can be replaced by
monapo.ttf of that package, in the @font-face of features/posts/post-text.module.css.

${licence}
`,
)
