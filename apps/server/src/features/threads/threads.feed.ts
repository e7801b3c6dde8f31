/**
 * Newest threads as Atom feeds (RFC 4287) for feed readers: /feed.xml, and one for each category.
 */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { categoryLabel } from '@shinobi/contract/category-labels'
import { categoryParams } from '@shinobi/contract/categories'
import { PAGE_SIZE } from '@shinobi/contract/limits'
import { markOf } from '@shinobi/contract/news-labels'
import { NAMELESS } from '@shinobi/contract/nameless'
import type { App } from '../../http/fastify.ts'
import { MAX_STALE_MS } from '../../http/response-cache.ts'
import { refuse } from '../../lib/api-error.ts'
import { selectCategory, type CategoryRow } from '../categories/categories.queries.ts'
import { CATEGORIES_TAG } from '../categories/categories.tags.ts'
import type { ThreadsDeps } from './threads.deps.ts'
import { selectThreads, type ThreadRow } from './threads.queries.ts'
import { threadTags } from './threads.tags.ts'

const atom = { produces: ['application/atom+xml'], response: { 200: z.string() } } as const

export function registerThreadFeeds(app: App, deps: ThreadsDeps): void {
  const { dbFor } = deps

  async function answerFeed(
    request: FastifyRequest,
    reply: FastifyReply,
    category: CategoryRow | null,
  ): Promise<string> {
    request.tagAnswer(category === null ? threadTags.lists : threadTags.category(category.id))
    const categoryId = category?.id ?? null
    const rows = await selectThreads(dbFor(request), {
      categoryId,
      sort: 'newest',
      terms: null,
      cursor: null,
      limit: PAGE_SIZE,
      now: deps.now(),
    })
    reply.type('application/atom+xml; charset=utf-8')
    return writeFeed(deps.config.publicUrl, category, rows, deps.now())
  }

  app.route({
    method: 'GET',
    url: '/feed.xml',
    config: { cache: { maxStaleMs: MAX_STALE_MS } },
    schema: { summary: 'Newest threads as an Atom feed', tags: ['threads'], ...atom },
    serializerCompiler: () => String,
    handler: async (request, reply) => answerFeed(request, reply, null),
  })

  app.route({
    method: 'GET',
    url: '/categories/:categoryId/feed.xml',
    config: { cache: { maxStaleMs: MAX_STALE_MS } },
    schema: {
      summary: 'Newest threads of a category as an Atom feed',
      tags: ['threads'],
      params: categoryParams,
      ...atom,
    },
    serializerCompiler: () => String,
    handler: async (request, reply) => {
      request.tagAnswer(CATEGORIES_TAG)
      const category = await selectCategory(dbFor(request), request.params.categoryId)
      if (category === undefined) throw refuse('not_found', 'category_not_found')
      return answerFeed(request, reply, category)
    },
  })
}

async function writeFeed(
  publicUrl: string,
  category: CategoryRow | null,
  rows: readonly ThreadRow[],
  now: number,
): Promise<string> {
  // Loaded at the first request: most boards get none for hours.
  const { generateAtomFeed } = await import('feedsmith')
  const path = category === null ? '/' : `/categories/${encodeURIComponent(category.name)}`
  const newest = rows.reduce((latest, row) => Math.max(latest, row.createdAt.getTime()), 0)
  return generateAtomFeed({
    id: publicUrl + path,
    title: { value: category === null ? '忍板' : `${categoryLabel(category.name)}｜忍板` },
    updated: new Date(newest === 0 ? now : newest),
    links: [
      { href: publicUrl + path, rel: 'alternate', type: 'text/html' },
      { href: `${publicUrl}${category === null ? '' : path}/feed.xml`, rel: 'self', type: 'application/atom+xml' },
    ],
    entries: rows.map((row) => ({
      id: `urn:uuid:${row.id}`,
      title: { value: plain(row.title) },
      published: row.createdAt,
      updated: row.createdAt,
      // A news thread has no writer; its author is the board.
      authors: [{ name: row.summary === null ? plain(row.nickname ?? NAMELESS) : '忍板' }],
      categories: [
        { term: row.category, label: categoryLabel(row.category) },
        ...(row.aiGenerated ? [{ term: 'ai-summary', label: 'AI要約' }] : []),
      ],
      links: [
        { href: `${publicUrl}/thread/${row.id}`, rel: 'alternate', type: 'text/html' },
        ...(row.sourceUrl === null
          ? []
          : [{ href: plain(row.sourceUrl), rel: 'via', title: `出典: ${plain(row.sourceSite ?? '')}` }]),
      ],
      summary: { value: plain(markOf(row) + row.excerpt) },
    })),
  })
}

/**
 * XML 1.0 does not allow control characters, and a reader that finds one discards the whole feed.
 */
const plain = (text: string): string =>
  // oxlint-disable-next-line no-control-regex -- these are what is looked for
  text.toWellFormed().replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '')
