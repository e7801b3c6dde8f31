import { BANNER } from '@shinobi/contract/staff-limits'
import type { SettingsAnswer } from '@shinobi/contract/settings'
import { countGraphemes } from '@shinobi/contract/text'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { changeSettings, settingsQuery, useAdminId } from '../../../features/admin/api.ts'
import { ConfirmDialog } from '../../../features/admin/confirm-dialog.tsx'
import { useResults } from '../../../features/admin/results.tsx'
import { Loaded, Screen } from '../../../features/admin/screen.tsx'
import { useLeaveGuard } from '../../../features/admin/use-leave-guard.ts'
import { DateTime } from '../../../lib/date-time.tsx'
import { changedFields } from '../../../lib/changed-fields.ts'
import { useImeSafeEnter } from '../../../lib/use-ime-safe-enter.ts'
import { useRequest } from '../../../lib/use-request.ts'
import { Button } from '../../../ui/button.tsx'
import { TextArea } from '../../../ui/field.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { readFields, toFields, type Setting, type SettingFields } from '../../../features/settings/settings-form.ts'
import { SETTING_GROUPS, type SettingDetails } from '../../../features/settings/settings-list.ts'
import styles from './settings-page.module.css'

export function SettingsPage() {
  const settings = useQuery(settingsQuery(useAdminId()))
  const { say, region } = useResults(async () => void (await settings.refetch()))
  return (
    <Screen title="設定" lead="保存すると、2秒以内にすべてのサーバーで有効になります。再起動は要りません。">
      <Loaded query={settings}>
        {/* Fields that are not edited here show the values that others have stored meanwhile. */}
        {(answer) => <SettingsForm answer={answer} onSaved={(count) => say(`${count}件の設定を保存しました。`)} />}
      </Loaded>
      {region}
    </Screen>
  )
}

function SettingsForm({ answer, onSaved }: { answer: SettingsAnswer; onSaved: (count: number) => void }) {
  const client = useQueryClient()
  const adminId = useAdminId()
  /** Edited fields, which override the stored ones. */
  const [typed, setTyped] = useState<Partial<SettingFields>>({})
  const request = useRequest()
  const { settings, defaults, changedAt } = answer
  const fields: SettingFields = { ...toFields(settings), ...typed }
  const initial = toFields(defaults)
  const { change, problems } = readFields(fields, settings)
  const count = Object.keys(change).length + Object.keys(problems).length

  const leaving = useLeaveGuard(count > 0)

  const type = (name: Setting, value: unknown) => {
    request.complain(null)
    setTyped((before) => ({ ...before, [name]: value }))
  }
  const save = async (form: HTMLFormElement) => {
    const wrong = Object.keys(problems)[0]
    if (wrong !== undefined) {
      form.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
      return
    }
    if (Object.keys(change).length === 0) return
    await request.send(async () => {
      const stored = await changeSettings(change)
      client.setQueryData(settingsQuery(adminId).queryKey, stored)
      // Typing goes on while values are stored.
      setTyped((now) => changedFields(now, typed))
      onSaved(Object.keys(change).length)
    })
  }

  return (
    <>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          void save(event.currentTarget)
        }}
      >
        {SETTING_GROUPS.map(({ title, settings: list }) => (
          <section key={title} className={styles['group']} aria-label={title}>
            <h2 className={styles['title']}>{title}</h2>
            <div>
              {list.map((details) => (
                <SettingField
                  key={details.name}
                  details={details}
                  value={fields[details.name]}
                  initial={initial[details.name]}
                  problem={problems[details.name] ?? null}
                  touched={details.name in change || details.name in problems}
                  onChange={(value) => type(details.name, value)}
                />
              ))}
            </div>
          </section>
        ))}
        <div className={styles['bar']} data-changed={count > 0}>
          {request.problem !== null && <Notice tone="error">{request.problem}</Notice>}
          <p className={styles['state']} aria-live="polite">
            {count > 0 ? (
              `${count}件を変更中`
            ) : changedAt === null ? (
              'すべて初期値です。'
            ) : (
              <>
                最後の変更: <DateTime value={changedAt} />
              </>
            )}
          </p>
          <Button disabled={count === 0} onClick={() => setTyped({})}>
            変更をやめる
          </Button>
          <Button type="submit" variant="primary" busy={request.busy} disabled={count === 0}>
            保存する
          </Button>
        </div>
      </form>
      <ConfirmDialog
        open={leaving.isAsked}
        title="設定の変更"
        label="保存せずに移る"
        variant="danger"
        onClose={leaving.stay}
        onConfirm={leaving.leave}
      >
        <p>{count}件の変更を保存していません。移ると消えます。</p>
      </ConfirmDialog>
    </>
  )
}

