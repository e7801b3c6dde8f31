/**
 * Uploads by XMLHttpRequest, which alone reports upload progress. Separate from api-client.ts,
 * because only pages with forms need it.
 */
import { aborted, bodyOf, noAnswer, parseJson, withSession, type ApiAnswer } from './api-client.ts'
import { readStored, writeStored } from './storage.ts'

/** An upload that neither moves nor is answered for this long counts as a network failure. */
const STALL_MS = 30_000

/** Key under which older clients stored the access token. */
const TOKEN = 'jwt'

export interface UploadOptions {
  method?: 'POST' | 'PUT'
  /** Share of the bytes sent to the server, 0 to 1. */
  onProgress?: (share: number) => void
  signal?: AbortSignal
  /** As for apiSend. */
  background?: boolean
  /** Send the access token of local storage (`jwt`), if any (docs/product.md#new-thread). */
  withStoredToken?: boolean
}

/** Sends a multipart form, with progress. */
export async function apiUpload<T>(path: string, form: FormData, options: UploadOptions = {}): Promise<T> {
  const token = options.withStoredToken === true ? readStored(TOKEN) : null
  if (token !== null) {
    const answer = await overXhr(path, form, options, token)
    if (answer.status !== 401) return bodyOf<T>(answer)
    // The token is invalid; the repeated request relies on the cookies.
    writeStored(TOKEN, null)
  }
  return bodyOf<T>(await withSession(path, options.background !== true, () => overXhr(path, form, options, null)))
}

function overXhr(
  path: string,
  form: FormData,
  { method = 'POST', onProgress, signal }: UploadOptions,
  token: string | null,
): Promise<ApiAnswer> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted === true) return reject(aborted())
    const xhr = new XMLHttpRequest()
    const abort = () => xhr.abort()
    let isStalled = false
    let timer: ReturnType<typeof setTimeout> | undefined
    const awaitMove = () => {
      clearTimeout(timer)
      timer = setTimeout(() => {
        isStalled = true
        xhr.abort()
      }, STALL_MS)
    }
    xhr.open(method, path)
    xhr.setRequestHeader('accept', 'application/json')
    if (token !== null) xhr.setRequestHeader('authorization', `Bearer ${token}`)
    xhr.upload.onprogress = (event) => {
      awaitMove()
      if (event.lengthComputable) onProgress?.(event.loaded / event.total)
    }
    xhr.onload = () =>
      resolve({
        status: xhr.status,
        body: parseJson(xhr.responseText),
        link: xhr.getResponseHeader('link'),
        retryAfter: xhr.getResponseHeader('retry-after'),
      })
    xhr.onerror = () => reject(noAnswer())
    xhr.onabort = () => reject(isStalled ? noAnswer() : aborted())
    xhr.onloadend = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', abort)
    }
    signal?.addEventListener('abort', abort)
    awaitMove()
    xhr.send(form)
  })
}
