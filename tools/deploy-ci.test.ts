/**
 * The steps of the workflows in docs/ci.md, in a shell as the systems run them, against a node.
 * @module-tag long
 */
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, beforeEach, expect, it, onTestFinished } from 'vitest'
import { newDataDirectory, type Program, startProgram, visit } from '../support/program.ts'

const run = promisify(execFile)
const commit = 'ffac537e6cbbf934b08745a378932722df287a53'

let directory = ''
let program: Program
let token = ''
let work = ''

beforeAll(async () => {
  directory = await newDataDirectory()
  program = await startProgram({ SVC_DATA_DIR: directory })
  token = program.key ?? ''
})

afterAll(async () => {
  await program.end('SIGTERM')
  await rm(directory, { recursive: true, force: true })
})

/** A site with a build, outside of a work tree, and a home for what npm installs. */
beforeEach(async () => {
  work = await mkdtemp(join(tmpdir(), 'svc-ci-'))
  onTestFinished(() => rm(work, { recursive: true, force: true }))
  const script = "mkdir -p dist && printf '%s' built > dist/index.html"
  const site = { name: 'site', version: '1.0.0', scripts: { build: script } }
  await writeFile(join(work, 'package.json'), JSON.stringify(site))
  const lock = { name: 'site', version: '1.0.0', lockfileVersion: 3, packages: { '': site } }
  await writeFile(join(work, 'package-lock.json'), JSON.stringify(lock))
  await mkdir(join(work, 'home'))
})

/** The code block of the section of docs/ci.md with this title. */
async function workflow(title: string): Promise<string> {
  const text = await readFile('docs/ci.md', 'utf8')
  const section = text.split('\n## ').find((part) => part.startsWith(title)) ?? ''
  return /```yaml\n([\s\S]*?)```/.exec(section)?.[1] ?? ''
}

/** Each block of shell in the steps of GitHub's syntax. */
function githubSteps(yaml: string): string[] {
  return [...yaml.matchAll(/^( *)run: \|\n((?:\1 +.*\n)+)/gm)].map(([, indent = '', block = '']) =>
    block.replaceAll(`\n${indent}  `, '\n').trim(),
  )
}

/** Each line of `script` in GitLab's syntax, which run in one shell. */
function gitlabScript(yaml: string): string {
  const [, lines = ''] = /^ {2}script:\n((?: {4}- .*\n)+)/m.exec(yaml) ?? []
  return lines.replaceAll(/^ {4}- /gm, '')
}

async function inShell(script: string, variables: Record<string, string>): Promise<void> {
  const env = {
    PATH: `${join(work, 'npm/bin')}:${process.env.PATH}`,
    HOME: join(work, 'home'),
    npm_config_prefix: join(work, 'npm'),
    npm_config_update_notifier: 'false',
    CI: 'true',
    SVC_URL: program.apiUrl,
    SVC_TOKEN: token,
    ...variables,
  }
  await run('sh', ['-e', '-c', script], { cwd: work, env })
}

async function lastDeployment(): Promise<Record<string, unknown>> {
  const headers = { authorization: `Bearer ${token}` }
  const response = await fetch(`${program.apiUrl}/v1/deployments?limit=1`, { headers })
  return Object(await response.json()).data[0]
}

it.each([
  ['main', 'production'],
  ['feature/a', 'preview'],
])(
  'GitHub Actions: branch %s becomes a %s, whose address is an output',
  async (branch, target) => {
    const variables = {
      GITHUB_ACTIONS: 'true',
      GITHUB_SHA: commit,
      GITHUB_REF: `refs/heads/${branch}`,
      GITHUB_REF_NAME: branch,
      GITHUB_OUTPUT: join(work, 'output'),
      GITHUB_STEP_SUMMARY: join(work, 'summary'),
    }
    const steps = githubSteps(await workflow('GitHub Actions'))
    expect(steps).toHaveLength(3)
    for (const step of steps) await inShell(step, variables)
    const deployment = await lastDeployment()
    expect(deployment).toMatchObject({ target, meta: { branch, commit } })
    const output = await readFile(join(work, 'output'), 'utf8')
    const [, url = ''] = /^url=(\S+)\n$/.exec(output) ?? []
    expect(await visit(url)).toMatchObject({ status: 200, text: 'built' })
    expect(await readFile(join(work, 'summary'), 'utf8')).toBe(`Deployed to ${url}\n`)
  },
  60_000,
)

it.each([
  ['main', 'production'],
  ['feature/b', 'preview'],
])(
  'GitLab CI: branch %s becomes a %s, whose address is that of the environment',
  async (branch, target) => {
    const script = gitlabScript(await workflow('GitLab CI'))
    expect(script.trim().split('\n')).toHaveLength(6)
    await inShell(script, {
      GITLAB_CI: 'true',
      CI_COMMIT_BRANCH: branch,
      CI_DEFAULT_BRANCH: 'main',
      CI_COMMIT_SHA: commit,
      CI_COMMIT_TITLE: 'Change it',
    })
    expect(await lastDeployment()).toMatchObject({ target, meta: { branch, commit, message: 'Change it' } })
    const [, url = ''] = /^SITE_URL=(\S+)\n$/.exec(await readFile(join(work, 'deploy.env'), 'utf8')) ?? []
    expect(await visit(url)).toMatchObject({ status: 200, text: 'built' })
  },
  60_000,
)
