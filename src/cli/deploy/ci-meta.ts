/** The origin of a site's files, from the variables of the system that runs the deployment. */
import type { SourceMeta } from './git-meta.ts'
import { repositoryAddress } from './repository-address.ts'

type Variables = Record<string, string | undefined>

type System = { isRunning(env: Variables): boolean; read(env: Variables): SourceMeta }

const afterHeads = (ref: string | undefined) => /^refs\/heads\/(.+)$/.exec(ref ?? '')?.[1]
/** Some systems say that there is none. */
const number = (text: string | undefined) => /(?:^|[/#!])(\d+)$/.exec(text ?? '')?.[1]
const nameOnly = (author: string | undefined) => author?.replace(/\s*<[^>]*>\s*$/, '')

/** Whether any of these variables is set. */
const has =
  (...names: string[]) =>
  (env: Variables) =>
    names.some((name) => env[name])

/** GitHub Actions, and those of Gitea and Forgejo, which have its variables. */
const github: System = {
  isRunning: has('GITHUB_ACTIONS', 'GITEA_ACTIONS', 'FORGEJO_ACTIONS', 'GITHUB_REF_NAME', 'GITHUB_HEAD_REF'),
  read: (env) => ({
    branch: env.GITHUB_HEAD_REF || afterHeads(env.GITHUB_REF) || githubBranch(env),
    commit: env.GITHUB_SHA,
    author: env.GITHUB_ACTOR,
    repository: env.GITHUB_REPOSITORY && `${env.GITHUB_SERVER_URL}/${env.GITHUB_REPOSITORY}`,
    pull_request: /^refs\/pull\/(\d+)\//.exec(env.GITHUB_REF ?? '')?.[1],
  }),
}

/** The branch; undefined for a tag or a pull request. */
function githubBranch({ GITHUB_REF, GITHUB_REF_NAME: name = '', GITHUB_REF_TYPE: type }: Variables) {
  return GITHUB_REF || type === 'tag' || /^\d+\/merge$/.test(name) ? undefined : name
}

const woodpecker: System = {
  isRunning: (env) => env.CI === 'woodpecker' || env.CI_SYSTEM_NAME === 'woodpecker',
  read: (env) => ({
    branch: env.CI_COMMIT_SOURCE_BRANCH || env.CI_COMMIT_BRANCH,
    commit: env.CI_COMMIT_SHA,
    message: env.CI_COMMIT_MESSAGE,
    author: env.CI_COMMIT_AUTHOR,
    repository: env.CI_REPO_URL,
    pull_request: env.CI_COMMIT_PULL_REQUEST,
  }),
}

const gitlab: System = {
  isRunning: has('GITLAB_CI', 'CI_COMMIT_REF_NAME'),
  read: (env) => ({
    branch:
      env.CI_MERGE_REQUEST_SOURCE_BRANCH_NAME ||
      env.CI_COMMIT_BRANCH ||
      (env.CI_COMMIT_TAG ? undefined : env.CI_COMMIT_REF_NAME),
    commit: env.CI_COMMIT_SHA,
    message: env.CI_COMMIT_TITLE,
    author: nameOnly(env.CI_COMMIT_AUTHOR),
    repository: env.CI_PROJECT_URL,
    pull_request: env.CI_MERGE_REQUEST_IID,
  }),
}

const bitbucket: System = {
  isRunning: has('BITBUCKET_BUILD_NUMBER', 'BITBUCKET_BRANCH'),
  read: (env) => ({
    branch: env.BITBUCKET_BRANCH,
    commit: env.BITBUCKET_COMMIT,
    repository: env.BITBUCKET_GIT_HTTP_ORIGIN,
    pull_request: env.BITBUCKET_PR_ID,
  }),
}

const circle: System = {
  isRunning: has('CIRCLECI', 'CIRCLE_BRANCH'),
  read: (env) => ({
    branch: env.CIRCLE_BRANCH,
    commit: env.CIRCLE_SHA1,
    author: env.CIRCLE_USERNAME,
    repository: env.CIRCLE_REPOSITORY_URL,
    pull_request: env.CIRCLE_PR_NUMBER || env.CIRCLE_PULL_REQUEST,
  }),
}

const buildkite: System = {
  isRunning: has('BUILDKITE', 'BUILDKITE_BRANCH'),
  read: (env) => ({
    branch: env.BUILDKITE_TAG ? undefined : env.BUILDKITE_BRANCH,
    // `HEAD` until the agent has looked.
    commit: env.BUILDKITE_COMMIT === 'HEAD' ? undefined : env.BUILDKITE_COMMIT,
    message: env.BUILDKITE_MESSAGE,
    author: env.BUILDKITE_BUILD_AUTHOR,
    repository: env.BUILDKITE_REPO,
    pull_request: env.BUILDKITE_PULL_REQUEST,
  }),
}

const jenkins: System = {
  isRunning: has('JENKINS_URL', 'JENKINS_HOME'),
  read: (env) => ({
    branch:
      env.CHANGE_BRANCH ||
      (env.TAG_NAME
        ? undefined
        : env.BRANCH_NAME || env.GIT_BRANCH?.replace(/^(?:refs\/)?(?:remotes\/)?origin\//, '')),
    commit: env.GIT_COMMIT,
    author: env.CHANGE_AUTHOR_DISPLAY_NAME || env.CHANGE_AUTHOR,
    repository: env.GIT_URL,
    pull_request: env.CHANGE_ID,
  }),
}

const azure: System = {
  isRunning: has('TF_BUILD', 'BUILD_SOURCEBRANCH'),
  read: (env) => ({
    branch: afterHeads(env.SYSTEM_PULLREQUEST_SOURCEBRANCH) ?? afterHeads(env.BUILD_SOURCEBRANCH),
    commit: env.BUILD_SOURCEVERSION,
    message: env.BUILD_SOURCEVERSIONMESSAGE,
    author: env.BUILD_REQUESTEDFOR,
    repository: env.BUILD_REPOSITORY_URI,
    pull_request: env.SYSTEM_PULLREQUEST_PULLREQUESTNUMBER || env.SYSTEM_PULLREQUEST_PULLREQUESTID,
  }),
}

const travis: System = {
  isRunning: has('TRAVIS', 'TRAVIS_BRANCH'),
  read: (env) => ({
    branch: env.TRAVIS_PULL_REQUEST_BRANCH || (env.TRAVIS_TAG ? undefined : env.TRAVIS_BRANCH),
    commit: env.TRAVIS_PULL_REQUEST_SHA || env.TRAVIS_COMMIT,
    message: env.TRAVIS_COMMIT_MESSAGE,
    repository: env.TRAVIS_REPO_SLUG && `https://github.com/${env.TRAVIS_REPO_SLUG}`,
    pull_request: env.TRAVIS_PULL_REQUEST,
  }),
}

/** Woodpecker has variables with the names of GitLab's. */
const systems = [woodpecker, github, gitlab, bitbucket, circle, buildkite, jenkins, azure, travis]

/**
 * The facts of the commit by the continuous integration that runs, as it documents them; nothing elsewhere.
 */
export function ciMeta(env: Variables): SourceMeta {
  const found = systems.find(({ isRunning }) => isRunning(env))?.read(env)
  if (!found) return {}
  return {
    ...found,
    message: found.message?.split('\n', 1)[0],
    repository: found.repository && repositoryAddress(found.repository),
    pull_request: number(found.pull_request),
  }
}
