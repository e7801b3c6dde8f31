/** /og/<thread>.png: the picture that previews of a shared thread show (Open Graph). */
import { threadParams } from '@shinobi/contract/threads'
import type { Core } from '../../core.ts'
import type { App } from '../../http/fastify.ts'
import { askerOf } from '../../http/visitor.ts'
import { refuse } from '../../lib/api-error.ts'
import { CATEGORIES_TAG } from '../categories/categories.tags.ts'
import { threadTags } from '../threads/threads.tags.ts'
import { selectCard } from './cards.queries.ts'
import { toCard } from './cards.rules.ts'
import type { Cards } from './cards.service.ts'

/** The picture of the board, in place of one that cannot be drawn now. */
const BOARD_CARD = '/og.png'

export function registerCards(app: App, { dbFor, cards }: Pick<Core, 'dbFor'> & { readonly cards: Cards }): void {
  app.route({
    method: 'GET',
    url: '/og/:threadId.png',
    // New posts do not drop it: it shows a rounded number of them, and is asked again in a minute.
    config: { cache: { maxStaleMs: 0 } },
    schema: { hide: true, params: threadParams },
    handler: async (request, reply) => {
      const { threadId } = request.params
      request.tagAnswer(threadTags.thread(threadId), CATEGORIES_TAG)
      const row = await selectCard(dbFor(request), threadId)
      if (row === undefined) throw refuse('not_found', 'thread_not_found')
      const png = await cards.pictureOf(toCard(row), askerOf(request.ip))
      if (png === null) return reply.redirect(BOARD_CARD)
      return reply.type('image/png').send(png)
    },
  })
}
