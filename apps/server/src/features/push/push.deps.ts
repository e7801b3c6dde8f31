import type { Core } from '../../core.ts'
import type { Push } from './push.service.ts'

export interface PushDeps extends Pick<Core, 'db' | 'now' | 'visitors'> {
  readonly push: Push
}
