/**
 * The workflows of docs/ci.md with what is in deploy/ci, step by step in a shell, as the systems run them,
 * against a node.
 * @module-tag long
 */
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { createClient } from '../src/api/client/index.ts'
import { type JobIdentity, startJobIdentity } from '../test/support/job-identity.ts'
import { newDataDirectory, type Program, startProgram, visit } from '../test/support/program.ts'

const run = promisify(execFile)
const commit = 'ffac537e6cbbf934b08745a378932722df287a53'
const address = 'http://localhost:3000'

let directory = ''
let program: Program
let key = ''
let team = ''
let jwt = ''
let job: JobIdentity
let work = ''
/** What the steps of a test printed. */
let printed = ''

beforeAll(async () => {
  directory = await newDataDirectory()
  job = await startJobIdentity({})
  program = await startProgram({
    SVC_DATA_DIR: directory,
    SVC_OIDC_TRUST: job.issuer,
    SVC_JWT_SECRET: 'the secret with which this test has its JWTs signed',
  })
  key = program.key ?? ''
  const authorization = `Bearer ${key}`
  const minting = { method: 'POST', headers: { authorization } }
  const minted = z
    .object({ token: z.string(), team: z.string() })
    .parse(await (await fetch(`${program.apiUrl}/v1/token`, minting)).json())
  ;({ token: jwt, team } = minted)
  const owner = createClient({ url: program.apiUrl, token: key, retry: false })
  await owner.projects.put.mutate({ project: 'web' })
  await owner.trust.create.mutate({
    project: 'web',
    issuer: job.issuer,
    claims: { repository_id: '123' },
    targets: ['preview', 'production'],
  })
})

afterAll(async () => {
  await program.end('SIGTERM')
  job.close()
  await rm(directory, { recursive: true, force: true })
})

/** A site with a build, outside of a work tree, and a home for what npm installs. */
beforeEach(async () => {
  printed = ''
  work = await mkdtemp(join(tmpdir(), 'svc-ci-'))
  const script = "mkdir -p dist && printf '%s' built > dist/index.html"
  const site = { name: 'site', version: '1.0.0', scripts: { build: script } }
  await writeFile(join(work, 'package.json'), JSON.stringify(site))
  const lock = { name: 'site', version: '1.0.0', lockfileVersion: 3, packages: { '': site } }
  await writeFile(join(work, 'package-lock.json'), JSON.stringify(lock))
  await mkdir(join(work, 'home'))
  job.claims = { repository_id: '123' }
  job.requested = []
  onTestFinished(async () => {
    await rm(work, { recursive: true, force: true })
  })
})

/** A block of YAML in the section of docs/ci.md with this title, for the server and team here. */
async function documented(title: string, at = 0): Promise<string> {
  const guide = await readFile('docs/ci.md', 'utf8')
  const section = guide.split('\n## ').find((part) => part.startsWith(title)) ?? ''
  const blocks = [...section.matchAll(/```yaml\n([\s\S]*?)```/g)].map(([, block = '']) => block)
  return (blocks[at] ?? '').replaceAll(address, program.apiUrl).replaceAll('acme', team)
}

/** Runs the script in `work` with these variables and no others of this machine but the path. */
async function inShell(shell: string[], script: string, variables: Record<string, string>): Promise<void> {
  const env = {
    PATH: `${join(work, 'npm/bin')}:${process.env.PATH}`,
    HOME: join(work, 'home'),
    npm_config_prefix: join(work, 'npm'),
    npm_config_update_notifier: 'false',
    CI: 'true',
    ...variables,
  }
  const [program = '', ...args] = shell
  const { stdout, stderr } = await run(program, [...args, script], { cwd: work, env })
  printed += stdout + stderr
}

async function lastDeployment(): Promise<Record<string, unknown>> {
  const headers = { authorization: `Bearer ${jwt}` }
  const response = await fetch(`${program.apiUrl}/v1/deployments?limit=1`, { headers })
  return Object(await response.json()).data[0]
}

