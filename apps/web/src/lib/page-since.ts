/** Asks again for a page of a list that may not have changed; loaded with what follows lists. */
import { bodyOf, parseJson, parseLink, withSession, type ApiPage } from './api-client.ts'

export interface PageSince<T> {
  /** Null when it has not changed. */
  readonly page: ApiPage<T> | null
  /** For the next request. */
  readonly etag: string | null
}

/** @throws ApiError for an answer without the page, or whatever `fetch` rejects with */
export async function apiPageSince<T>(path: string, etag: string | null, signal: AbortSignal): Promise<PageSince<T>> {
  let newEtag = etag
  const answer = await withSession(path, false, async () => {
    const headers = { accept: 'application/json', ...(etag !== null && { 'if-none-match': etag }) }
    const response = await fetch(path, { credentials: 'same-origin', headers, signal })
    newEtag = response.headers.get('etag') ?? etag
    return { status: response.status, body: parseJson(await response.text()), link: response.headers.get('link') }
  })
  if (answer.status === 304) return { page: null, etag: newEtag }
  return { page: { items: bodyOf<T[]>(answer), ...parseLink(answer.link) }, etag: newEtag }
}
