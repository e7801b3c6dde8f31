/**
 * Plausible Japanese threads and posts from a seeded generator, to fill a board for development,
 * screenshots and load tests. Texts vary as on a real board: a word or a page, polite or blunt,
 * with anchors, links, emoji, half-width kana and some Shift_JIS art.
 */
import { messages } from '@shinobi/contract/messages'
import { writeNews, type WrittenNews } from './japanese-news.ts'
import type { Random } from './random.ts'
import { TOPICS, type Topic } from './japanese-topics.ts'

/** A writing style; a poster keeps to one. */
type Manner = 'polite' | 'plain' | 'board' | 'cheerful' | 'terse'

export interface Poster {
  /** Null posts as 名無し. */
  readonly name: string | null
  readonly manner: Manner
}

export interface OpenedThread {
  readonly topic: Topic
  readonly title: string
  readonly content: string
  /** The news that it summarises; null for a thread that a visitor opened. */
  readonly news: WrittenNews | null
}

const lines = (text: string): string[] => text.trim().split('\n')
const words = (text: string): string[] => text.trim().split(/\s+/)

const ADJECTIVES = words(
  `静かな 素早い 影の 月夜の 眠たい 気ままな 旅する 身軽な 霧の 雪国の 竹林の 迷子の 見習いの 腹ぺこの 謎の 夜更けの 港町の 通りすがりの 陽気な 無口な 猫好きの 寝不足の`,
)
const NOUNS = words(
  `忍者 くノ一 手裏剣 巻物 烏 鷹 狐 狸 猫 蛍 影法師 隠密 飛脚 侍 山伏 蛙 梟 三日月 忍犬 煙玉 撒菱 大福 番傘 風鈴`,
)
const SUFFIX = 'abcdefghjkmnpqrstuvwxyz23456789'
/** Weighted, because equal shares would make every thread sound alike. */
const MANNERS: readonly Manner[] = [
  'polite',
  'polite',
  'plain',
  'plain',
  'plain',
  'board',
  'board',
  'cheerful',
  'terse',
]

export function makePoster(random: Random): Poster {
  const manner = random.pick(MANNERS)
  if (random.chance(0.3)) return { name: null, manner }
  let suffix = ''
  for (let i = 0; i < 5; i += 1) suffix += SUFFIX.charAt(random.below(SUFFIX.length))
  return { name: `${random.pick(ADJECTIVES)}${random.pick(NOUNS)}_${suffix}`, manner }
}

type Say = (topic: Topic, random: Random) => string

const view: Say = (topic, random) => random.pick(topic.views)
const aspect: Say = (topic, random) => random.pick(topic.aspects)
const subject: Say = (topic) => topic.subject
const WHERE = [
  'うちの近所でも',
  '地元では',
  '前の職場でも',
  '田舎だと',
  '都内だと',
  '親戚の話だと',
  '自分の経験では',
  '最近は',
]
const WHO = words(`会社員 学生 主婦 公務員 介護職 農家 自営業 元販売員 子育て中 定年過ぎ 配達員 看護師`)
const where: Say = (_topic, random) => random.pick(WHERE)
const who: Say = (_topic, random) => random.pick(WHO)
const count: Say = (_topic, random) => String(2 + random.below(28))

/**
 * A sentence with gaps: {v} a view, {s} the subject, {a} an aspect of it, {w} where, {j} a
 * profession, {n} a small number.
 */
const GAPS: Readonly<Record<string, Say>> = { v: view, s: subject, a: aspect, w: where, j: who, n: count }
const fill = (sentence: string, topic: Topic, random: Random): string =>
  sentence.replace(/\{(\w)\}/g, (_gap, key: string) => GAPS[key]!(topic, random))

