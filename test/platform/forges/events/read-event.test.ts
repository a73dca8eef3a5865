/** What is read of the deliveries of each forge. */
import { describe, expect, it } from 'vitest'
import { AppError } from '../../../../src/lib/errors.ts'
import { readEvent } from '../../../../src/platform/forges/events/read-event.ts'
import type { Forge } from '../../../../src/stores/db/schema/project-repositories.ts'
import {
  bytesOf,
  giteaDelete,
  giteaPull,
  giteaPush,
  githubExamples,
  gitlabMergeRequest,
  gitlabPush,
  noCommit,
} from './payloads.ts'

function read(provider: Forge, event: string, payload: unknown) {
  return readEvent({ provider, event, contentType: 'application/json', body: bytesOf(payload) })
}

function refusal(read: () => unknown): AppError {
  try {
    read()
  } catch (error) {
    if (error instanceof AppError) return error
    throw error
  }
  throw new Error('It was not refused.')
}

/** A copy with another value at this path. */
function changed<T>(payload: T, path: string, value: unknown): T {
  const copy: T = structuredClone(payload)
  const names = path.split('.')
  const last = names.pop() ?? ''
  const holder = names.reduce<unknown>((at, name) => Reflect.get(Object(at), name), copy)
  Reflect.set(Object(holder), last, value)
  return copy
}

const helloWorld = {
  id: '186853002',
  urls: ['https://github.com/Codertocat/Hello-World', 'https://github.com/Codertocat/Hello-World.git'],
  defaultBranch: 'master',
  name: 'Codertocat/Hello-World',
  url: 'https://github.com/Codertocat/Hello-World',
}

/** GitHub's example of a push to a branch, of which the branch was made before. */
const githubPush: Record<string, unknown> = {
  ...githubExamples('push').find(({ ref }) => ref === 'refs/heads/master'),
  before: 'a10867b14bb761a232cd80139fbd4c0d33264240',
  created: false,
}

const githubPull = githubExamples('pull_request').find(({ action }) => action === 'opened')

describe("GitHub's examples", () => {
  it.each(['push', 'delete', 'ping', 'pull_request', 'issues', 'release', 'check_run', 'star'])(
    'of %s are all read',
    (event) => {
      const payloads = githubExamples(event)
      expect(payloads.length).toBeGreaterThan(0)
      for (const payload of payloads) expect(read('github', event, payload).kind).toMatch(/^\w+$/)
    },
  )

  it('of tags are ignored', () => {
    const tags = [
      ...githubExamples('push').filter(({ ref }) => ref === 'refs/tags/simple-tag'),
      ...githubExamples('delete'),
    ]
    expect(tags.length).toBeGreaterThan(6)
    for (const payload of tags)
      expect(read('github', 'ref_type' in payload ? 'delete' : 'push', payload)).toEqual({
        kind: 'ignored',
        why: 'Tags and other refs are ignored: only branches are deployed.',
      })
  })

  it('of pull requests lead to what is deployed, or are ignored', () => {
    const kinds = githubExamples('pull_request').map((payload) => {
      const event = read('github', 'pull_request', payload)
      return event.kind === 'pull_request' ? `${payload.action}: ${event.action}` : event.kind
    })
    expect([...new Set(kinds)].sort()).toEqual([
      'closed: closed',
      'ignored',
      'opened: opened',
      'reopened: reopened',
      'synchronize: updated',
    ])
  })
})

describe('a push to GitHub', () => {
  it('has the newest commit, and the paths that all commits change', () => {
    expect(read('github', 'push', githubPush)).toEqual({
      kind: 'push',
      repository: helloWorld,
      branch: 'master',
      commit: githubPush.after,
      message: 'Initial commit',
      author: 'Codertocat',
      pusher: 'Codertocat',
      changed: ['README.md'],
    })
  })

  it.each([
    ['that was forced', 'forced', true],
    ['that made the branch', 'before', noCommit],
    ['with no commits', 'commits', []],
    ['with commits of another head only', 'after', '0123456789012345678901234567890123456789'],
  ])('%s does not say which paths it changes', (_what, field, value) => {
    const event = read('github', 'push', changed(githubPush, field, value))
    expect(event).toMatchObject({ kind: 'push', changed: undefined })
  })

  it('of as many commits as are listed at most does not say which paths it changes', () => {
    const { commits } = githubPush
    const [commit] = Array.isArray(commits) ? commits : []
    const event = (count: number) =>
      read('github', 'push', { ...githubPush, commits: Array.from({ length: count }, () => commit) })
    expect(event(19)).toMatchObject({ changed: ['README.md'] })
    expect(event(20)).toMatchObject({ changed: undefined })
  })

  it('that deletes a branch says so', () => {
    const deleted = { ...githubPush, after: noCommit, deleted: true, head_commit: null, commits: [] }
    expect(read('github', 'push', deleted)).toEqual({
      kind: 'branch_deleted',
      repository: helloWorld,
      branch: 'master',
    })
  })

  it('may be a form', () => {
    const body = Buffer.from(new URLSearchParams({ payload: JSON.stringify(githubPush) }).toString())
    const contentType = 'application/x-www-form-urlencoded'
    const event = readEvent({ provider: 'github', event: 'push', contentType, body })
    expect(event).toEqual(read('github', 'push', githubPush))
  })

  it('keeps nothing of a message but a line that may be printed', () => {
    const message = '\u001b[31mred\u0000\ud800\nand more'
    const event = read('github', 'push', changed(githubPush, 'head_commit.message', message))
    expect(event).toMatchObject({ message: 'red\u2400\ufffd' })
  })
})

