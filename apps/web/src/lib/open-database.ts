/** The databases of this browser (IndexedDB): may be missing, forbidden, or closed at any time. */

export interface BrowserDatabase {
  /** Null where there is no database, or where a second connection was lost too. */
  begin(mode: IDBTransactionMode, stores: string | string[]): Promise<IDBTransaction | null>
}

export interface DatabaseOptions {
  readonly name: string
  readonly version: number
  readonly upgrade: (database: IDBDatabase, oldVersion: number) => void
  /** Milliseconds after which a transaction begins without a database that does not answer. */
  readonly patience?: number
}

/** The answer to a read; the fallback when the database cannot be read. */
export const answerOf = <T, F = T>(request: IDBRequest<T>, fallback: F): Promise<T | F> =>
  new Promise((resolve) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => resolve(fallback)
  })

/** Opens with the first transaction, and again after the connection was lost. */
export function createDatabase({ name, version, upgrade, patience }: DatabaseOptions): BrowserDatabase {
  let opening: Promise<IDBDatabase | null> | undefined

  function open(): Promise<IDBDatabase | null> {
    opening ??= new Promise((resolve) => {
      try {
        const request = indexedDB.open(name, version)
        request.onupgradeneeded = ({ oldVersion }) => upgrade(request.result, oldVersion)
        request.onerror = () => resolve(null)
        request.onsuccess = () => {
          const database = request.result
          const forget = () => {
            database.close()
            opening = undefined
          }
          // A later version of the page in another tab must not wait for this one.
          database.onversionchange = forget
          database.onclose = forget
          resolve(database)
        }
      } catch {
        // The browser has no database, or forbids it.
        resolve(null)
      }
    })
    return opening
  }

  const opened = (): Promise<IDBDatabase | null> =>
    patience === undefined
      ? open()
      : Promise.race([open(), new Promise<null>((resolve) => setTimeout(() => resolve(null), patience))])

  return {
    async begin(mode, stores) {
      for (let isFirst = true; ; isFirst = false) {
        const database = await opened()
        try {
          return database?.transaction(stores, mode) ?? null
        } catch {
          // The connection was lost, as in a page that comes back from the background.
          database?.close()
          opening = undefined
          if (!isFirst) return null
        }
      }
    },
  }
}