describe('GitHub Actions', () => {
  const stepSchema = z.object({
    name: z.string().optional(),
    id: z.string().optional(),
    if: z.string().optional(),
    uses: z.string().optional(),
    shell: z.string().optional(),
    run: z.string().optional(),
    with: z.record(z.string(), z.coerce.string()).default({}),
    env: z.record(z.string(), z.string()).default({}),
  })
  const workflowSchema = z.object({
    permissions: z.record(z.string(), z.string()),
    jobs: z.object({
      deploy: z.object({ outputs: z.record(z.string(), z.string()), steps: z.array(stepSchema) }),
    }),
  })
  const actionSchema = z.object({
    inputs: z.record(z.string(), z.object({ default: z.string().default('') })),
    outputs: z.record(z.string(), z.object({ value: z.string() })),
    runs: z.object({ using: z.literal('composite'), steps: z.array(stepSchema) }),
  })

  type Step = z.infer<typeof stepSchema>
  /** What expressions are about, by name. */
  type Facts = Record<string, string>

  const readAction = async () =>
    actionSchema.parse(parse(await readFile('deploy/ci/github/action.yml', 'utf8')))

  /** The value of an expression: a name, comparisons of names with texts, and several of these with &&. */
  function evaluate(expression: string, facts: Facts): string {
    const terms = expression.split(' && ').map((term) => {
      const [, name = '', operator, wanted] = /^([\w.-]+)(?: ([!=]=) '(.*)')?$/.exec(term.trim()) ?? []
      const value = facts[name]
      if (value === undefined) throw new Error(`The runner does not know ${term}.`)
      return operator === undefined ? value : String((value === wanted) === (operator === '=='))
    })
    return terms.find((term) => term === 'false') ?? terms.at(-1) ?? ''
  }

  const filled = (given: string, facts: Facts) =>
    given.replaceAll(/\$\{\{ (.*?) \}\}/g, (_all, expression: string) => evaluate(expression, facts))

  const filledAll = (given: Record<string, string>, facts: Facts) =>
    Object.fromEntries(Object.entries(given).map(([name, value]) => [name, filled(value, facts)]))

  /** Runs the steps in order, and resolves to the facts with the outputs of those that have an id. */
  async function runSteps(steps: Step[], given: Facts, variables: Record<string, string>): Promise<Facts> {
    let facts = given
    for (const step of steps) {
      if (step.if !== undefined && evaluate(step.if, facts) === 'false') continue
      const outputs = await runStep(step, facts, variables)
      const named = Object.entries(outputs).map(([name, value]) => [
        `steps.${step.id}.outputs.${name}`,
        value,
      ])
      facts = { ...facts, ...Object.fromEntries(named) }
    }
    return facts
  }

  async function runStep(step: Step, facts: Facts, variables: Record<string, string>): Promise<Facts> {
    if (step.uses === './.github/actions/svc') return runAction(filledAll(step.with, facts), facts, variables)
    if (step.uses !== undefined) return {}
    const output = join(work, 'output')
    const [script, env] = [join(work, 'step.sh'), filledAll(step.env, facts)]
    await writeFile(output, '')
    await writeFile(script, filled(step.run ?? '', facts))
    const shell = ['bash', '--noprofile', '--norc', '-eo', 'pipefail']
    await inShell(shell, script, { ...variables, GITHUB_OUTPUT: output, ...env })
    const lines = (await readFile(output, 'utf8')).split('\n').filter((line) => line !== '')
    return Object.fromEntries(lines.map((line) => line.split(/=(.*)/s, 2)))
  }

  /** Runs the action with these inputs, and resolves to its outputs. */
  async function runAction(
    inputs: Record<string, string>,
    facts: Facts,
    variables: Record<string, string>,
  ): Promise<Facts> {
    const action = await readAction()
    expect(Object.keys(action.inputs)).toEqual(expect.arrayContaining(Object.keys(inputs)))
    const all = Object.entries(action.inputs).map(([name, { default: value }]) => [
      `inputs.${name}`,
      inputs[name] ?? value,
    ])
    const unset = { 'steps.deploy.outputs.url': '', 'steps.deploy.outputs.id': '' }
    const inside = { ...unset, ...Object.fromEntries(all), ...ofJob(facts) }
    const path = { GITHUB_ACTION_PATH: resolve('deploy/ci/github') }
    const after = await runSteps(action.runs.steps, inside, { ...variables, ...path })
    const values = Object.entries(action.outputs).map(([name, { value }]) => [name, value])
    return filledAll(Object.fromEntries(values), after)
  }

  /** An action sees the context `github`, but neither secrets nor the outputs of other steps. */
  const ofJob = (facts: Facts) =>
    Object.fromEntries(Object.entries(facts).filter(([name]) => name.startsWith('github.')))

  type Event = { branch: string; pullRequest?: { number: string; from: string } }

  /** A run of the workflow for a push of `branch`, or for a pull request. */
  async function runWorkflow(
    workflow: string,
    { branch, pullRequest }: Event,
    variables: Record<string, string> = job.env,
  ): Promise<Facts> {
    const { steps, outputs } = workflowSchema.parse(parse(workflow)).jobs.deploy
    const ref = pullRequest ? `refs/pull/${pullRequest.number}/merge` : `refs/heads/${branch}`
    const facts = {
      'github.ref': ref,
      'github.token': 'the-token-of-the-job',
      'github.event.pull_request.number': pullRequest?.number ?? '',
      'github.event.pull_request.head.sha': pullRequest ? commit : '',
      'github.event.pull_request.head.repo.full_name': pullRequest?.from ?? '',
      'secrets.SVC_TOKEN': key,
    }
    const after = await runSteps(steps, facts, {
      GITHUB_ACTIONS: 'true',
      GITHUB_SHA: commit,
      GITHUB_REF: ref,
      GITHUB_HEAD_REF: pullRequest ? branch : '',
      GITHUB_REPOSITORY: 'acme/site',
      GITHUB_STEP_SUMMARY: join(work, 'summary'),
      RUNNER_TEMP: work,
      ...variables,
    })
    return filledAll(outputs, after)
  }

  it('has a permission for the identity token, and hands inputs to scripts as variables only', async () => {
    const { permissions } = workflowSchema.parse(parse(await documented('GitHub Actions')))
    expect(permissions).toMatchObject({ contents: 'read', 'id-token': 'write' })
    const { inputs, runs } = await readAction()
    const used = runs.steps.map(({ env, if: condition = '' }) => condition + Object.values(env).join())
    const unused = Object.keys(inputs).filter((name) => !used.join().includes(`inputs.${name}`))
    expect(unused).toEqual([])
    expect(runs.steps.filter(({ run: script = '', shell }) => script.includes('${{') || !shell)).toEqual([])
  })

  it.each([
    ['main', 'production'],
    ['feature/a', 'preview'],
  ])(
    'deploys branch %s to %s with the identity token of the job, and says where',
    async (branch, target) => {
      const { url = '' } = await runWorkflow(await documented('GitHub Actions'), { branch })
      const deployment = await lastDeployment()
      expect(deployment).toMatchObject({ target, meta: { branch, commit } })
      expect(await visit(url)).toMatchObject({ status: 200, text: 'built' })
      expect(await readFile(join(work, 'summary'), 'utf8')).toBe(`Deployed to ${url}\n`)
      expect(job.requested).toEqual([program.apiUrl])
      // No token at all is printed.
      expect(printed).not.toContain('eyJ')
    },
    120_000,
  )

  it('comments on the pull request once, and edits its own comment alone', async () => {
    const forge = await startForge([{ id: 1, user: { login: 'mallory' }, body: '<!-- svc: web -->\nmine' }])
    const workflow = await documented('GitHub Actions')
    const pull = { branch: 'feature/c', pullRequest: { number: '7', from: 'acme/site' } }
    const variables = { ...job.env, GITHUB_API_URL: forge.url }
    for (const _run of ['first', 'second']) {
      const { url } = await runWorkflow(workflow, pull, variables)
      const { id, target } = await lastDeployment()
      expect(target).toBe('preview')
      expect(forge.comments).toEqual([
        expect.objectContaining({ body: '<!-- svc: web -->\nmine' }),
        expect.objectContaining({
          body: `<!-- svc: web -->\n**web** is deployed to ${url}\n(\`${id}\`, of ${commit.slice(0, 12)}).`,
        }),
      ])
    }
    expect(forge.writes).toEqual([
      'POST /repos/acme/site/issues/7/comments',
      'PATCH /repos/acme/site/issues/comments/2',
    ])
    forge.status = 403
    await runWorkflow(workflow, pull, variables)
    expect(printed).toContain('::warning::The pull request has no comment with the address')
  }, 180_000)

  it('deploys nothing from a fork, which has no credential, without an error', async () => {
    const before = await lastDeployment()
    const pull = { branch: 'feature/d', pullRequest: { number: '8', from: 'mallory/site' } }
    expect(await runWorkflow(await documented('GitHub Actions'), pull, {})).toEqual({ url: '' })
    expect(printed).toContain('::notice::Nothing is deployed')
    expect(await lastDeployment()).toEqual(before)
  })

  it('deploys with a key in place of the team', async () => {
    const line = (await documented('GitHub Actions', 1)).trim()
    const workflow = (await documented('GitHub Actions')).replace(/team: .*/, () => line)
    await runWorkflow(workflow, { branch: 'main' }, {})
    expect(await lastDeployment()).toMatchObject({
      target: 'production',
      meta: { branch: 'main', commit },
      source: { kind: 'command' },
    })
  }, 120_000)

  it('fails with the sentence of the server where no policy matches', async () => {
    job.claims = { repository_id: '4' }
    const running = runWorkflow(await documented('GitHub Actions'), { branch: 'main' })
    await expect(running).rejects.toThrow(/No trust policy of such a project matches[\s\S]*repository_id: 4/)
  }, 120_000)
})

