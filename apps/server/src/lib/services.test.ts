import { expect, it, vi } from 'vitest'
import { createServices, type Service } from './services.ts'

/** Services with these names, in this order, that record their calls. */
function open(names: readonly string[], special: Readonly<Record<string, Service>> = {}) {
  const calls: string[] = []
  const error = vi.fn()
  const services = createServices({ error })
  for (const name of names) {
    services.add(name, {
      start: () => void calls.push(`start ${name}`),
      settle: async () => void calls.push(`settle ${name}`),
      sweep: async (now) => void calls.push(`sweep ${name} ${now}`),
      close: () => void calls.push(`close ${name}`),
      ...special[name],
    })
  }
  return { services, calls, error }
}

it('starts services in the order of adding, and settles and closes them in reverse', async () => {
  const { services, calls } = open(['search', 'posts'])
  await services.start()
  await services.settle()
  await services.close()
  expect(calls).toEqual(['start search', 'start posts', 'settle posts', 'settle search', 'close posts', 'close search'])
})

it('returns what was added, and skips a service that the settings leave out', async () => {
  const { services } = open([])
  const search = { find: () => 'found', close: () => {} }
  expect(services.add('search', search).find()).toBe('found')
  expect(services.add('mails', null)).toBeNull()
  await services.close()
})

it('closes the other services when one fails to close, and logs the name of that one', async () => {
  const failure = new Error('no')
  const { services, calls, error } = open(['search', 'news', 'posts'], {
    news: { close: () => Promise.reject(failure) },
  })
  await services.close()
  expect(calls).toEqual(['close posts', 'close search'])
  expect(error).toHaveBeenCalledExactlyOnceWith({ err: failure, service: 'news' }, 'could not close a service')
})

it('sweeps the other services when one fails to sweep, and logs the name of that one', async () => {
  const failure = new Error('no')
  const { services, calls, error } = open(['search', 'news', 'posts'], {
    news: {
      sweep: () => {
        throw failure
      },
    },
  })
  await services.sweep(1)
  expect(calls).toEqual(['sweep search 1', 'sweep posts 1'])
  expect(error).toHaveBeenCalledExactlyOnceWith({ err: failure, service: 'news' }, 'could not sweep a service')
})

it('does not sweep a service whose last sweep is under way', async () => {
  const first = Promise.withResolvers<void>()
  const sweep = vi.fn(() => first.promise)
  const { services, calls } = open(['search', 'news'], { news: { sweep } })
  const sweeping = services.sweep(1)
  const again = services.sweep(2)
  expect(sweep).toHaveBeenCalledOnce()
  first.resolve()
  await Promise.all([sweeping, again])
  expect(calls).toEqual(['sweep search 1'])
  await services.sweep(3)
  expect(sweep).toHaveBeenCalledTimes(2)
})

it('aborts sweeps at the stop, and closes no service that a sweep still uses', async () => {
  const ended = Promise.withResolvers<void>()
  let aborted = false
  const { services, calls } = open(['search', 'news'], {
    news: {
      sweep: async (_now, signal) => {
        await ended.promise
        aborted = signal.aborted
      },
    },
  })
  void services.sweep(1)
  const closed = services.close()
  await Promise.resolve()
  expect(calls).not.toContain('close search')
  ended.resolve()
  await closed
  expect(aborted).toBe(true)
  expect(calls.at(-1)).toBe('close search')
  await services.sweep(2)
  expect(calls).not.toContain('sweep search 2')
})