interface SettingFieldProps {
  details: SettingDetails
  value: SettingFields[Setting]
  initial: SettingFields[Setting]
  problem: string | null
  touched: boolean
  onChange: (value: SettingFields[Setting]) => void
}

/**
 * A line with the label of a setting, its value with the unit, and a button that restores the
 * default.
 */
function SettingField({
  details: { label, hint, unit, steps },
  value,
  initial,
  problem,
  touched,
  onChange,
}: SettingFieldProps) {
  const id = useId()
  const enter = useImeSafeEnter({})
  const describedBy = `${id}h ${id}e`
  const input = (text: string, change: (text: string) => void, name: { id: string } | { 'aria-label': string }) => (
    <input
      {...name}
      {...enter}
      className={styles['number']}
      inputMode="numeric"
      autoComplete="off"
      aria-describedby={describedBy}
      aria-invalid={problem !== null || undefined}
      value={text}
      onChange={(event) => change(event.currentTarget.value)}
    />
  )
  const several = typeof value === 'object'
  const isText = typeof value === 'string' && unit === undefined
  const away = JSON.stringify(value) !== JSON.stringify(initial)
  return (
    <div className={styles['setting']} data-touched={touched}>
      <div className={styles['words']}>
        {several ? (
          <p className={styles['label']} id={`${id}l`}>
            {label}
          </p>
        ) : (
          <label className={styles['label']} htmlFor={id}>
            {label}
          </label>
        )}
        {/* An error replaces the hint, in its room, so that nothing moves. */}
        <div className={styles['about']} data-wrong={problem !== null}>
          <p id={`${id}h`} className={styles['hint']}>
            {hint}
          </p>
          <p id={`${id}e`} className={styles['problem']} aria-live="polite">
            {problem}
          </p>
        </div>
      </div>
      <div className={styles['value']}>
        {typeof value === 'boolean' && (
          <input
            id={id}
            type="checkbox"
            role="switch"
            aria-checked={value}
            className={styles['switch']}
            aria-describedby={describedBy}
            checked={value}
            onChange={(event) => onChange(event.currentTarget.checked)}
          />
        )}
        {isText && (
          <div className={styles['text']}>
            <TextArea
              id={id}
              rows={2}
              maxRows={5}
              aria-describedby={describedBy}
              aria-invalid={problem !== null || undefined}
              value={value}
              onChange={(event) => onChange(event.currentTarget.value)}
            />
            <span className={styles['counter']}>
              {countGraphemes(value)} / {BANNER.max}
            </span>
          </div>
        )}
        {typeof value === 'string' && !isText && (
          <>
            {input(value, onChange, { id })}
            <span className={styles['unit']}>{unit}</span>
          </>
        )}
        {several && (
          <div role="group" aria-labelledby={`${id}l`} className={styles['steps']}>
            {value.map((text, index) => (
              // oxlint-disable-next-line react/no-array-index-key -- a step is identified by its position
              <span key={index} className={styles['step']}>
                <span className={styles['unit']} aria-hidden="true">
                  {steps?.[index]}
                </span>
                {input(text, (next) => onChange(value.with(index, next)), {
                  'aria-label': `${label}、段階「${steps?.[index]}」`,
                })}
              </span>
            ))}
            <span className={styles['unit']}>{unit}</span>
          </div>
        )}
        {/* An empty text is the default of all texts. */}
        {!isText && (
          <Button
            size="sm"
            variant="ghost"
            className={styles['reset']}
            data-away={away}
            aria-label={`${label}を初期値に戻す（${describe(initial)}）`}
            onClick={() => onChange(initial)}
          >
            初期値に戻す（{describe(initial)}）
          </Button>
        )}
      </div>
    </div>
  )
}

function describe(value: SettingFields[Setting]): string {
  if (typeof value === 'boolean') return value ? 'オン' : 'オフ'
  if (typeof value === 'string') return value
  return value.join('・')
}