type Comment = { id: number; user: { login: string }; body: string }

/** The comments of a forge, as GitHub's API has them. */
async function startForge(comments: Comment[]) {
  const server: Server = createServer(async (request, response) => {
    const { method = '', url = '', headers } = request
    const isAllowed = headers.authorization === 'Bearer the-token-of-the-job' && forge.status === 200
    const { body = '' } = method === 'GET' ? {} : JSON.parse(await text(request))
    const status = isAllowed ? 200 : 403
    if (isAllowed && method !== 'GET') forge.writes.push(`${method} ${url}`)
    if (isAllowed && method === 'POST') {
      comments.push({ id: comments.length + 1, user: { login: 'github-actions[bot]' }, body })
    }
    const edited = comments.find(({ id }) => url.endsWith(`/issues/comments/${id}`))
    if (isAllowed && method === 'PATCH' && edited) edited.body = body
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(comments))
  })
  const port = await new Promise<number>((done) => {
    server.listen(0, '127.0.0.1', () => done(Number(Object(server.address()).port)))
  })
  const writes: string[] = []
  const forge = { url: `http://127.0.0.1:${port}`, comments, writes, status: 200 }
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return forge
}

describe('GitLab CI', () => {
  const lines = z.array(z.string())
  const variablesSchema = z.record(z.string(), z.string())
  const jobSchema = z.object({ extends: z.string(), variables: variablesSchema, before_script: lines })
  const templateSchema = z.object({
    id_tokens: z.object({ SVC_OIDC_TOKEN: z.object({ aud: z.string() }) }),
    script: lines,
    artifacts: z.object({ reports: z.object({ dotenv: z.string() }) }),
    environment: z.object({ url: z.string() }),
  })

  it.each([
    ['main', 'production'],
    ['feature/b', 'preview'],
  ])(
    'deploys branch %s to %s with the token of id_tokens; the address is that of the environment',
    async (branch, target) => {
      const { deploy } = z.object({ deploy: jobSchema }).parse(parse(await documented('GitLab CI')))
      const templates = z
        .record(z.string(), templateSchema)
        .parse(parse(await readFile('deploy/ci/gitlab.yml', 'utf8')))
      const template = templateSchema.parse(templates[deploy.extends])
      // The job's variables are expanded there.
      const { aud } = template.id_tokens.SVC_OIDC_TOKEN
      expect(aud).toBe('$SVC_URL')
      const script = [...deploy.before_script, ...template.script].join('\n')
      await inShell(['sh', '-e', '-c'], script, {
        GITLAB_CI: 'true',
        CI_COMMIT_BRANCH: branch,
        CI_DEFAULT_BRANCH: 'main',
        CI_COMMIT_SHA: commit,
        CI_COMMIT_TITLE: 'Change it',
        SVC_OIDC_TOKEN: await job.tokenFor(deploy.variables.SVC_URL ?? ''),
        ...deploy.variables,
      })
      expect(await lastDeployment()).toMatchObject({ target, meta: { branch, commit, message: 'Change it' } })
      const report = await readFile(join(work, template.artifacts.reports.dotenv), 'utf8')
      const [, url = ''] = /^SITE_URL=(\S+)\n$/.exec(report) ?? []
      expect(template.environment.url).toBe('$SITE_URL')
      expect(await visit(url)).toMatchObject({ status: 200, text: 'built' })
      expect(printed).not.toContain('eyJ')
    },
    120_000,
  )
})

