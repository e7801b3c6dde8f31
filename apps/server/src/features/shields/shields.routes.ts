import { may } from '@shinobi/contract/permissions'
import {
  challengeProof,
  getNotices,
  listShields,
  makeProofCode,
  setShield,
  submitProof,
} from '@shinobi/contract/shields'
import type { App } from '../../http/fastify.ts'
import { moderatorOf } from '../../http/access-guard.ts'
import { NOTICES_TAG } from '../../http/tags.ts'
import { selectCategories } from '../categories/categories.queries.ts'
import { CATEGORIES_TAG } from '../categories/categories.tags.ts'
import { setShieldByHand } from './manual-shields.service.ts'
import type { ShieldsDeps } from './shields.deps.ts'
import { toShield, toShieldNotice } from './shields.view.ts'

export function registerShields(app: App, deps: ShieldsDeps): void {
  const { db, settings, shields, visitors, limits, writability, isPartlyAway } = deps

  app.route({
    ...getNotices,
    config: { cache: { maxStaleMs: 0 } },
    handler: async (request) => {
      // The answer has the names of categories.
      request.tagAnswer(NOTICES_TAG, CATEGORIES_TAG)
      const categories = await selectCategories(db)
      return {
        pause: writability.pause,
        partlyAway: isPartlyAway(),
        banner: settings.current.bannerText,
        ownDeleteMinutes: settings.current.ownDeleteMinutes,
        shields: categories.flatMap((category) => {
          const shield = shields.find(category.id)
          return shield === null || shield.step === 0 ? [] : [toShieldNotice(shield, category)]
        }),
      }
    },
  })

  app.route({
    ...challengeProof,
    handler: async (request, reply) => {
      const visitor = await visitors.meet(request, reply)
      await limits.proofs.take(visitor)
      const challenge = await shields.proofs.challenge(visitor)
      return { challenge: { ...challenge } }
    },
  })

  app.route({
    ...submitProof,
    handler: async (request, reply) => {
      const visitor = await visitors.meet(request, reply)
      await limits.proofs.take(visitor)
      const until = await shields.proofs.submit(visitor, request.body.payload)
      return { until: until.toISOString() }
    },
  })

  app.route({
    ...makeProofCode,
    handler: async (request, reply) => {
      const visitor = await visitors.meet(request, reply)
      await limits.proofs.take(visitor)
      const { code, endsAt } = await shields.proofs.makeCode(visitor)
      return { code, endsAt: endsAt.toISOString() }
    },
  })

  app.route({
    ...listShields,
    handler: async (request) => {
      const moderator = moderatorOf(request)
      const own = (await selectCategories(db)).filter(({ id }) => may(moderator, 'setShields', id))
      return {
        automatic: settings.current.shieldAutomatic,
        shields: own.map((category) => toShield(shields, category)),
      }
    },
  })

  app.route({
    ...setShield,
    handler: async (request) => {
      const category = await setShieldByHand(deps, moderatorOf(request), request.params.categoryId, request.body)
      return toShield(shields, category)
    },
  })
}
