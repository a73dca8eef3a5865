/** Where the API of a repository is. */
import { describe, expect, it } from 'vitest'
import { apiPlace } from '../../../../src/platform/forges/api/repository-place.ts'
import { reportApi } from '../../../../src/platform/forges/reports/api.ts'
import type { Forge } from '../../../../src/stores/db/schema/project-repositories.ts'

const token = 'secret-token-of-the-forge'

it.each<[Forge, string, string]>([
  ['github', 'https://github.com/acme/web', 'https://api.github.com/repos/acme/web/issues/comments/1'],
  [
    'github',
    'https://GitHub.com/acme/web.js.git/',
    'https://api.github.com/repos/acme/web.js/issues/comments/1',
  ],
  [
    'github',
    'https://ghe.example:8443/acme/web',
    'https://ghe.example:8443/api/v3/repos/acme/web/issues/comments/1',
  ],
  ['gitea', 'https://codeberg.org/acme/web', 'https://codeberg.org/api/v1/repos/acme/web/issues/comments/1'],
  [
    'gitlab',
    'https://gitlab.com/a/b/web.git',
    'https://gitlab.com/api/v4/projects/a%2Fb%2Fweb/merge_requests/5/notes/1',
  ],
])('of %s, %s, it is at %s', (provider, url, expected) => {
  expect(reportApi(provider, apiPlace({ provider, url, token })).editComment(5, 1, '').url).toBe(expected)
})

describe('an address', () => {
  it.each<[Forge, string]>([
    ['github', 'http://github.com/acme/web'],
    ['github', 'https://user:password@github.com/acme/web'],
    ['github', 'https://github.com/acme'],
    ['github', 'https://github.com/acme/web/tree/main'],
    ['github', 'https://github.com/acme/%2e%2e'],
    ['github', 'https://github.com/acme/..%2fother'],
    ['gitea', 'https://git.example/a/b/c'],
    ['gitlab', 'https://gitlab.com/web'],
    ['gitlab', 'https://gitlab.com/a//web'],
    ['gitlab', 'https://gitlab.com/a/web%3fx'],
    ['gitlab', 'git@gitlab.com:a/web.git'],
    ['gitlab', ''],
  ])('of %s, %s, is refused', (provider, url) => {
    expect(() => apiPlace({ provider, url, token })).toThrow(/^url: /)
  })
})

it.each(['', 'a b', 'a\r\nhost: b', 'ä'])('the token %j is refused, and not repeated', (bad) => {
  const url = 'https://github.com/acme/web'
  expect(() => apiPlace({ provider: 'github', url, token: bad })).toThrow(
    'token: should be ASCII without spaces',
  )
})
