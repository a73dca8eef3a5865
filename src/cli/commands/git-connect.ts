/** `svc git connect`, `register` and `disconnect`: a project that deploys a repository at a forge. */
import { randomBytes } from 'node:crypto'
import { Command, Option } from 'commander'
import type { RouterInputs, RouterOutputs } from '../../api/client/index.ts'
import { repositoryFacts } from '../../platform/projects/field-facts.ts'
import { usageFailure } from '../command-failure.ts'
import type { Api } from '../connection/connect.ts'
import { explain } from '../explain.ts'
import { type ProjectOptions, reachOrName, reachProject } from '../git/reach-project.ts'
import { globalOptions, type Io } from '../io.ts'
import { projectOption } from '../options.ts'
import { optionsFor, settingsOf } from '../setting-options.ts'
import { confirm } from '../terminal/confirm.ts'
import { warn, write, writeJson } from '../terminal/output.ts'
import { readSecret } from '../terminal/prompt.ts'

const examples = `
Examples:
  $ svc git connect https://github.com/acme/web
  $ svc git connect https://github.com/acme/web --token --register
  $ svc git connect https://git.example.com/acme/web --provider gitea --token < token.txt
  $ svc git connect https://gitlab.com/acme/mono --root-directory apps/web --project web

The output says what to paste where at the forge. A private repository needs a token that may read it; at a
terminal --token prompts for it, otherwise it reads standard input. To connect the same address again
changes what the options say and keeps the secret; --new-secret makes another. With --register nothing is
to be pasted: the server makes the webhook, with a token that may write webhooks. What the production
branch has is deployed at once; with --no-deploy only what is pushed from then on. A project that is named
and missing is made.`

type Settings = Pick<NonNullable<RouterInputs['projects']['put']['git']>, keyof typeof repositoryFacts>

type ConnectOptions = ProjectOptions & {
  provider?: 'github' | 'gitlab' | 'gitea'
  token?: boolean
  register?: boolean
  newSecret?: boolean
  deploy: boolean
}

/** Where each forge has its form, and the fields of it. */
const forms = {
  github: [
    'Settings > Webhooks > Add webhook',
    'Payload URL',
    'Content type: application/json. Events: Pushes, Pull requests, Branch or tag deletion.',
  ],
  gitlab: ['Settings > Webhooks > Add new webhook', 'URL', 'Trigger: Push events, Merge request events.'],
  gitea: [
    'Settings > Webhooks > Add Webhook (Gitea, or Forgejo)',
    'Target URL',
    'Content type: application/json. Events: Push, Delete, Pull Request, Pull Request Synchronized.',
  ],
} as const

/** The command `svc git connect`. */
export function gitConnectCommand(io: Io): Command {
  const command = new Command('connect')
    .description('deploy what is pushed to a repository at GitHub, GitLab, Gitea or Forgejo')
    .argument('<url>', 'the https address of the repository')
    .addOption(projectOption())
    .addOption(
      new Option('--provider <forge>', 'the kind of forge, where its host does not say it').choices([
        'github',
        'gitlab',
        'gitea',
      ]),
    )
  for (const option of optionsFor(repositoryFacts)) command.addOption(option)
  return command
    .option('--token', 'read a token for a private repository, from a prompt or standard input')
    .option('--new-secret', 'replace the secret of a repository that is connected already')
    .option('--register', 'have the server make the webhook, with the token')
    .option('--no-deploy', 'wait for the next push instead of deploying the production branch now')
    .addHelpText('after', examples)
    .action((url: string, options: ConnectOptions, command: Command) =>
      connectRepository(io, url, options, command),
    )
}