describe('a deleted branch', () => {
  it('is the same in the event of its own', () => {
    const [example] = githubExamples('delete')
    const event = read('github', 'delete', { ...example, ref: 'feature/a', ref_type: 'branch' })
    expect(event).toEqual({ kind: 'branch_deleted', repository: helloWorld, branch: 'feature/a' })
  })

  it('of Gitea and of GitLab, too', () => {
    expect(read('gitea', 'delete', giteaDelete)).toMatchObject({
      kind: 'branch_deleted',
      branch: 'feature/a',
    })
    const deleted = {
      ...gitlabPush,
      after: noCommit,
      checkout_sha: null,
      commits: [],
      total_commits_count: 0,
    }
    expect(read('gitlab', 'Push Hook', deleted)).toMatchObject({ kind: 'branch_deleted', branch: 'master' })
  })
})

describe('a pull request of GitHub', () => {
  it('has its branches, the newest commit and who opened it', () => {
    expect(read('github', 'pull_request', githubPull)).toEqual({
      kind: 'pull_request',
      repository: helloWorld,
      action: 'opened',
      number: 2,
      title: 'Update the README with new information.',
      author: 'Codertocat',
      branch: 'changes',
      base: 'master',
      commit: 'ec26c3e57ca3a959ca5aad62de7213c562f8c821',
      fork: false,
    })
  })

  it('of another repository is of a fork', () => {
    const fork = { id: 7, clone_url: 'https://github.com/other/Hello-World.git' }
    expect(read('github', 'pull_request', changed(githubPull, 'pull_request.head.repo', fork))).toMatchObject(
      {
        fork: true,
      },
    )
  })

  it('of a repository that is gone is of a fork', () => {
    expect(read('github', 'pull_request', changed(githubPull, 'pull_request.head.repo', null))).toMatchObject(
      {
        fork: true,
      },
    )
  })

  it('of somebody whose account is gone has no author', () => {
    const event = read('github', 'pull_request', changed(githubPull, 'pull_request.user', null))
    expect(event).toMatchObject({ kind: 'pull_request', author: undefined })
  })
})

