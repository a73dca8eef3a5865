/** `svc trust`: which jobs of continuous integration may deploy a project without a key. */
import { Command } from 'commander'
import { connectLinked } from '../connection/connect-linked.ts'
import { pickProject } from '../connection/pick-project.ts'
import { globalOptions, type Io } from '../io.ts'
import { projectOption } from '../options.ts'
import { age } from '../terminal/format.ts'
import { makerText } from '../terminal/maker.ts'
import { write, writeJson, writeTable } from '../terminal/output.ts'
import { addClaim, type ClaimOptions, claimsOf, issuerOf } from '../trust/claims-of.ts'

const examples = `
Examples:
  $ svc trust ls --project web
  $ svc trust add github --repository-id 123
  $ svc trust add github --repository-id 123 --ref refs/heads/main --production
  $ svc trust add github --repository-id 123 --bind-branch
  $ svc trust add gitlab --project-id 7 --ref main --production
  $ svc trust add --issuer https://git.example.com/api/actions --claim repository_id=7
  $ svc trust rm tp_...
  $ gh api repos/<owner>/<repository> --jq .id

A job whose identity token has all claims of a policy may deploy the project, and see what it deployed. The
repository is named by its id, since its name can become somebody else's. Issuers other than github and
gitlab are those that the operator lists in SVC_OIDC_TRUST.`

type ProjectOptions = { project?: string }
type AddOptions = ProjectOptions & ClaimOptions & { production?: boolean; bindBranch?: boolean }

/** The command `svc trust` and its subcommands, for owners. */
export function trustCommand(io: Io): Command {
  return new Command('trust')
    .description('list the jobs in CI that may deploy a project without a key; trust others, or end it')
    .addHelpText('afterAll', examples)
    .addCommand(
      new Command('ls')
        .description('list the policies of a project, newest first (also without ls)')
        .addOption(projectOption())
        .action((options: ProjectOptions, command: Command) => list(io, options, command)),
      { isDefault: true },
    )
    .addCommand(
      new Command('add')
        .description('trust the jobs of a repository')
        .argument('[issuer]', 'who signs their identity tokens: github or gitlab')
        .addOption(projectOption())
        .option('--issuer <address>', 'another issuer')
        .option('--repository-id <id>', 'the id of the repository, which GitHub requires')
        .option('--project-id <id>', 'the id of the project at GitLab, which GitLab requires')
        .option('--ref <ref>', 'only this ref: refs/heads/main at GitHub, main at GitLab')
        .option('--environment <name>', "only jobs of this environment of the repository's")
        .option('--claim <name=value>', 'another claim that a token needs; repeatable', addClaim, {})
        .option('--production', 'let them deploy to production, too (default: previews only)')
        .option('--bind-branch', 'let them name the branch of their ref in meta, and no other')
        .action((word: string | undefined, options: AddOptions, command: Command) =>
          add(io, word, options, command),
        ),
    )
    .addCommand(
      new Command('rm')
        .description('end a policy, and with it what was issued for it')
        .argument('<policy>', 'its id')
        .addOption(projectOption())
        .action((id: string, options: ProjectOptions, command: Command) => revoke(io, id, options, command)),
    )
}

/** The client, and the project that the command is about. */
async function reach(io: Io, { project: given }: ProjectOptions, command: Command) {
  const { api, linked } = connectLinked(io, globalOptions(command))
  const project = given ?? linked?.project ?? (await pickProject(api, undefined)).name
  return { trust: api.trust, project }
}

async function list(io: Io, options: ProjectOptions, command: Command): Promise<void> {
  const { trust, project } = await reach(io, options, command)
  const { data } = await trust.list.query({ project })
  if (globalOptions(command).json) return writeJson(io, data)
  const nowMs = Date.now()
  writeTable(
    io,
    ['ID', 'ISSUER', 'CLAIMS', 'TARGETS', 'USED', 'CREATED', 'BY', 'BRANCH'],
    data.map((policy) => [
      policy.id,
      policy.issuer,
      textOf(policy.claims),
      policy.targets.join(', '),
      policy.last_used_ms === 0 ? 'never' : `${age(policy.last_used_ms, nowMs)} ago`,
      age(policy.created_ms, nowMs),
      makerText(policy),
      policy.bind_branch ? 'of the ref' : 'any',
    ]),
    `${project} trusts no jobs.`,
  )
}

async function add(io: Io, word: string | undefined, options: AddOptions, command: Command): Promise<void> {
  // Before anything is sent.
  const required = { issuer: issuerOf(word, options), claims: claimsOf(options) }
  const targets: ('preview' | 'production')[] = options.production ? ['preview', 'production'] : ['preview']
  const { trust, project } = await reach(io, options, command)
  const bound = options.bindBranch === true
  const policy = await trust.create.mutate({ project, ...required, targets, bind_branch: bound })
  if (globalOptions(command).json) return writeJson(io, policy)
  write(
    io,
    `${project} trusts jobs of ${policy.issuer} with ${textOf(policy.claims)} ` +
      `(${policy.targets.join(', ')}${bound ? ', branch of the ref' : ''}): ${policy.id}.`,
  )
}

async function revoke(io: Io, id: string, options: ProjectOptions, command: Command): Promise<void> {
  const { trust, project } = await reach(io, options, command)
  const revoked = await trust.revoke.mutate({ project, id })
  if (globalOptions(command).json) return writeJson(io, revoked)
  write(io, `Revoked ${revoked.id}.`)
}

function textOf(claims: Record<string, string>): string {
  return Object.entries(claims)
    .map(([name, value]) => `${name}=${value}`)
    .join(' ')
}