async function connectRepository(
  io: Io,
  url: string,
  options: ConnectOptions,
  command: Command,
): Promise<void> {
  const { register, newSecret } = options
  const { api, project, name } = await reachOrName(io, options, command)
  const isSame = project !== undefined && isSameAddress(project.git.url, url)
  const isKept = !newSecret && isSame && project.git.secret_set
  const secret = isKept ? undefined : `whsec_${randomBytes(32).toString('base64')}`
  const repository = {
    url,
    ...(options.provider !== undefined && { provider: options.provider }),
    ...(options.token && { token: await readToken(io) }),
  }
  const isLive = project !== undefined && project.production_deployment !== null
  const isDeployed = options.deploy && !(isSame && isLive)
  // Before anything is made of an address that leads nowhere.
  if (isDeployed) await api.git.inspect.mutate({ git: repository })
  const settings = settingsOf<Settings>(repositoryFacts, options)
  const git = {
    ...repository,
    // The server makes one where there is none; a webhook that is there goes on meanwhile.
    ...(!register && secret !== undefined && { secret }),
    ...settings,
  }
  const saved = await api.projects.put.mutate({ project: project?.id ?? name, git })
  const registered = register ? await api.git.registerHook.mutate({ project: saved.id }) : undefined
  const queued = isDeployed ? await deployNow({ io, api }, saved) : undefined
  if (globalOptions(command).json) {
    const made = registered ?? { ...saved.git, ...(secret && { secret }) }
    return writeJson(io, { ...made, ...(queued && { delivery: queued.id }) })
  }
  const problem = settings.watch?.length ? watchProblem(saved) : undefined
  if (problem !== undefined) warn(io, `What is watched has no effect: ${problem}.`)
  if (registered) sayRegistered(io, registered, saved)
  else if (secret === undefined)
    write(io, `${saved.name} deploys ${saved.git.url} as before, with the same secret${withToken(options)}.`)
  else sayForm(io, saved, secret)
  if (queued) write(io, `${queued.branch} is fetched and deployed now.`)
  if (queued || secret !== undefined) write(io, '`svc git deliveries` lists what came, and what came of it.')
}

const withToken = ({ token }: ConnectOptions) => (token ? ' and the new token' : '')

type Project = RouterOutputs['projects']['put']

function watchProblem({ git, build, name }: Project): string | undefined {
  if (!git.skip_unchanged) return 'every push is deployed'
  if (git.root_directory !== null || build.root_directory !== '.') return undefined
  return (
    'all of the repository is deployed, and built at its root. Pass --root-directory, or say where the ' +
    `build runs: svc projects set ${name} --root-directory <path>`
  )
}

/** Undefined, with a warning, where that doesn't work: what is connected by then stays. */
async function deployNow({ io, api }: { io: Io; api: Api }, { id }: Project) {
  return api.git.deploy.mutate({ project: id }).catch((error: unknown) => {
    warn(io, `Nothing is deployed yet: ${explain(error).body.message}`)
    return undefined
  })
}

function sayForm(io: Io, { name, git: { provider, hook_url, url } }: Project, secret: string): void {
  if (provider === null || hook_url === null) throw new Error('The server has saved no repository.')
  const [place, field, others] = forms[provider]
  write(io, `${name} deploys what is pushed to ${url}, once the forge is configured:`)
  write(io, `  ${place}`)
  write(io, `  ${field}: ${hook_url}`)
  write(io, `  Secret (printed only once): ${secret}`)
  write(io, `  ${others}`)
}

/** Whether the server takes them for one, and so keeps the secret. */
function isSameAddress(known: string | null, given: string): boolean {
  const plain = (address: string) =>
    address
      .trim()
      .replace(/\/+$/, '')
      .replace(/\.git$/, '')
  return known !== null && plain(known) === plain(given)
}

/** The command `svc git register`. */
export function gitRegisterCommand(io: Io): Command {
  return new Command('register')
    .description('have the server make the webhook at the forge, with the token of the repository')
    .addOption(projectOption())
    .action(async (options: ProjectOptions, command: Command) => {
      const { api, project } = await reachProject(io, options, command)
      const registered = await api.git.registerHook.mutate({ project: project.id })
      if (globalOptions(command).json) return writeJson(io, registered)
      sayRegistered(io, registered, project)
      write(io, '`svc git deliveries` lists what came, and what came of it.')
    })
}

type Registered = RouterOutputs['git']['registerHook']

function sayRegistered(io: Io, { created }: Registered, { name }: Pick<Project, 'name'>): void {
  const done = created ? 'has the webhook now' : 'had the webhook, which is up to date now'
  write(io, `The forge ${done}: what is pushed there deploys ${name}.`)
}

async function readToken(io: Io): Promise<string> {
  const token = (await readSecret(io, 'Token: ')).trim()
  if (token === '') throw usageFailure('No token on standard input.')
  return token
}

/** The command `svc git disconnect`. */
export function gitDisconnectCommand(io: Io): Command {
  return new Command('disconnect')
    .description('deploy no more pushes of the repository; deployments stay')
    .addOption(projectOption())
    .option('--yes', 'skip the confirmation')
    .action(async (options: ProjectOptions & { yes?: boolean }, command: Command) => {
      const { api, project } = await reachProject(io, options, command)
      if (!options.yes) await confirm(io, `Disconnect ${project.name} from its repository?`)
      const saved = await api.projects.put.mutate({ project: project.id, git: { url: null } })
      if (globalOptions(command).json) return writeJson(io, saved.git)
      write(io, `${project.name} is connected to no repository.`)
    })
}
