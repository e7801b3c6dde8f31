import type { FastifyRequest } from 'fastify'
import type { Db, Sources } from '../db/client.ts'
import type { Replica } from '../db/replica.ts'

export type DbFor = (request: Pick<FastifyRequest, 'cacheLoad'>) => Db

/**
 * Reads a public answer from the replica where its tags show that the replica has everything; else
 * from the primary.
 */
export const readFrom =
  (sources: Sources, replica: Replica | null): DbFor =>
  ({ cacheLoad }) =>
    sources.replica !== null && cacheLoad !== null && replica?.isCaughtUp(cacheLoad.tags) === true
      ? sources.replica
      : sources.db
