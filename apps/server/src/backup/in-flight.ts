/**
 * Work that goes on while more of it is begun, up to a number at a time. The first failure is told
 * to whoever adds or waits next.
 */
export interface InFlight {
  /** Waits while too much is under way. @throws what failed */
  add(work: Promise<void>): Promise<void>
  /** @throws what failed */
  end(): Promise<void>
  /** Waits until nothing is under way, whatever became of it. */
  settle(): Promise<void>
}

export function createInFlight(atOnce: number): InFlight {
  const under = new Set<Promise<void>>()
  let failure: { readonly reason: unknown } | null = null
  const tell = (): void => {
    if (failure !== null) throw failure.reason
  }
  const settle = async (): Promise<void> => void (await Promise.all(under))

  return {
    settle,
    async add(work) {
      const watched = work
        .catch((reason: unknown) => void (failure ??= { reason }))
        .finally(() => {
          under.delete(watched)
        })
      under.add(watched)
      if (under.size >= atOnce) await Promise.race(under)
      tell()
    },
    async end() {
      await settle()
      tell()
    },
  }
}
