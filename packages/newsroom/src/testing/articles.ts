/** Articles for tests. */
import type { ArticleDocument } from '../documents.ts'

/** An article with this text, as a page without further facts gives it. */
export const articleOf = (text: string, fields: Partial<ArticleDocument> = {}): ArticleDocument => ({
  ...{ url: 'https://news.example/1', canonicalUrl: 'https://news.example/1', title: '見出し', site: null },
  ...{ publishedAt: null, language: null, imageUrl: null, text, suspicious: [] },
  ...fields,
})
