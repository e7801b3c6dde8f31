import { messages } from '@shinobi/contract/messages'
import { boardSettings, type BoardSettings } from '@shinobi/contract/settings'
import { describe, expect, it } from 'vitest'
import { readFields, readNumber, toFields } from './settings-form.ts'

const stored: BoardSettings = {
  postLimit: 1_000,
  spamPosts: 50,
  spamPostsPerAddress: 1_000,
  spamWindowMinutes: 15,
  ownDeleteMinutes: 10,
  uploadsPerHour: 30,
  postCooldownSeconds: 0,
  threadCooldownSeconds: 0,
  foldReporters: 3,
  holdReleaseMinutes: 60,
  newcomerHours: 24,
  levelLinks: 2,
  levelImages: 2,
  levelThreads: 3,
  levelCooldown: 5,
  levelWords: 10,
  levelCopies: 3,
  levelOwner: 3,
  levelRaid: 3,
  bannerText: '',
  readOnly: false,
  readOnlyText: '',
  gateway: true,
  requireSecondFactor: false,
  requireModeratorSecondFactor: false,
  shieldAutomatic: true,
  shieldPostsPerMinute: [120, 180, 300],
  shieldThreadsPerMinute: [10, 15, 25],
  shieldQuietMinutes: 10,
  shieldCooldownSeconds: 15,
  newsActive: true,
  newsApproval: false,
  newsRiskApproval: true,
  newsThreadsPerHour: 20,
  newsTokensPerHour: 200_000,
  newsTokensPerDay: 2_000_000,
}

describe('the fields of the settings', () => {
  it('change nothing when nothing was typed', () => {
    expect(readFields(toFields(stored), stored)).toEqual({ change: {}, problems: {} })
  })

  it('change only values that differ', () => {
    const fields = {
      ...toFields(stored),
      foldReporters: '５',
      shieldAutomatic: false,
      bannerText: 'お知らせ\r\n二行目\n\n',
    }
    expect(readFields(fields, stored)).toEqual({
      change: { foldReporters: 5, shieldAutomatic: false, bannerText: 'お知らせ\n二行目' },
      problems: {},
    })
  })

  it('do not change a number that is only written differently', () => {
    expect(readFields({ ...toFields(stored), spamPosts: ' 0５０ ' }, stored).change).toEqual({})
  })

  it('show the range for a number that is invalid or out of range', () => {
    for (const text of ['', 'たくさん', '-1', '1.5', '1001', '1e2']) {
      const { change, problems } = readFields({ ...toFields(stored), foldReporters: text }, stored)
      expect(problems).toEqual({ foldReporters: messages.setting_range(0, 1_000) })
      expect(change).toEqual({})
    }
  })

  it('require thresholds in ascending order', () => {
    const at = (...steps: string[]) => readFields({ ...toFields(stored), shieldPostsPerMinute: steps }, stored)
    expect(at('1', '2', '3').change).toEqual({ shieldPostsPerMinute: [1, 2, 3] })
    expect(at('1', '2', '2').problems).toEqual({ shieldPostsPerMinute: messages.setting_rising })
    expect(at('1', '', '3', '4').problems).toEqual({ shieldPostsPerMinute: messages.setting_range(1, 1_000_000) })
  })

  it.each(['bannerText', 'readOnlyText'] as const)('require texts for visitors that are valid: %s', (name) => {
    expect(readFields({ ...toFields(stored), [name]: 'あ'.repeat(201) }, stored).problems).toEqual({
      [name]: messages.banner_too_long,
    })
    expect(readFields({ ...toFields(stored), [name]: '23時まで\n' }, stored).change).toEqual({ [name]: '23時まで' })
  })

  it('close each level to everybody with 21, as their heading says', () => {
    for (const name of Object.keys(stored).filter((each) => each.startsWith('level'))) {
      expect(readFields({ ...toFields(stored), [name]: '21' }, stored).problems).toEqual({})
      expect(readFields({ ...toFields(stored), [name]: '22' }, stored).problems).toHaveProperty(name)
    }
  })

  it('accept and refuse the same as the server', () => {
    const typed: Record<string, unknown>[] = [
      { spamPosts: '0' },
      { spamPosts: '1000000' },
      { spamPosts: '1000001' },
      { spamWindowMinutes: '1440' },
      { spamWindowMinutes: '1441' },
      { postCooldownSeconds: '3601' },
      { threadCooldownSeconds: '86400' },
      { holdReleaseMinutes: '10081' },
      { newcomerHours: '8760' },
      { shieldQuietMinutes: '0' },
      { shieldCooldownSeconds: '3600' },
      { shieldThreadsPerMinute: ['5', '4', '3', '2'] },
      { bannerText: 'あ'.repeat(200) },
    ]
    for (const fields of typed) {
      const { change, problems } = readFields({ ...toFields(stored), ...fields }, stored)
      const raw = Object.fromEntries(
        Object.entries(fields).map(([name, value]) => [
          name,
          Array.isArray(value) ? value.map(Number) : name === 'bannerText' ? value : Number(value),
        ]),
      )
      const judged = boardSettings.partial().safeParse(raw)
      expect({ fields, fits: Object.keys(problems).length === 0 }).toEqual({ fields, fits: judged.success })
      if (judged.success) expect(change).toEqual(judged.data)
    }
  })
})

describe('readNumber', () => {
  it('reads numbers in the ways that people type them', () => {
    expect(['12', '１２', '1,200', ' 7 '].map(readNumber)).toEqual([12, 12, 1_200, 7])
    for (const text of ['', ' ', '一', '1.5', '-3', '1e9', '9999999999']) expect(readNumber(text)).toBeNaN()
  })
})
