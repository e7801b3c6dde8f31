import type { IpLogging } from '../ip-logging/ip-logging.service.ts'
import type { ThreadsDeps } from '../threads/threads.deps.ts'
import type { Voices } from '../threads/threads.voices.ts'
import type { PostWriter } from './posts.writer.ts'
import type { RemovedImages } from './removed-images.ts'

export interface PostsDeps extends ThreadsDeps {
  readonly voices: Voices
  readonly ipLogging: IpLogging
  readonly postWriter: PostWriter
  readonly removedImages: RemovedImages
}
