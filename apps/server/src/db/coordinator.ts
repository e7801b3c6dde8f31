/** What a Citus coordinator knows of its workers, and whether they answer. */
import { sql } from 'kysely'
import type { Db } from './client.ts'
import { reachOf } from './statement-reach.ts'
import type { Cluster, WorkerId } from './workers.ts'

/** @param db with connections of its own, which keep none to the workers (`checking`) */
export function askCoordinator(db: Db): Cluster {
  /** A worker that accepts the connection and then hangs makes the check time out. */
  const answersOnce = async (name: string, port: number): Promise<boolean> => {
    try {
      const { rows } = await sql<{ answers: boolean }>`
        select citus_check_connection_to_node(${name}::text, ${port}::integer) as answers`.execute(db)
      return rows[0]!.answers
    } catch (error) {
      if ((error as Error).message === 'Query read timeout') return false
      throw error
    }
  }
  const answers = async (name: string, port: number): Promise<boolean> =>
    (await answersOnce(name, port)) || answersOnce(name, port)
  return {
    reachOf,
    async findAway() {
      const { rows } = await sql<{ id: WorkerId; name: string; port: number }>`
        select groupid as id, nodename as name, nodeport as port from pg_dist_node
        where isactive and shouldhaveshards and noderole = 'primary'`.execute(db)
      const away = new Set<WorkerId>()
      for (const { id, name, port } of rows) if (!(await answers(name, port))) away.add(id)
      return away
    },
    async workerOf(threadId) {
      const { rows } = await sql<{ id: WorkerId }>`
        select groupid as id from pg_dist_placement
        where shardid = get_shard_id_for_distribution_column('threads', ${threadId}::uuid)`.execute(db)
      return rows[0]!.id
    },
  }
}
