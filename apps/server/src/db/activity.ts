/**
 * Observes the board's queries and connections, for metrics and the log; the board does not depend
 * on it.
 */

/**
 * A finished statement. Its text only has $1, $2 …: the values are sent separately, and never get
 * here.
 */
export interface Statement {
  readonly text: string
  readonly milliseconds: number
  /** Rows returned or changed. */
  readonly rows: number
  /** Null when it succeeded. */
  readonly error: unknown
  /** On a connection for searches, whose short time-out is expected to end some. */
  readonly isSearch: boolean
}

export interface DatabaseActivity {
  /** Calls the listener after every statement, until the returned function is called. */
  watch(listener: (statement: Statement) => void): () => void
  /** Open connections to PostgreSQL, and queries waiting for one. */
  connections(): Connections
}

export interface Connections {
  readonly busy: number
  readonly idle: number
  readonly waiting: number
}

/** The interface for the drivers. */
export interface StatementMeter {
  readonly watch: DatabaseActivity['watch']
  /** Runs a statement and reports it to the listeners. */
  measure<R>(
    what: Pick<Statement, 'text' | 'isSearch'>,
    run: () => Promise<R>,
    rowsOf: (result: R) => number,
  ): Promise<R>
  /**
   * Reports a statement that could not begin without a connection. `since` is when it began to
   * wait, by performance.now().
   */
  failed(since: number, error: unknown): void
}

export function createStatementMeter(): StatementMeter {
  let listeners: readonly ((statement: Statement) => void)[] = []

  function tell(what: Pick<Statement, 'text' | 'isSearch'>, since: number, rows: number, error: unknown): void {
    const statement = { ...what, milliseconds: performance.now() - since, rows, error }
    for (const listener of listeners) listener(statement)
  }

  return {
    failed: (since, error) => tell({ text: 'connect', isSearch: false }, since, 0, error),
    watch(listener) {
      listeners = [...listeners, listener]
      return () => {
        listeners = listeners.filter((other) => other !== listener)
      }
    },
    async measure(what, run, rowsOf) {
      if (listeners.length === 0) return run()
      const since = performance.now()
      let result
      try {
        result = await run()
      } catch (error) {
        tell(what, since, 0, error)
        throw error
      }
      tell(what, since, rowsOf(result), null)
      return result
    },
  }
}
