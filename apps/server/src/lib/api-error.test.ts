import { describe, expect, it } from 'vitest'
import { isConnectionLost, isDatabaseAway, toApiError, WorkerAwayError } from './api-error.ts'

/** An error as node-postgres reports it. */
const reported = (code: string, message: string): Error => Object.assign(new Error(message), { code })

describe('what Citus reports when a worker or the coordinator goes', () => {
  it.each([
    ['08006', 'connection to the remote node board@worker-1:5432 failed'],
    [
      '08006',
      'connection to the remote node board@worker-1:5432 failed with the following error: server closed the connection unexpectedly',
    ],
    ['08006', 'connection to the remote node board@worker-1:5432 failed with the following error: connection not open'],
    ['08006', 'could not establish any connections to the node worker-1:5432 after 1500 ms'],
    ['08006', 'connection establishment for node worker-1:5432 failed'],
    ['57P01', 'terminating connection due to administrator command'],
    ['57P02', 'terminating connection because of crash of another server process'],
    ['57P03', 'the database system is starting up'],
    ['XX000', 'postmaster was shut down, exiting'],
    ['XX000', 'failure on connection marked as essential: worker-1:5432'],
    ['XX000', 'could not connect to any active placements'],
    ['XX000', 'unable to recover from inconsistent state in the connection state machine on coordinator'],
    ['XX000', 'node group 2 does not have a primary node'],
    ['XX000', 'there is a shard placement in node group 2 but there are no nodes in that group'],
    ['XX000', 'server closed the connection unexpectedly\n\tThis probably means the server terminated abnormally'],
    ['XX000', 'could not receive data from server: Connection reset by peer'],
    ['XX000', 'could not send data to server: Broken pipe'],
    ['XX000', 'no connection to the server'],
  ])('%s “%s” is a lost connection, answered 503 with Retry-After', (code, message) => {
    const error = reported(code, message)
    expect(isConnectionLost(error)).toBe(true)
    expect(isDatabaseAway(error)).toBe(true)
    expect(toApiError(error)).toMatchObject({ code: 'unavailable', status: 503, retryAfter: 5 })
  })

  it('40P01 of a distributed deadlock is answered 503, and the connection is not lost', () => {
    const error = reported('40P01', 'canceling the transaction since it was involved in a distributed deadlock')
    expect(isConnectionLost(error)).toBe(false)
    expect(toApiError(error).status).toBe(503)
  })
})

it('any other internal error of the database stays unexpected, whatever its words', () => {
  for (const error of [
    reported('XX000', 'cache lookup failed for relation 4711'),
    reported('22000', 'failure on connection marked as essential: worker-1:5432'),
  ]) {
    expect(isDatabaseAway(error)).toBe(false)
    expect(toApiError(error).code).toBe('unexpected')
  }
})

it('a statement that needs a worker which is away is refused with 503, and was not sent', () => {
  const error = new WorkerAwayError()
  expect(isConnectionLost(error)).toBe(false)
  expect(isDatabaseAway(error)).toBe(true)
  expect(toApiError(error)).toMatchObject({ code: 'unavailable', retryAfter: 5 })
})
