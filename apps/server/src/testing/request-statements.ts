interface ExecutorSpy {
  readonly mock: { readonly calls: readonly (readonly [{ readonly sql: string }, ...unknown[]])[] }
}

/** Tables of work that runs by the clock: the index, the ranking, the queues, other servers. */
const BACKGROUND =
  /\b(revisions|auditLog|mails|threads|posts|searchDocuments|searchBuckets|tallies|origins|levels|proofs|dayKeys|shields)\b/

/** SQL of the requests since a spy was set on `executeQuery`, without that of background work. */
export const statementsOfRequests = (query: ExecutorSpy): string[] =>
  query.mock.calls.map(([{ sql }]) => sql).filter((sql) => !BACKGROUND.test(sql))
