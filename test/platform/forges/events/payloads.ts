/** Payloads as the forges document them; GitHub's are those of its own examples. */
import { createRequire } from 'node:module'
import { z } from 'zod'

// The package is JSON, and its types leave no room for a payload that is changed.
const require = createRequire(import.meta.url)

const examples = z
  .array(z.object({ name: z.string(), examples: z.array(z.record(z.string(), z.unknown())) }))
  .parse(require('@octokit/webhooks-examples'))

/** The examples of a GitHub event. */
export function githubExamples(name: string): Record<string, unknown>[] {
  return examples.find((each) => each.name === name)?.examples ?? []
}

export const noCommit = '0'.repeat(40)

/** The bytes of a payload. */
export function bytesOf(payload: unknown): Buffer {
  return Buffer.from(JSON.stringify(payload))
}

const gitlabProject = {
  id: 15,
  name: 'Diaspora',
  web_url: 'https://example.com/mike/diaspora',
  git_ssh_url: 'git@example.com:mike/diaspora.git',
  git_http_url: 'https://example.com/mike/diaspora.git',
  namespace: 'Mike',
  path_with_namespace: 'mike/diaspora',
  default_branch: 'master',
}

/** GitLab's `Push Hook` (docs.gitlab.com, "Webhook events", "Push events"). */
export const gitlabPush = {
  object_kind: 'push',
  event_name: 'push',
  before: '95790bf891e76fee5e1747ab589903a6a1f80f22',
  after: 'da1560886d4f094c3e6c9ef40349f7d38b5d27d7',
  ref: 'refs/heads/master',
  checkout_sha: 'da1560886d4f094c3e6c9ef40349f7d38b5d27d7',
  user_id: 4,
  user_name: 'John Smith',
  user_username: 'jsmith',
  project_id: 15,
  project: gitlabProject,
  commits: [
    {
      id: 'b6568db1bc1dcd7f8b4d5a946b0b91f9dacd7327',
      message: 'Update Catalan translation to e38cb41.\n\nSee https://gitlab.com for more information',
      title: 'Update Catalan translation to e38cb41.',
      author: { name: 'Jordi Mallach', email: 'jordi@softcatala.org' },
      added: [] as string[],
      modified: ['app/controller/application.rb'],
      removed: [] as string[],
    },
    {
      id: 'da1560886d4f094c3e6c9ef40349f7d38b5d27d7',
      message: 'fixed readme',
      title: 'fixed readme',
      author: { name: 'GitLab dev user', email: 'gitlabdev@dv6700.(none)' },
      added: [] as string[],
      modified: ['README.md'],
      removed: ['old.md'],
    },
  ],
  total_commits_count: 2,
}

/** GitLab's `Merge Request Hook` (docs.gitlab.com, "Webhook events", "Merge request events"). */
export const gitlabMergeRequest = {
  object_kind: 'merge_request',
  event_type: 'merge_request',
  user: { id: 51, name: 'Administrator', username: 'root' },
  project: gitlabProject,
  object_attributes: {
    id: 99,
    iid: 1,
    target_branch: 'master',
    source_branch: 'ms-viewport',
    source_project_id: 15 as number | null,
    target_project_id: 15,
    author_id: 51,
    title: 'MS-Viewport',
    state: 'opened',
    source: { web_url: gitlabProject.web_url, git_http_url: gitlabProject.git_http_url },
    last_commit: { id: 'da1560886d4f094c3e6c9ef40349f7d38b5d27d7', message: 'fixed readme' },
    action: 'open',
  },
}

const giteaRepository = {
  id: 140,
  owner: { id: 1, login: 'gitea' },
  name: 'webhooks',
  full_name: 'gitea/webhooks',
  html_url: 'https://try.gitea.io/gitea/webhooks',
  ssh_url: 'ssh://gitea@try.gitea.io:2222/gitea/webhooks.git',
  clone_url: 'https://try.gitea.io/gitea/webhooks.git',
  default_branch: 'master',
}

const giteaCommit = {
  id: 'bffeb74224043ba2feb48d137756c8a9331c449a',
  message: 'Webhooks Yay!',
  author: { name: 'Gitea', email: 'someone@gitea.io', username: 'gitea' },
  added: ['docs/webhooks.md'],
  removed: null,
  modified: null,
}

/** Gitea's `push` (docs.gitea.com, "Webhooks"). */
export const giteaPush = {
  ref: 'refs/heads/develop',
  before: '28e1879d029cb852e4844d9c718537df08844e03',
  after: 'bffeb74224043ba2feb48d137756c8a9331c449a',
  commits: [giteaCommit],
  total_commits: 1,
  head_commit: giteaCommit,
  repository: giteaRepository,
  pusher: { id: 1, login: 'gitea', full_name: 'Gitea' },
  sender: { id: 1, login: 'gitea', full_name: 'Gitea' },
}

/** Gitea's `delete`. */
export const giteaDelete = {
  ref: 'feature/a',
  ref_type: 'branch',
  pusher_type: 'user',
  repository: giteaRepository,
  sender: { id: 1, login: 'gitea' },
}

/** Gitea's `pull_request`. */
export const giteaPull = {
  action: 'opened',
  number: 2,
  pull_request: {
    id: 21,
    number: 2,
    title: 'Webhooks for all',
    user: { id: 1, login: 'gitea' },
    state: 'open',
    base: { label: 'master', ref: 'master', repo_id: 140, repo: giteaRepository },
    head: {
      label: 'develop',
      ref: 'develop',
      sha: 'bffeb74224043ba2feb48d137756c8a9331c449a',
      repo_id: 140,
      repo: giteaRepository,
    },
  },
  repository: giteaRepository,
  sender: { id: 1, login: 'gitea' },
}
