/** What goes on between the board and its database, for figures and the log: nothing that the board does depends on it. */

/** A statement that has ended. Its text carries only $1, $2 …: the values travel beside it, and never come here. */
export interface Statement {
  readonly text: string
  readonly milliseconds: number
  /** Rows it returned, or changed. */
  readonly rows: number
  /** Null when it succeeded. */
  readonly error: unknown
}

export interface DatabaseActivity {
  /** Calls back after every statement, until what it returns is called. */
  watch(listener: (statement: Statement) => void): () => void
  /** Connections to PostgreSQL, and queries that wait for one. */
  connections(): Connections
}

export interface Connections {
  readonly busy: number
  readonly idle: number
  readonly waiting: number
}

/** The drivers' side of it. */
export interface StatementMeter {
  readonly watch: DatabaseActivity['watch']
  /** Runs a statement, and tells who watches. */
  measure<R>(text: string, run: () => Promise<R>, rowsOf: (result: R) => number): Promise<R>
  /** A statement never began: there was no connection for it. `since` is when it began to wait, by performance.now(). */
  failed(since: number, error: unknown): void
}

export function createStatementMeter(): StatementMeter {
  let listeners: readonly ((statement: Statement) => void)[] = []

  function tell(text: string, since: number, rows: number, error: unknown): void {
    const statement = { text, milliseconds: performance.now() - since, rows, error }
    for (const listener of listeners) listener(statement)
  }

  return {
    failed: (since, error) => tell('connect', since, 0, error),
    watch(listener) {
      listeners = [...listeners, listener]
      return () => {
        listeners = listeners.filter((other) => other !== listener)
      }
    },
    async measure(text, run, rowsOf) {
      if (listeners.length === 0) return run()
      const since = performance.now()
      let result
      try {
        result = await run()
      } catch (error) {
        tell(text, since, 0, error)
        throw error
      }
      tell(text, since, rowsOf(result), null)
      return result
    },
  }
}