const SENTENCES: Readonly<Record<Manner, readonly string[]>> = {
  polite: lines(`
個人的には、{v}と思います。
{j}ですが、{w}{v}ように感じます。
{v}のではないでしょうか。
{a}のことも含めて考えたいですね。
{s}については、賛成の方も反対の方もまず事実を確かめたいところです。
{w}{a}が話題になっていました。
参考になります。ありがとうございます。
{v}という声をよく聞きます。
なるほど、{a}という見方もあるのですね。
{n}年ほど関わってきましたが、{v}のが実感です。
詳しい方、{a}の現状を教えていただけませんか。
一方で、{v}ことも忘れてはいけないと思います。
お気持ちはよく分かります。
長文失礼しました。
数字の出どころがあれば、ぜひ読んでみたいです。
`),
  plain: lines(`
{v}と思う。
{w}{v}。
結局のところ、{v}んだよな。
{a}の話が出てこないのが不思議だ。
これは{a}から直さないと変わらない気がする。
自分は{j}だけど、{v}のは本当。
{n}年前はこんなに言われていなかった。
{v}という人もいれば、そうでない人もいる。
{s}って、外から見るのと中で見るのとで全然違う。
それは分かるけど、{v}のも事実だ。
前に本で読んだが、{a}は{n}年で大きく変わったらしい。
なかなか難しい話だな。
時間がかかっても話し合うしかない。
うまくいっている所の話をもっと聞きたい。
極端な意見が目立つけど、大半の人は間にいる。
{a}だけ見て決めるのは早い。
`),
  board: lines(`
{v}んだよなあ
{v}って何回言われてんだよｗ
{a}の話する奴だいたい{a}知らない説
{s}スレ、今日も平和で何より
{w}{v}んだが？
ソースはどこだよ
わかる
ぐう正論
{j}ワイ、勉強になる
それ{n}年前から言われてるぞ
{v}、はい論破（されたい）
{a}ニキ解説たのむ
ﾜﾛﾀ
今北産業
有能
お、そうだな
{a}に詳しすぎる人おって草
スレ落ちたと思ってたら生きてた
ｷﾀ━━━━(ﾟ∀ﾟ)━━━━!!
まあ待て、茶でも飲め 旦~
`),
  cheerful: lines(`
{v}よね〜！
わたしも{w}{v}って思ってた😂
{a}ほんとそれ👏
{s}の話、家でもよくするよ😊
{j}です！ {v}の、すごく分かります🙏
勉強になる〜📝
{a}のこと、もっと知りたいな👀
みんな優しいスレだ…✨
{n}年ぶりに書き込んだかも😆
いい話すぎる🥹
それ見た見た！
雨の日は{a}のこと考えちゃう☔
おやすみ前に読みに来たよ🌙
お茶淹れてくる🍵
`),
  terse: lines(`
それな
草
せやな
{a}な
たしかに
同意
違うと思う
{v}
{a}はもう無理
知らなかった
保守
ほう
うん
？
一理ある
{s}ねえ…
次スレよろ
やっと追いついた
詳しく
テスト
ﾃｽﾄ
( ´∀｀)つ旦
`),
}

/** Topics without jokes, because the random generator must not ridicule anybody. */
const CALM = new Set<Topic>([...TOPICS['immigration']!, ...TOPICS['immigration-japan']!])
const CALM_REACTIONS = ['わかる', 'ありがとう', '了解', 'なるほど', '参考になる', '同意', '🙏', '👍']
const REACTIONS = words(
  `草 それな わかる 天才か やさしい世界 待ってました まじか ありがとう 了解 いいね 乙 👍 🙏 ｗｗｗ はい`,
)

/** Shift_JIS art as on old boards; the leading wide spaces are part of the drawing. */
const ART = [
  '　　∧＿∧\n　 （　´∀｀）＜ お茶が入ったぞ\n　 （　　　　）\n　 ｜ ｜　|\n　 （_＿）＿）',
  '　　∧,,∧\n　 (,,・∀・)　いい天気だ\n　～(_ｕ,ｕﾉ',
  '　 ／＼＿／＼\n　 |　・　・　|　ﾆｬｰ\n　 |　　＝　　|\n　 ＼＿＿＿／',
  '　　　 ∧_∧\n　　　(´･ω･`)　また明日\n　 ＿ノ　 ヽ＿\n　(＿＿＿＿＿)',
]

/** Half-width katakana of words that some people still type so; posts are stored as typed. */
const HALF_WIDTH: readonly (readonly [full: string, half: string])[] = [
  ...([
    ['カレー', 'ｶﾚｰ'],
    ['ラーメン', 'ﾗｰﾒﾝ'],
    ['ゲーム', 'ｹﾞｰﾑ'],
    ['バス', 'ﾊﾞｽ'],
    ['ビザ', 'ﾋﾞｻﾞ'],
    ['ルール', 'ﾙｰﾙ'],
  ] as const),
  ...([
    ['ポイント', 'ﾎﾟｲﾝﾄ'],
    ['コード', 'ｺｰﾄﾞ'],
    ['リュック', 'ﾘｭｯｸ'],
    ['スレ', 'ｽﾚ'],
    ['パスワード', 'ﾊﾟｽﾜｰﾄﾞ'],
    ['AI', 'ＡＩ'],
  ] as const),
]
const halfWidth = (text: string): string => HALF_WIDTH.reduce((all, [full, half]) => all.replaceAll(full, half), text)