describe('GitLab', () => {
  const repository = {
    id: '15',
    urls: ['https://example.com/mike/diaspora', 'https://example.com/mike/diaspora.git'],
    defaultBranch: 'master',
    name: 'mike/diaspora',
    url: 'https://example.com/mike/diaspora',
  }

  it('sends pushes with the newest commit last', () => {
    expect(read('gitlab', 'Push Hook', gitlabPush)).toEqual({
      kind: 'push',
      repository,
      branch: 'master',
      commit: gitlabPush.after,
      message: 'fixed readme',
      author: 'GitLab dev user',
      pusher: 'John Smith',
      changed: ['app/controller/application.rb', 'README.md', 'old.md'],
    })
  })

  it.each([
    ['of more commits than are listed', 'total_commits_count', 3],
    ['that made the branch', 'before', noCommit],
    ['with an added file, which may have been moved', 'commits.0.added', ['new.md']],
  ])('does not say which paths a push %s changes', (_what, field, value) => {
    const event = read('gitlab', 'Push Hook', changed(gitlabPush, field, value))
    expect(event).toMatchObject({ kind: 'push', changed: undefined })
  })

  it('sends a push of a new branch without commits', () => {
    const event = read('gitlab', 'Push Hook', { ...gitlabPush, before: noCommit, commits: [] })
    expect(event).toMatchObject({ commit: gitlabPush.after, message: undefined, author: undefined })
  })

  it('sends merge requests', () => {
    expect(read('gitlab', 'Merge Request Hook', gitlabMergeRequest)).toEqual({
      kind: 'pull_request',
      repository,
      action: 'opened',
      number: 1,
      title: 'MS-Viewport',
      author: 'Administrator',
      branch: 'ms-viewport',
      base: 'master',
      commit: 'da1560886d4f094c3e6c9ef40349f7d38b5d27d7',
      fork: false,
    })
  })

  it.each([
    ['reopen', undefined, 'reopened'],
    ['update', '6113728f27ae82c7b1a177c8d03f9e96e0adf246', 'updated'],
    ['close', undefined, 'closed'],
    ['merge', undefined, 'closed'],
  ])('sends the action %s', (action, oldrev, expected) => {
    const attributes = { ...gitlabMergeRequest.object_attributes, action, oldrev }
    const event = read('gitlab', 'Merge Request Hook', {
      ...gitlabMergeRequest,
      object_attributes: attributes,
    })
    expect(event).toMatchObject({ kind: 'pull_request', action: expected })
  })

  it.each(['update', 'approved', 'constructor', undefined])(
    'sends the action %s, which has no new commit',
    (action) => {
      const event = changed(gitlabMergeRequest, 'object_attributes.action', action)
      expect(read('gitlab', 'Merge Request Hook', event).kind).toBe('ignored')
    },
  )

  it('sends a merge request of a branch without commits', () => {
    const event = changed(gitlabMergeRequest, 'object_attributes.last_commit', null)
    expect(read('gitlab', 'Merge Request Hook', event)).toEqual({
      kind: 'ignored',
      why: 'The merge request has no commit yet.',
    })
  })

  it.each([16, null])('has a fork where the source is project %s', (id) => {
    const event = changed(gitlabMergeRequest, 'object_attributes.source_project_id', id)
    expect(read('gitlab', 'Merge Request Hook', event)).toMatchObject({ fork: true })
  })

  it('names nobody as the author but who opened it', () => {
    const event = changed(gitlabMergeRequest, 'user', { id: 52, name: 'Somebody Else' })
    expect(read('gitlab', 'Merge Request Hook', event)).toMatchObject({ author: undefined })
  })

  it.each(['Tag Push Hook', 'Note Hook', 'System Hook', 'push'])('sends a %s, which is ignored', (event) => {
    expect(read('gitlab', event, gitlabPush).kind).toBe('ignored')
  })
})

describe('Gitea', () => {
  it('sends pushes, with lists that may be null', () => {
    expect(read('gitea', 'push', giteaPush)).toEqual({
      kind: 'push',
      repository: {
        id: '140',
        urls: ['https://try.gitea.io/gitea/webhooks', 'https://try.gitea.io/gitea/webhooks.git'],
        defaultBranch: 'master',
        name: 'gitea/webhooks',
        url: 'https://try.gitea.io/gitea/webhooks',
      },
      branch: 'develop',
      commit: giteaPush.after,
      message: 'Webhooks Yay!',
      author: 'Gitea',
      pusher: 'gitea',
      changed: ['docs/webhooks.md'],
    })
  })

  it.each([
    ['of more commits than are listed', 'total_commits', 6],
    ['of an older server, which does not count them', 'total_commits', undefined],
    ['without lists of files', 'commits.0.added', null],
    ['without commits', 'commits', null],
  ])('does not say which paths a push %s changes', (_what, field, value) => {
    expect(read('gitea', 'push', changed(giteaPush, field, value))).toMatchObject({ changed: undefined })
  })

  it('sends pull requests', () => {
    expect(read('gitea', 'pull_request', giteaPull)).toMatchObject({
      action: 'opened',
      number: 2,
      title: 'Webhooks for all',
      author: 'gitea',
      branch: 'develop',
      base: 'master',
      fork: false,
    })
    const updated = { ...giteaPull, action: 'synchronized' }
    expect(read('gitea', 'pull_request', updated)).toMatchObject({ action: 'updated' })
  })

  it('names the branch of a closed pull request that is gone', () => {
    const own = changed(giteaPull, 'pull_request.head.ref', 'refs/pull/2/head')
    const event = read('gitea', 'pull_request', { ...own, action: 'closed' })
    expect(event).toMatchObject({ action: 'closed', branch: 'develop', fork: false })
  })

  it.each([
    ['without a branch', { ref: 'refs/pull/2/head', label: '' }],
    ['of a branch that may not be of the repository', { ref: 'refs/pull/2/head', label: 'develop' }],
  ])('takes one %s for one of a fork: anybody may push to refs/for', (_what, head) => {
    const event = changed(giteaPull, 'pull_request.head', { ...giteaPull.pull_request.head, ...head })
    expect(read('gitea', 'pull_request', event)).toMatchObject({ fork: true })
  })

  it('takes one that says how it was made for one of a fork', () => {
    expect(read('gitea', 'pull_request', changed(giteaPull, 'pull_request.flow', 1))).toMatchObject({
      fork: true,
    })
  })
})

