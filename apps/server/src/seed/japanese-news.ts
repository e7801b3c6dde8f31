/**
 * Generated news: the articles of fictional publishers, and the opening post of the thread made
 * from them.
 */
import type { SummarySentence } from '@shinobi/contract/news'
import type { SummaryKind } from '@shinobi/contract/threads'
import type { Topic } from './japanese-topics.ts'
import type { Random } from './random.ts'

/** Fictional publishers: nobody owns example.jp. */
export const PUBLISHERS = [
  { site: 'つばめ通信', host: 'tsubame.example.jp' },
  { site: '港町デイリー', host: 'minato.example.jp' },
  { site: '里山ニュース', host: 'satoyama.example.jp' },
  { site: '北斗経済レポート', host: 'hokuto.example.jp' },
  { site: '青海ワールド', host: 'aomi.example.jp' },
  { site: '暮らしの時報', host: 'kurashi.example.jp' },
] as const

export type Publisher = (typeof PUBLISHERS)[number]

export interface WrittenArticle {
  readonly publisher: Publisher
  readonly title: string
  /** Its paragraphs, one per line. */
  readonly text: string
}

export interface WrittenNews {
  readonly kind: SummaryKind
  readonly title: string
  readonly sentences: readonly SummarySentence[]
  /** The first one was summarised. */
  readonly articles: readonly [WrittenArticle, ...WrittenArticle[]]
}

/**
 * One in ten has only the headline, one in five is an extract; the others count as a language
 * model's.
 */
function pickKind(random: Random): SummaryKind {
  const drawn = random.next()
  if (drawn < 0.1) return 'headline'
  return drawn < 0.3 ? 'extractive' : 'ai'
}

export function writeNews(topic: Topic, random: Random): WrittenNews {
  const kind = pickKind(random)
  const [first = '', second = '', third = ''] = [...topic.views].toSorted(() => random.next() - 0.5)
  const [aspect = topic.subject] = topic.aspects
  // What the article says, and a paraphrase.
  const told: readonly SummarySentence[] = [
    {
      quote: `${topic.subject}をめぐる新しい動きが、関係者への取材で分かった。`,
      text: `${topic.subject}に新しい動きがあった。`,
    },
    { quote: `専門家は取材に対し、「${first}」と述べた。`, text: `専門家は「${first}」とみている。` },
    {
      quote: `${aspect}については、「${second}」という声が上がっている。`,
      text: `${aspect}に関しては、「${second}」との声がある。`,
    },
    {
      quote: `当事者からは、「${third}」という意見も寄せられた。`,
      text: `「${third}」という当事者の意見もある。`,
    },
  ]
  const passages = told.map(({ quote }) => quote)
  const sentences = { ai: told, extractive: passages.map((quote) => ({ text: quote, quote })), headline: [] }[kind]
  const publisher = random.pick(PUBLISHERS)
  const article = { publisher, title: topic.news, text: [...passages, '詳しくは続報で伝える。'].join('\n') }
  if (!random.chance(0.25)) return { kind, title: topic.news, sentences, articles: [article] }
  // The same story from another publisher.
  const other = random.pick(PUBLISHERS.filter((one) => one !== publisher))
  const title = `${topic.subject}に新しい動き`
  return {
    ...{ kind, title: topic.news, sentences },
    articles: [article, { publisher: other, title, text: `${title}があった。` }],
  }
}
