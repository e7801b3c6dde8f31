/** Articles for tests. */
import type { ArticleDocument } from '../documents.ts'

/** An article with this text, as a page without further facts gives it. */
export const articleOf = (text: string, fields: Partial<ArticleDocument> = {}): ArticleDocument => ({
  ...{ url: 'https://news.example/1', canonicalUrl: 'https://news.example/1', title: '見出し', site: null },
  ...{ publishedAt: null, language: null, imageUrl: null, text, suspicious: [] },
  ...fields,
})

/** An article of a list. */
export interface Listed {
  readonly name: string
  readonly title: string
  readonly paragraphs: readonly string[]
  /** Lines that begin with + or -: what may be said of it, and what may not. */
  readonly claims: readonly string[]
}

/** The articles of a list, between empty lines: `# name`, the title, paragraphs and claims, one a line. */
export const readList = (list: string): Listed[] =>
  list
    .trim()
    .split('\n\n')
    .map((article) => {
      const [name = '', title = '', ...lines] = article.split('\n')
      const isClaim = (line: string): boolean => /^[+-] /.test(line)
      const paragraphs = lines.filter((line) => !isClaim(line))
      return { name: name.slice('# '.length), title, paragraphs, claims: lines.filter(isClaim) }
    })
