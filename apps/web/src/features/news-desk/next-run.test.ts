import { expect, it } from 'vitest'
import { sayApproved, whenNext } from './next-run.ts'

it('the next run is announced as まもなく only when news are active and this server runs them', () => {
  expect(sayApproved({ active: true, scheduled: true })).toBe('承認しました。まもなく、順に掲載されます。')
  expect(sayApproved({ active: false, scheduled: true })).toBe('承認しました。ニュースを再開すると、順に掲載されます。')
  expect(whenNext({ active: true, scheduled: false })).toBe('次に情報源を見るときに、')
})
