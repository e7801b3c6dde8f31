/** Limits concurrent work to a number at a time. The first failure is thrown to the next caller. */
export interface InFlight {
  /** Waits while too much work is under way. @throws the first failure */
  add(work: Promise<void>): Promise<void>
  /** Waits for all work. @throws the first failure */
  end(): Promise<void>
  /** Waits until no work is under way, whether it succeeded or failed. */
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
