import { changeWord, createWord, deleteWord, importWords, listWords, tryWord } from '@shinobi/contract/words'
import { WORD_IMPORT_BYTES } from '@shinobi/contract/limits'
import type { Core } from '../../core.ts'
import type { App } from '../../http/fastify.ts'
import { memberOf } from '../../http/access-guard.ts'
import {
  changeWordRule,
  createWordRule,
  deleteWordRule,
  importWordRules,
  listWordRules,
} from './word-administration.service.ts'
import { tryWordRule } from './word-trial.service.ts'
import { toWordRule } from './words.view.ts'

/** A list of words as JSON: three bytes for most characters, and reserve for escapes. */
const IMPORT_BODY_BYTES = 4 * WORD_IMPORT_BYTES

export function registerWords(app: App, deps: Core): void {
  const { db } = deps

  app.route({
    ...listWords,
    handler: async (request) => {
      const { q, cursor = null, limit } = request.query
      const { page, next, total } = await listWordRules(db, { q, cursor, limit })
      return { words: page.map(toWordRule), next, total }
    },
  })

  app.route({
    ...createWord,
    handler: async (request, reply) => {
      const row = await createWordRule(deps, memberOf(request), request.body)
      return reply.code(201).send(toWordRule(row))
    },
  })

  app.route({
    ...importWords,
    bodyLimit: IMPORT_BODY_BYTES,
    handler: async (request) => {
      const { added, known, unusable } = await importWordRules(deps, memberOf(request), request.body)
      return { added, known, unusable: [...unusable] }
    },
  })

  app.route({
    ...changeWord,
    handler: async (request) =>
      toWordRule(await changeWordRule(deps, memberOf(request), request.params.wordId, request.body)),
  })

  app.route({
    ...deleteWord,
    handler: async (request) => {
      await deleteWordRule(deps, memberOf(request), request.params.wordId)
      return {}
    },
  })

  app.route({ ...tryWord, handler: (request) => tryWordRule(deps, request.body) })
}
