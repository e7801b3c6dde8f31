import type { PostsDeps } from '../posts/posts.deps.ts'
import type { Shields } from '../shields/shields.service.ts'
import type { Dats } from './dats.service.ts'

export interface GatewayDeps extends PostsDeps {
  readonly shields: Shields
  readonly dats: Dats
}
