/** The variables of systems for continuous integration, as their documentation has them. */
import { describe, expect, it } from 'vitest'
import { ciMeta } from '../../../src/cli/deploy/ci-meta.ts'
import type { SourceMeta } from '../../../src/cli/deploy/git-meta.ts'

const commit = 'ffac537e6cbbf934b08745a378932722df287a53'

const github = {
  GITHUB_ACTIONS: 'true',
  GITHUB_SHA: commit,
  GITHUB_ACTOR: 'ada',
  GITHUB_SERVER_URL: 'https://github.com',
  GITHUB_REPOSITORY: 'team/site',
}
const ofGithub = { commit, author: 'ada', repository: 'https://github.com/team/site' }

const gitlab = {
  GITLAB_CI: 'true',
  CI: 'true',
  CI_COMMIT_SHA: commit,
  CI_COMMIT_TITLE: 'Change it',
  CI_COMMIT_AUTHOR: 'Ada Lovelace <ada@example.com>',
  CI_PROJECT_URL: 'https://gitlab.example.com/group/site',
}
const ofGitlab = {
  commit,
  message: 'Change it',
  author: 'Ada Lovelace',
  repository: 'https://gitlab.example.com/group/site',
}

const azure = {
  TF_BUILD: 'True',
  BUILD_SOURCEVERSION: commit,
  BUILD_SOURCEVERSIONMESSAGE: 'Change it',
  BUILD_REQUESTEDFOR: 'Ada Lovelace',
  BUILD_REPOSITORY_URI: 'https://org@dev.azure.com/org/site/_git/site',
}
const ofAzure = {
  commit,
  message: 'Change it',
  author: 'Ada Lovelace',
  repository: 'https://dev.azure.com/org/site/_git/site',
}