describe('what the forge does not document', () => {
  const commits = [
    '',
    'main',
    'da1560886d4f094c3e6c9ef40349f7d38b5d27d',
    `${noCommit.slice(1)}g`,
    '--exec=id',
    7,
  ]
  it.each(commits)('the commit %s is refused', (commit) => {
    const error = refusal(() => read('github', 'push', changed(githubPush, 'after', commit)))
    expect(error).toMatchObject({ reason: 'invalid_input', issues: [{ path: 'after' }] })
  })

  it('commits by SHA-256 are read', () => {
    const after = 'ab'.repeat(32)
    expect(read('github', 'push', { ...githubPush, after })).toMatchObject({ commit: after })
  })

  it.each([
    '',
    '../main',
    'a..b',
    '-x',
    'a b',
    'a\nb',
    'a\u0000b',
    'a\u0085b',
    'a:b',
    'a~1',
    'a^',
    'a?',
    'a*',
    'a[b',
    'a\\b',
    'a@{1}',
    '@',
    '/a',
    'a/',
    'a//b',
    '.a',
    'a/.b',
    'a.lock',
    'a.lock/b',
    'a.',
    'a\ud800',
    'x'.repeat(251),
    'é'.repeat(126),
  ])('the branch %j is refused', (branch) => {
    for (const read_ of [
      () => read('github', 'push', changed(githubPush, 'ref', `refs/heads/${branch}`)),
      () => read('github', 'pull_request', changed(githubPull, 'pull_request.head.ref', branch)),
      () => read('gitlab', 'Push Hook', changed(gitlabPush, 'ref', `refs/heads/${branch}`)),
      () =>
        read(
          'gitlab',
          'Merge Request Hook',
          changed(gitlabMergeRequest, 'object_attributes.source_branch', branch),
        ),
      () => read('gitea', 'delete', { ...giteaDelete, ref: branch }),
    ])
      expect(refusal(read_)).toMatchObject({ reason: 'invalid_input' })
  })

  it.each(['a/b', 'größe', 'release-1.0', 'a@b', 'dependabot/npm_and_yarn/x-1.2.3', 'x'.repeat(250)])(
    'the branch %s is read',
    (branch) => {
      const event = read('github', 'push', changed(githubPush, 'ref', `refs/heads/${branch}`))
      expect(event).toMatchObject({ branch })
    },
  )

  it.each<[string, Forge, string, unknown, string]>([
    [
      'a repository without its number',
      'github',
      'push',
      changed(githubPush, 'repository.id', undefined),
      'repository.id',
    ],
    [
      'an address that leads to no web',
      'github',
      'push',
      changed(githubPush, 'repository.clone_url', 'file:///etc'),
      'repository.clone_url',
    ],
    [
      'an address with a password',
      'gitlab',
      'Push Hook',
      changed(gitlabPush, 'project.git_http_url', 'https://a:b@example.com/x'),
      'project.git_http_url',
    ],
    ['commits that are a text', 'gitea', 'push', changed(giteaPush, 'commits', 'all'), 'commits'],
    [
      'a pull request without a number',
      'gitea',
      'pull_request',
      changed(giteaPull, 'number', '2; rm'),
      'number',
    ],
    ['a merge request without attributes', 'gitlab', 'Merge Request Hook', {}, 'object_attributes'],
    ['a list', 'github', 'push', [], 'body'],
    ['nothing', 'github', 'push', null, 'body'],
  ])('%s is named', (_what, provider, event, payload, path) => {
    const error = refusal(() => read(provider, event, payload))
    expect(error).toMatchObject({ reason: 'invalid_input', issues: [{ path }] })
    expect(error.message).toMatch(/documents$/)
  })

  it.each<[string, Forge, string | undefined, string]>([
    ['no JSON', 'github', 'application/json', '{'],
    ['nothing', 'github', 'application/json', ''],
    ['JSON of no type', 'github', undefined, '{}'],
    ['JSON of another type', 'github', 'text/plain', '{}'],
    ['a form without a payload', 'github', 'application/x-www-form-urlencoded', 'a=b'],
    ['a form, of which GitLab has none', 'gitlab', 'application/x-www-form-urlencoded', 'payload=%7B%7D'],
  ])('a body with %s is refused', (_what, provider, contentType, text) => {
    const error = refusal(() => readEvent({ provider, event: 'push', contentType, body: Buffer.from(text) }))
    expect(error).toMatchObject({ reason: 'invalid_input' })
    expect(error.message).toContain('application/json')
  })

  it('the name of an event is not repeated where it could be anything', () => {
    const { why } = { why: '', ...read('github', '<b>issues</b>', {}) }
    expect(why).toBe('Events of this kind are ignored: only pushes and pull requests lead to deployments.')
  })
})

it('secure addresses alone are those of a repository', () => {
  const event = read(
    'gitlab',
    'Push Hook',
    changed(gitlabPush, 'project.web_url', 'http://example.com/mike/diaspora'),
  )
  expect(event).toMatchObject({ repository: { urls: ['https://example.com/mike/diaspora.git'] } })
})