const PATHS = ['report', 'news', 'blog', 'data', 'faq', 'archive', 'column']
const link = (random: Random): string =>
  `https://${random.pick(['example.com', 'example.jp', 'www.example.jp', 'blog.example.com'])}/${random.pick(PATHS)}/${1_000 + random.below(90_000)}`

/** An anchor to an earlier post, mostly one of the last few, sometimes the first. */
function anchor(number: number, random: Random): string {
  if (number <= 2 || random.chance(0.12)) return '>>1'
  const back = 1 + Math.floor(random.next() ** 3 * Math.min(number - 2, 60))
  const target = Math.max(1, number - back)
  return random.chance(0.05) && target > 2 ? `>>${target - 1}-${target}` : `>>${target}`
}

/** Sentences of a post: mostly one or two, rarely a page. */
const sentencesOf = (manner: Manner, random: Random): number => {
  if (manner === 'terse') return 1
  const most = manner === 'board' ? 3 : 14
  return 1 + Math.floor(random.next() ** 3 * most)
}

/** The text of a post; `number` is its place in the thread. */
export function writePost(topic: Topic, poster: Poster, number: number, random: Random): string {
  if (random.chance(0.004)) return random.pick(ART)
  const calm = CALM.has(topic)
  const manner = calm && (poster.manner === 'board' || poster.manner === 'terse') ? 'plain' : poster.manner
  const lines: string[] = []
  if (number > 1 && random.chance(0.34)) lines.push(anchor(number, random))
  if (random.chance(0.1)) {
    lines.push(random.pick(calm ? CALM_REACTIONS : REACTIONS))
    return lines.join('\n')
  }
  const said = new Set<string>()
  let paragraph = ''
  const wanted = sentencesOf(manner, random)
  for (let i = 0; i < wanted; i += 1) {
    const pattern = random.pick(SENTENCES[manner])
    if (said.has(pattern)) continue
    said.add(pattern)
    const sentence = fill(pattern, topic, random)
    const breaks = manner === 'board' || manner === 'cheerful' || random.chance(0.35)
    if (paragraph !== '' && breaks) {
      lines.push(paragraph)
      if (random.chance(0.15)) lines.push('')
      paragraph = ''
    }
    paragraph += sentence
  }
  if (paragraph !== '') lines.push(paragraph)
  if (random.chance(0.03)) lines.push(link(random))
  const text = lines.join('\n')
  return random.chance(0.05) ? halfWidth(text) : text
}

const TITLES = lines(`
{s}について語るスレ
{s}、どう思う？
【議論】{s}はこのままでいいのか
【質問】{s}に詳しい人いる？
{s}と{a}の話
【雑談】{s} Part{n}
{s}で困っていること、うれしかったこと
【経験談】{s}の体験を集めるスレ
【悲報】{a}、また話題になってしまう
【朗報】{a}に改善の兆し
{a}から考える{s}
結局「{v}」に落ち着く説
【速報】{h}
{h}
【実況】{s}をのんびり見守るスレ ★{n}
{j}だけど{s}について聞きたいことある？
【初心者歓迎】{s} 質問スレ{n}
{s}って実際どうなの？
「{v}」←これ本当？
【保存版】{s}の基本をまとめていく
【愚痴】{a}に疲れた人の集まり
{a}の話をしようず
{w}{v}件について
`)

/** A thread opened by the news worker: a headline, and the sentences of its summary. */
function openNews(topic: Topic, random: Random): OpenedThread {
  const news = writeNews(topic, random)
  const text = news.sentences.map((sentence) => sentence.text).join('\n')
  return { topic, title: news.title, content: text === '' ? messages.news_headline_text : text, news }
}

/** A title of usual length: very short and very long ones make lists look wrong. */
function writeTitle(topic: Topic, random: Random): string {
  for (;;) {
    const title = fill(random.pick(TITLES).replace('{h}', topic.news), topic, random)
    if (title.length >= 8 && title.length <= 60) return title
  }
}

/**
 * Opens a thread on a topic of the category; a category without topics of its own uses all topics.
 */
export function openThread(category: string, poster: Poster, random: Random): OpenedThread {
  const topic = random.pick(TOPICS[category] ?? TOPICS['general']!)
  if (category !== 'rant' && random.chance(0.12)) return openNews(topic, random)
  const title = writeTitle(topic, random)
  const more = writePost(topic, poster, 1, random)
  const content = random.chance(0.3) ? topic.opening : `${topic.opening}\n\n${more}`
  return { topic, title, content, news: null }
}
