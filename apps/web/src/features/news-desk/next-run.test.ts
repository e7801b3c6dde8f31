import { expect, it } from 'vitest'
import { sayApproved, whenNext } from './next-run.ts'

const ON = { active: true, scheduled: true }

it('the next run is announced as まもなく only when news are active and this server runs them', () => {
  const story = { sourceActive: true }
  expect(sayApproved(ON, story)).toBe('承認しました。まもなく、順に掲載されます。')
  expect(sayApproved({ ...ON, active: false }, story)).toBe('承認しました。ニュースを再開すると、順に掲載されます。')
  expect(whenNext({ ...ON, scheduled: false })).toBe('次に情報源を見るときに、')
})

it('a story of a source that is switched off is announced for when that is on again', () => {
  const story = { sourceActive: false }
  expect(sayApproved(ON, story)).toBe('承認しました。情報源を再開すると、順に掲載されます。')
  expect(whenNext({ ...ON, scheduled: false }, story)).toBe('情報源を再開すると、')
  expect(whenNext({ ...ON, active: false }, story)).toBe('ニュースと情報源を再開すると、')
})