describe('of', () => {
  it.each<[string, Record<string, string>, SourceMeta]>([
    [
      'GitHub: a push',
      {
        ...github,
        GITHUB_REF: 'refs/heads/feature/a,b',
        GITHUB_REF_NAME: 'feature/a,b',
        GITHUB_REF_TYPE: 'branch',
        GITHUB_HEAD_REF: '',
      },
      { ...ofGithub, branch: 'feature/a,b' },
    ],
    [
      'GitHub: a pull request',
      {
        ...github,
        GITHUB_REF: 'refs/pull/12/merge',
        GITHUB_REF_NAME: '12/merge',
        GITHUB_HEAD_REF: 'fix',
        GITHUB_REF_TYPE: 'branch',
      },
      { ...ofGithub, branch: 'fix', pull_request: '12' },
    ],
    [
      'GitHub: a tag',
      { ...github, GITHUB_REF: 'refs/tags/v1', GITHUB_REF_NAME: 'v1', GITHUB_REF_TYPE: 'tag' },
      ofGithub,
    ],
    [
      'Forgejo',
      {
        ...github,
        GITHUB_ACTIONS: '',
        FORGEJO_ACTIONS: 'true',
        GITHUB_SERVER_URL: 'https://code.example.com',
        GITHUB_REF: 'refs/heads/main',
      },
      { ...ofGithub, repository: 'https://code.example.com/team/site', branch: 'main' },
    ],
    [
      'GitLab: a branch',
      { ...gitlab, CI_COMMIT_BRANCH: 'main', CI_COMMIT_REF_NAME: 'main' },
      { ...ofGitlab, branch: 'main' },
    ],
    [
      'GitLab: a merge request',
      {
        ...gitlab,
        CI_COMMIT_REF_NAME: 'refs/merge-requests/3/head',
        CI_MERGE_REQUEST_SOURCE_BRANCH_NAME: 'fix',
        CI_MERGE_REQUEST_IID: '3',
      },
      { ...ofGitlab, branch: 'fix', pull_request: '3' },
    ],
    ['GitLab: a tag', { ...gitlab, CI_COMMIT_TAG: 'v1', CI_COMMIT_REF_NAME: 'v1' }, ofGitlab],
    ['GitLab: one variable alone', { CI_COMMIT_REF_NAME: 'feature/x' }, { branch: 'feature/x' }],
    [
      'Bitbucket',
      {
        BITBUCKET_BUILD_NUMBER: '1',
        BITBUCKET_BRANCH: 'fix',
        BITBUCKET_COMMIT: commit,
        BITBUCKET_GIT_HTTP_ORIGIN: 'http://bitbucket.org/team/site',
        BITBUCKET_PR_ID: '4',
      },
      { branch: 'fix', commit, repository: 'https://bitbucket.org/team/site', pull_request: '4' },
    ],
    [
      'Bitbucket: a tag',
      { BITBUCKET_BUILD_NUMBER: '1', BITBUCKET_TAG: 'v1', BITBUCKET_COMMIT: commit },
      { commit },
    ],
    [
      'Woodpecker: a pull request',
      {
        CI: 'woodpecker',
        CI_COMMIT_SHA: commit,
        CI_COMMIT_BRANCH: 'main',
        CI_COMMIT_SOURCE_BRANCH: 'fix',
        CI_COMMIT_MESSAGE: 'Change it\n\nBecause.',
        CI_COMMIT_AUTHOR: 'ada',
        CI_REPO_URL: 'https://code.example.com/team/site',
        CI_COMMIT_PULL_REQUEST: '5',
      },
      {
        branch: 'fix',
        commit,
        message: 'Change it',
        author: 'ada',
        repository: 'https://code.example.com/team/site',
        pull_request: '5',
      },
    ],
    [
      'CircleCI',
      {
        CIRCLECI: 'true',
        CIRCLE_BRANCH: 'fix',
        CIRCLE_SHA1: commit,
        CIRCLE_USERNAME: 'ada',
        CIRCLE_REPOSITORY_URL: 'git@github.com:team/site.git',
        CIRCLE_PULL_REQUEST: 'https://github.com/team/site/pull/6',
      },
      { branch: 'fix', commit, author: 'ada', repository: 'https://github.com/team/site', pull_request: '6' },
    ],
    [
      'Buildkite',
      {
        BUILDKITE: 'true',
        BUILDKITE_BRANCH: 'fix',
        BUILDKITE_COMMIT: commit,
        BUILDKITE_MESSAGE: 'Change it',
        BUILDKITE_BUILD_AUTHOR: 'Ada',
        BUILDKITE_REPO: 'git@github.com:team/site.git',
        BUILDKITE_PULL_REQUEST: 'false',
      },
      {
        branch: 'fix',
        commit,
        message: 'Change it',
        author: 'Ada',
        repository: 'https://github.com/team/site',
      },
    ],
    [
      'Buildkite before it has looked',
      {
        BUILDKITE: 'true',
        BUILDKITE_BRANCH: 'v1',
        BUILDKITE_TAG: 'v1',
        BUILDKITE_COMMIT: 'HEAD',
        BUILDKITE_PULL_REQUEST: '8',
      },
      { pull_request: '8' },
    ],
    [
      'Jenkins',
      {
        JENKINS_URL: 'https://ci.example.com/',
        GIT_BRANCH: 'origin/feature/x',
        GIT_COMMIT: commit,
        GIT_URL: 'https://bot:token@example.com/team/site.git',
      },
      { branch: 'feature/x', commit, repository: 'https://example.com/team/site' },
    ],
    [
      'Jenkins: a change',
      {
        JENKINS_URL: 'https://ci.example.com/',
        BRANCH_NAME: 'PR-9',
        CHANGE_BRANCH: 'fix',
        CHANGE_ID: '9',
        CHANGE_AUTHOR: 'ada',
        CHANGE_AUTHOR_DISPLAY_NAME: 'Ada',
      },
      { branch: 'fix', author: 'Ada', pull_request: '9' },
    ],
    [
      'Azure: a branch',
      { ...azure, BUILD_SOURCEBRANCH: 'refs/heads/feature/x', BUILD_SOURCEBRANCHNAME: 'x' },
      { ...ofAzure, branch: 'feature/x' },
    ],
    [
      'Azure: a pull request',
      {
        ...azure,
        BUILD_SOURCEBRANCH: 'refs/pull/3/merge',
        SYSTEM_PULLREQUEST_SOURCEBRANCH: 'refs/heads/fix',
        SYSTEM_PULLREQUEST_PULLREQUESTID: '3',
      },
      { ...ofAzure, branch: 'fix', pull_request: '3' },
    ],
    ['Azure: a tag', { ...azure, BUILD_SOURCEBRANCH: 'refs/tags/v1' }, ofAzure],
    [
      'Travis',
      {
        TRAVIS: 'true',
        TRAVIS_BRANCH: 'main',
        TRAVIS_COMMIT: commit,
        TRAVIS_COMMIT_MESSAGE: 'Change it\nmore',
        TRAVIS_REPO_SLUG: 'team/site',
        TRAVIS_PULL_REQUEST: 'false',
        TRAVIS_PULL_REQUEST_BRANCH: '',
      },
      { branch: 'main', commit, message: 'Change it', repository: 'https://github.com/team/site' },
    ],
    [
      'Travis: a pull request',
      {
        TRAVIS: 'true',
        TRAVIS_BRANCH: 'main',
        TRAVIS_PULL_REQUEST: '10',
        TRAVIS_PULL_REQUEST_BRANCH: 'fix',
        TRAVIS_PULL_REQUEST_SHA: commit,
      },
      { branch: 'fix', commit, pull_request: '10' },
    ],
    ['no system', { CI: 'true', BRANCH: 'main' }, {}],
  ])('%s', (_what, env, meta) => {
    const found = Object.entries(ciMeta(env)).filter(([, value]) => value !== undefined && value !== '')
    expect(Object.fromEntries(found)).toEqual(meta)
  })
})
