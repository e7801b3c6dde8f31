import {
  deleteAccount as deleteAccountCall,
  getProfile,
  updateProfile,
  updateProfileImage,
} from '@shinobi/contract/accounts'
import { PROFILE_IMAGE_MAX_BYTES, PROFILE_ROOMS } from '@shinobi/contract/limits'
import type { App } from '../../http/fastify.ts'
import { memberOf } from '../../http/access-guard.ts'
import { withForm, type FormOptions } from '../../http/uploads.ts'
import { addressPrefix } from '../../http/visitor.ts'
import { refuse } from '../../lib/api-error.ts'
import { imageUrl } from '../images/image-store.ts'
import { selectRooms } from '../accounts/rooms.queries.ts'
import { selectUser } from '../accounts/users.queries.ts'
import { toUser } from '../accounts/users.view.ts'
import { deleteAccount } from './deletion.service.ts'
import type { ProfileDeps } from './profile.deps.ts'
import { changeName, changePicture } from './profile.service.ts'
import { toProfile } from './profile.view.ts'

export function registerProfile(app: App, deps: ProfileDeps): void {
  const { db, visitors, sessions } = deps

  app.route({
    ...getProfile,
    handler: async (request) => {
      const { id } = memberOf(request)
      const [user, rooms] = await Promise.all([selectUser(db, id), selectRooms(db, id, PROFILE_ROOMS)])
      if (user === undefined) throw refuse('unauthorized', 'session_expired')
      return toProfile(user, rooms)
    },
  })

  app.route({
    ...updateProfile,
    handler: async (request, reply) => {
      const visitor = await visitors.meet(request, reply)
      return { user: toUser(await changeName(deps, visitor, request.body.name)) }
    },
  })

  app.route({
    ...updateProfileImage,
    handler: async (request, reply) => {
      const visitor = await visitors.meet(request, reply)
      if (!request.isMultipart()) throw refuse('bad_image', 'profile_image_missing')
      const form: FormOptions = {
        file: 'profileImage',
        maxBytes: PROFILE_IMAGE_MAX_BYTES,
        tooLarge: 'profile_image_too_large',
      }
      return withForm(request, deps.limits, form, async ({ file }) => {
        if (file === null) throw refuse('bad_image', 'profile_image_missing')
        return { picture: imageUrl(await changePicture(deps, visitor, file)) }
      })
    },
  })

  app.route({
    ...deleteAccountCall,
    handler: async (request, reply) => {
      await deleteAccount(deps, memberOf(request), request.body, addressPrefix(request.ip))
      sessions.clear(reply)
      return {}
    },
  })
}
