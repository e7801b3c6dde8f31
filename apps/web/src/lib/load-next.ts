interface Listed {
  data: { pages: readonly unknown[] } | undefined
  hasNextPage: boolean
}

export interface GrowingList extends Listed {
  fetchNextPage: (options: { throwOnError: true }) => Promise<Listed>
}

/**
 * Loads the next part of a list. A reload of the list, as after an event, cancels the request and
 * answers in its place: then the part is asked for again.
 * @throws the failure of the request
 */
export async function loadNext(list: GrowingList): Promise<void> {
  const parts = list.data?.pages.length ?? 0
  for (;;) {
    const { data, hasNextPage } = await list.fetchNextPage({ throwOnError: true })
    if (!hasNextPage || (data?.pages.length ?? 0) > parts) return
  }
}