describe('Woodpecker', () => {
  const stepsSchema = z.array(
    z.object({
      name: z.string(),
      environment: z
        .object({ SVC_URL: z.string(), SVC_TOKEN: z.object({ from_secret: z.literal('svc_token') }) })
        .optional(),
      commands: z.array(z.string()),
    }),
  )

  it.each([
    ['main', 'production'],
    ['feature/e', 'preview'],
  ])(
    'deploys branch %s to %s with a key, as the guide shows it',
    async (branch, target) => {
      const file = (await readFile('deploy/ci/woodpecker.yml', 'utf8')).replaceAll(
        'https://svc.example.com',
        program.apiUrl,
      )
      const { steps } = z.object({ steps: stepsSchema }).parse(parse(file))
      expect(steps.at(-1)).toEqual(stepsSchema.parse(parse(await documented('Woodpecker')))[0])
      for (const { commands } of steps) {
        await inShell(['sh', '-e', '-c'], commands.join('\n'), {
          CI: 'woodpecker',
          CI_COMMIT_BRANCH: branch,
          CI_REPO_DEFAULT_BRANCH: 'main',
          CI_COMMIT_SHA: commit,
          SVC_URL: program.apiUrl,
          SVC_TOKEN: key,
        })
      }
      expect(await lastDeployment()).toMatchObject({ target, meta: { branch, commit } })
    },
    120_000,
  )
})
