import type { IpLogging } from '../ip-logging/ip-logging.service.ts'
import type { ThreadsDeps } from '../threads/threads.deps.ts'
import type { PostWeights } from '../threads/threads.post-weight.ts'
import type { PostWriter } from './posts.writer.ts'
import type { RemovedImages } from './removed-images.ts'

export interface PostsDeps extends ThreadsDeps {
  readonly postWeights: PostWeights
  readonly ipLogging: IpLogging
  readonly postWriter: PostWriter
  readonly removedImages: RemovedImages
}
