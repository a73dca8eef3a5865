/** When a failed delivery is retried, and when it is given up. */
import { describe, expect, it } from 'vitest'
import { outcomeOf, outcomeOfMails } from '../../../../src/platform/webhooks/delivery/outcome.ts'

const nowMs = Date.UTC(2026, 0, 1)
const minuteMs = 60_000
const hourMs = 60 * minuteMs

const nth = (attempts: number) => ({ format: 'standard', attempts }) as const

const failed = (attempts: number, retryAfter?: string) =>
  outcomeOf({ status: 503, retryAfter }, nth(attempts), nowMs)

it.each([200, 202, 204, 299])('%i counts as delivered', (status) => {
  expect(outcomeOf({ status, retryAfter: '60' }, nth(3), nowMs)).toMatchObject({
    status: 'delivered',
    httpStatus: status,
    error: null,
  })
})

it.each([
  [1, 5_000],
  [2, 5 * minuteMs],
  [3, 30 * minuteMs],
  [4, 2 * hourMs],
  [5, 5 * hourMs],
  [6, 10 * hourMs],
  [7, 14 * hourMs],
  [8, 20 * hourMs],
  [9, 24 * hourMs],
])('after failure %i the next attempt is %i ms later, or up to a tenth more', (attempts, pauseMs) => {
  const pauses = Array.from({ length: 50 }, () => failed(attempts).dueMs - nowMs)
  expect(failed(attempts).status).toBe('pending')
  expect(Math.min(...pauses)).toBeGreaterThanOrEqual(pauseMs)
  expect(Math.max(...pauses)).toBeLessThanOrEqual(pauseMs * 1.1)
  expect(new Set(pauses).size).toBeGreaterThan(1)
  expect(pauses.every(Number.isInteger)).toBe(true)
})

it('after the tenth failure it is given up', () => {
  expect(failed(10)).toMatchObject({ status: 'failed', httpStatus: 503, error: 'Status 503.' })
  expect(failed(11).status).toBe('failed')
})

it('410 ends it at once', () => {
  expect(outcomeOf({ status: 410, retryAfter: undefined }, nth(1), nowMs)).toMatchObject({
    status: 'failed',
    isGone: true,
  })
})

it.each([
  ['standard', { status: 'pending', isGone: false, error: 'Status 404.' }],
  ['slack', { status: 'failed', isGone: true, error: 'Status 404: the receiver is gone.' }],
  ['discord', { status: 'failed', isGone: true }],
] as const)('404 to the format %s is %j', (format, expected) => {
  expect(outcomeOf({ status: 404, retryAfter: undefined }, { format, attempts: 1 }, nowMs)).toMatchObject(
    expected,
  )
})

const mailed = { sentTo: [], refused: 0, leftOut: 0, failure: null }

describe('mails', () => {
  it.each([
    ['to nobody', {}, { status: 'delivered', error: null, isTaken: true, sentTo: [] }],
    ['to all', { sentTo: ['usr_1'] }, { status: 'delivered', error: null, isTaken: true }],
    [
      'of which one was refused for good',
      { sentTo: ['usr_1'], refused: 1 },
      { status: 'delivered', error: 'The mail server refused 1.', isTaken: true },
    ],
    ['that were all refused', { refused: 2 }, { status: 'failed', isTaken: false }],
    ['beyond the limits', { leftOut: 2 }, { status: 'failed', isTaken: true }],
    [
      'of which some are missing',
      { sentTo: ['usr_1'], failure: 'The mail server answered 451.' },
      { status: 'pending', isTaken: true, sentTo: ['usr_1'], error: 'The mail server answered 451.' },
    ],
    ['that all failed', { failure: 'x' }, { status: 'pending', isTaken: false }],
  ] as const)('%s', (_which, given, expected) => {
    expect(
      outcomeOfMails({ ...mailed, ...given, sentTo: [...('sentTo' in given ? given.sentTo : [])] }, 1, nowMs),
    ).toMatchObject(expected)
  })

  it('are given up after the tenth failure', () => {
    expect(outcomeOfMails({ ...mailed, failure: 'x' }, 10, nowMs)).toMatchObject({ status: 'failed' })
  })
})

it.each([
  [{ status: 302, retryAfter: undefined }, 'Status 302: redirects are not followed.'],
  [{ failure: 'The request timed out.' }, 'The request timed out.'],
])('%j is reported as %s', (answer, error) => {
  expect(outcomeOf(answer, nth(1), nowMs)).toMatchObject({ status: 'pending', error })
})

describe('Retry-After', () => {
  it.each([
    ['120', 120_000],
    ['86400', 24 * hourMs],
    ['99999999999999999999', 24 * hourMs],
    [new Date(nowMs + 10 * minuteMs).toUTCString(), 10 * minuteMs],
    [new Date(nowMs + 400 * hourMs).toUTCString(), 24 * hourMs],
  ])('%s is respected, up to a day', (retryAfter, pauseMs) => {
    expect(failed(1, retryAfter).dueMs - nowMs).toBe(pauseMs)
  })

  it.each(['0', '4', '-5', '1e9', 'soon', '', new Date(nowMs - hourMs).toUTCString()])(
    '%j changes nothing',
    (retryAfter) => {
      const pauseMs = failed(1, retryAfter).dueMs - nowMs
      expect(pauseMs).toBeGreaterThanOrEqual(5_000)
      expect(pauseMs).toBeLessThanOrEqual(5_500)
    },
  )

  it('sooner than the schedule changes nothing either', () => {
    expect(failed(4, '60').dueMs - nowMs).toBeGreaterThanOrEqual(2 * hourMs)
  })
})
