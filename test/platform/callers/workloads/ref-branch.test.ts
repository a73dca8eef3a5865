/** The branch of a job, by the claims of each CI system. */
import type { JWTPayload } from 'jose'
import { expect, it } from 'vitest'
import { branchOfRef } from '../../../../src/platform/callers/workloads/ref-branch.ts'

const gitlab = { project_id: '7', project_path: 'acme/web', namespace_path: 'acme' }

it.each<[string, JWTPayload, string | null]>([
  ['a push at GitHub', { ref: 'refs/heads/main', ref_type: 'branch' }, 'main'],
  ['a branch with slashes', { ref: 'refs/heads/feature/a/b', ref_type: 'branch' }, 'feature/a/b'],
  ['a branch that is called as a full ref', { ref: 'refs/heads/refs/heads/main' }, 'refs/heads/main'],
  ['a push at Gitea, without a type', { ref: 'refs/heads/next' }, 'next'],
  ['a pull request', { ref: 'refs/pull/7/merge', ref_type: 'branch' }, null],
  ['a tag', { ref: 'refs/tags/main', ref_type: 'tag' }, null],
  ['a tag by its type alone', { ref: 'refs/heads/main', ref_type: 'tag' }, null],
  ['a name where a full ref is due', { ref: 'main' }, null],
  ['a name with a type where a full ref is due', { ref: 'main', ref_type: 'branch' }, null],
  ['nothing', {}, null],
  ['an empty branch', { ref: 'refs/heads/' }, null],
  ['a list', { ref: ['refs/heads/main'] }, null],
  ['a push at GitLab', { ...gitlab, ref: 'main', ref_type: 'branch', ref_path: 'refs/heads/main' }, 'main'],
  ['a push at an older GitLab', { ...gitlab, ref: 'main', ref_type: 'branch' }, 'main'],
  [
    'a branch at GitLab that is called as a full ref',
    { ...gitlab, ref: 'refs/heads/main', ref_type: 'branch', ref_path: 'refs/heads/refs/heads/main' },
    'refs/heads/main',
  ],
  [
    'such a branch at an older GitLab',
    { ...gitlab, ref: 'refs/heads/main', ref_type: 'branch' },
    'refs/heads/main',
  ],
  ['a tag at GitLab', { ...gitlab, ref: 'main', ref_type: 'tag', ref_path: 'refs/tags/main' }, null],
  ['a job at GitLab without a type', { ...gitlab, ref: 'main' }, null],
  [
    'a merge request, whose source branch is called main',
    {
      ...gitlab,
      ref: 'main',
      ref_type: 'branch',
      ref_path: 'refs/heads/main',
      pipeline_source: 'merge_request_event',
    },
    null,
  ],
])('%s', (_, claims, branch) => {
  expect(branchOfRef(claims)).toBe(branch)
})
