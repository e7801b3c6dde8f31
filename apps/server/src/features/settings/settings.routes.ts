import { changeSettings as changeSettingsCall, getSettings, type SettingsAnswer } from '@shinobi/contract/settings'
import type { App } from '../../http/fastify.ts'
import { memberOf } from '../../http/access-guard.ts'
import { selectSettings } from './settings.queries.ts'
import { changeSettings, withDefaults, type SettingsDeps } from './settings.service.ts'

export function registerSettings(app: App, deps: SettingsDeps): void {
  const { db, settings } = deps

  async function answer(): Promise<SettingsAnswer> {
    const { change, changedAt } = await selectSettings(db)
    return { settings: withDefaults(change, settings.defaults), defaults: settings.defaults, changedAt }
  }

  app.route({ ...getSettings, handler: answer })

  app.route({
    ...changeSettingsCall,
    handler: async (request) => {
      await changeSettings(deps, memberOf(request), request.body)
      return answer()
    },
  })
}
