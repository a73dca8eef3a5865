/** Places of the operator's network, as a setting names them. */
import { describe, expect, it } from 'vitest'
import {
  describeDestination,
  parseDestination,
  parsePrivatePlace,
} from '../../../src/lib/names/private-place.ts'

describe('a place of a team', () => {
  it.each([
    ['acme=10.0.0.5:5432', { team: 'acme', name: '10.0.0.5', port: 5432 }],
    ['*=DB.Internal.:6379', { team: '*', name: 'db.internal', port: 6379 }],
    ['team_01J0=[fd00::1]:5432', { team: 'team_01J0', name: 'fd00::1', port: 5432 }],
    ['team_01j0=[FD00:0::1]:5432', { team: 'team_01j0', name: 'fd00::1', port: 5432 }],
    ['acme=[::ffff:10.0.0.5]:5432', { team: 'acme', name: '10.0.0.5', port: 5432 }],
  ])('%s', (text, place) => expect(parsePrivatePlace(text)).toEqual(place))

  it.each([
    '10.0.0.5:5432',
    'acme=10.0.0.5',
    'acme=10.0.0.5:0',
    'acme=10.0.0.5:65536',
    'acme=[10.0.0.5]:80',
    'acme=fd00::1:80',
    'acme=',
    '=a:80',
    'acme=a b:80',
  ])('is none: %s', (text) => expect(parsePrivatePlace(text)).toBeUndefined())
})

it('a destination is described as it is parsed', () => {
  for (const text of ['db.internal:5432', '10.0.0.5:443', '[fd00::1]:80']) {
    const destination = parseDestination(text)
    expect(destination && describeDestination(destination)).toBe(text)
  }
})
