/** A small seeded generator, so that every run measures the same bytes. */
export function random(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

export const WORDS = (
  '政府 選挙 物価 給料 電車 会社 仕事 週末 天気 映画 漫画 音楽 旅行 温泉 東京 大阪 北海道 福岡 日本 世界 経済 円安 移民 共生 教育 病院 ' +
  '子ども 友人 について だと思う ではないか という話 らしいです なのかな したい してみた でしょうか かもしれない 最近 昨日 今日 去年 やっぱり ' +
  '正直 たぶん けっこう みんな 誰か その この あの が は を に で と も から まで より 高い 安い 楽しい 難しい 面白い 静かな'
).split(' ')

/** A post of usual length, for what is written under load. */
export const POST_TEXT =
  '最近の物価は高いけれど、週末の温泉はやっぱり楽しい。北海道への旅行について、みんなはどう思いますか。'

/** Text of about this many characters, with occasional full stops and line ends. */
export function japanese(next: () => number, length: number): string {
  let text = ''
  while (text.length < length) {
    text += WORDS[Math.floor(next() * WORDS.length)]
    const chance = next()
    if (chance < 0.08) text += '。'
    else if (chance < 0.1) text += '、'
    else if (chance < 0.12) text += '\n'
  }
  return text.trim().slice(0, length)
}
