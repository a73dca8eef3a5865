/** Addresses of commits and pull requests. */
import { describe, expect, it } from 'vitest'
import { forgeLinks } from '../../src/lib/forge-links.ts'

const commit = '18dc59b2a3c4d5e6f708192a3b4c5d6e7f809102'

it.each([
  ['https://github.com/acme/web', 'commit', 'pull/7'],
  ['https://github.com/acme/web.git', 'commit', 'pull/7'],
  ['https://gitlab.com/acme/sites/web/', '-/commit', '-/merge_requests/7'],
  ['https://gitlab.example.com/acme/web', '-/commit', '-/merge_requests/7'],
  ['https://bitbucket.org/acme/web', 'commits', 'pull-requests/7'],
  ['https://codeberg.org/acme/web', 'commit', 'pulls/7'],
  ['https://dev.azure.com/acme/web/_git/web', 'commit', 'pullrequest/7'],
])('of %s', (repository, commits, pullRequest) => {
  const place = repository.replace(/\.git$|\/$/, '')
  expect(forgeLinks({ repository, commit, pull_request: '7' })).toEqual({
    commit: `${place}/${commits}/${commit}`,
    pullRequest: `${place}/${pullRequest}`,
  })
})

it('a forge of another host has its commits where most have them, and no known place for the rest', () => {
  const links = forgeLinks({ repository: 'https://git.example.com:8443/acme/web', commit, pull_request: '7' })
  expect(links).toEqual({
    commit: `https://git.example.com:8443/acme/web/commit/${commit}`,
    pullRequest: undefined,
  })
})

describe('nothing', () => {
  it.each([
    ['without a repository', { commit }],
    ['for http', { repository: 'http://github.com/acme/web', commit }],
    ['for what a browser would run', { repository: 'javascript:alert(1)//x', commit }],
    ['for an address with a user', { repository: 'https://github.com@evil.example/acme', commit }],
    ['for a host alone', { repository: 'https://github.com/', commit }],
    ['for a commit that is none', { repository: 'https://github.com/acme/web', commit: '../../x' }],
    ['for a number that is none', { repository: 'https://github.com/acme/web', pull_request: '7/../x' }],
  ])('%s', (_what, meta) => {
    expect(forgeLinks(meta)).toEqual({ commit: undefined, pullRequest: undefined })
  })

  it('of the query and the fragment of a repository', () => {
    const repository = 'https://github.com/acme/web?next=https://evil.example#x'
    expect(forgeLinks({ repository, commit }).commit).toBe(`https://github.com/acme/web/commit/${commit}`)
  })
})
