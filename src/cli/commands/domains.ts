/** `svc domains`: the team's domains. */
import { Command } from 'commander'
import type { RouterOutputs } from '../../api/client/index.ts'
import { loopbackWarning } from '../../lib/net/loopback.ts'
import { failed, usageFailure } from '../command-failure.ts'
import { type Api, connect } from '../connection/connect.ts'
import { everyPage, firstRows } from '../connection/every-page.ts'
import { globalOptions, type Io } from '../io.ts'
import { readTextFile } from '../named-file.ts'
import { countOption } from '../options.ts'
import { confirm } from '../terminal/confirm.ts'
import { age } from '../terminal/format.ts'
import { warn, write, writeFields, writeJson, writeTable } from '../terminal/output.ts'

type Domain = RouterOutputs['domains']['get']
type AddOptions = { project?: string; redirect?: string }
type CertificateOptions = { chain?: string; key?: string; remove?: boolean }
type VerifyOptions = { wait?: boolean; timeout: number }

/** The largest file with certificates, or a key. */
const maxPemBytes = 1024 * 1024

const examples = `
Examples:
  $ svc domains
  $ svc domains add example.com --project web
  $ svc domains add www.example.com --redirect example.com
  $ svc domains verify example.com --wait
  $ svc domains cert example.com --chain fullchain.pem --key privkey.pem
  $ svc domains rm example.com`

/** The command `svc domains` and its subcommands. */
export function domainsCommand(io: Io): Command {
  const below = (name: string) => new Command(name).argument('<domain>', 'its name or id')
  return new Command('domains')
    .description('list domains; add, show, verify or remove one, or give it a certificate')
    .addHelpText('afterAll', examples)
    .addCommand(
      new Command('ls')
        .description('list domains (also without ls)')
        .action((_options, command: Command) => list(io, command)),
      { isDefault: true },
    )
    .addCommand(
      below('add')
        .description('claim a domain and print the records that it needs, or change its target')
        .option('--project <name>', 'the project that it serves')
        .option('--redirect <host>', 'the host that it redirects to')
        .action((domain: string, options: AddOptions, command: Command) => add(io, domain, options, command)),
    )
    .addCommand(
      below('show')
        .description('show a domain and the records that it needs')
        .action((domain: string, _options, command: Command) => show(io, domain, command)),
    )
    .addCommand(
      below('verify')
        .description('check its records now; exits with 1 if ownership is not proven')
        .option('--wait', 'repeat until it is')
        .addOption(countOption('--timeout <seconds>', 'maximum time to wait').default(600))
        .action((domain: string, options: VerifyOptions, command: Command) =>
          verify(io, domain, options, command),
        ),
    )
    .addCommand(
      below('cert')
        .description('use a certificate of your own for a domain, instead of one that is obtained for it')
        .option('--chain <file>', 'PEM file with the certificate, followed by its issuers')
        .option('--key <file>', 'PEM file with its private key, without a passphrase')
        .option('--remove', 'stop using it')
        .action((domain: string, options: CertificateOptions, command: Command) =>
          useCertificate(io, domain, options, command),
        ),
    )
    .addCommand(
      below('rm')
        .description('delete a domain with its DNS records')
        .option('--yes', 'skip the confirmation')
        .action((domain: string, options: { yes?: boolean }, command: Command) =>
          remove(io, domain, options, command),
        ),
    )
}

async function list(io: Io, command: Command): Promise<void> {
  const options = globalOptions(command)
  const { api } = connect(io, options)
  const domains = await firstRows(everyPage((cursor) => api.domains.list.query({ limit: 100, ...cursor })))
  if (options.json) return writeJson(io, domains)
  const nowMs = Date.now()
  writeTable(
    io,
    ['DOMAIN', 'TARGET', 'VERIFIED', 'CONFIGURED', 'AGE'],
    domains.map((domain) => [
      domain.domain,
      targetOf(domain),
      domain.verified ? 'yes' : 'no',
      domain.configured ? 'yes' : 'no',
      age(domain.created_ms, nowMs),
    ]),
    'No domains yet: `svc domains add <domain>` claims one.',
  )
}

async function add(io: Io, name: string, { project, redirect }: AddOptions, command: Command): Promise<void> {
  const options = globalOptions(command)
  const { api } = connect(io, options)
  const domain = await api.domains.put.mutate({
    domain: name,
    ...(project !== undefined && { project }),
    ...(redirect !== undefined && { redirect: { to: redirect } }),
  })
  if (options.json) return writeJson(io, domain)
  const ownName = domain.domain
  const needed = neededBy(domain)
  warn(io, `Domain ${ownName} is ${domain.verified ? 'verified' : 'not verified yet'}.`)
  if (needed.length > 0) warn(io, 'Add these records at your DNS provider, then run `svc domains verify`:')
  writeTable(
    io,
    ['TYPE', 'NAME', 'VALUE'],
    needed.map(({ type, name, value }) => [type, name, value]),
    'No records are missing.',
  )
  const warning = loopbackWarning(needed)
  if (warning !== undefined) warn(io, warning)
  if (needed.length === 0 || domain.nameservers.length === 0) return
  warn(io, `Or verify it first, then delegate it to ${domain.nameservers.join(', ')}.`)
}

/** The records that the last check didn't find. */
function neededBy({ verified, verification, configured, expected }: Domain): Domain['expected'] {
  return [...(verified ? [] : verification), ...(configured ? [] : expected)]
}

async function show(io: Io, name: string, command: Command): Promise<void> {
  const options = globalOptions(command)
  const { api } = connect(io, options)
  const domain = await api.domains.get.query({ domain: name })
  if (options.json) return writeJson(io, domain)
  const time = (ms: number | null) => (ms === null ? 'never' : new Date(ms).toISOString())
  const record = ({ type, name, value }: Domain['expected'][number]) => `${type} ${name} ${value}`
  writeFields(io, [
    ['domain', domain.domain],
    ['id', domain.id],
    ['target', targetOf(domain)],
    ['verified', domain.verified ? `since ${time(domain.verified_ms)}` : 'no'],
    ['configured', domain.configured ? 'yes' : 'no'],
    ...(domain.error ? [['error', domain.error.message] satisfies [string, string]] : []),
    ...domain.verification.map((each): [string, string] => ['proof', record(each)]),
    ...domain.expected.map((each): [string, string] => ['expected', record(each)]),
    ...domain.seen.map((each): [string, string] => ['seen', record(each)]),
    ['certificate', certificateOf(domain.tls)],
    ...(domain.tls.error ? [['', domain.tls.error.message] satisfies [string, string]] : []),
    ['name servers', domain.nameservers.join(', ') || 'none'],
    ['checked', time(domain.checked_ms)],
    ['created', time(domain.created_ms)],
  ])
  const warning = loopbackWarning(domain.expected)
  if (warning !== undefined) warn(io, warning)
}

function targetOf({ project, redirect }: Domain): string {
  if (redirect) return `${redirect.to} (${redirect.status})`
  return project ?? '-'
}

function certificateOf({ state, own, not_after_ms: notAfterMs }: Domain['tls']): string {
  const whose = own ? 'of your own, ' : ''
  const until = notAfterMs === null ? '' : `, until ${new Date(notAfterMs).toISOString()}`
  return `${whose}${state}${until}`
}

async function useCertificate(
  io: Io,
  name: string,
  { chain, key, remove }: CertificateOptions,
  command: Command,
): Promise<void> {
  const options = globalOptions(command)
  if (remove ? chain !== undefined || key !== undefined : chain === undefined || key === undefined) {
    throw usageFailure('Name both files, --chain and --key, or pass --remove.')
  }
  const bounds = { maxBytes: maxPemBytes, signal: io.signal }
  const certificate =
    chain === undefined || key === undefined
      ? null
      : { chain: await readTextFile(chain, bounds), key: await readTextFile(key, bounds) }
  const { api } = connect(io, options)
  const domain = await api.domains.put.mutate({ domain: name, certificate })
  if (options.json) return writeJson(io, domain)
  write(io, `The certificate of ${domain.domain}: ${certificateOf(domain.tls)}.`)
}

/** The wait between two checks. */
const pauseMs = 2_000

async function verify(
  io: Io,
  name: string,
  { wait, timeout }: VerifyOptions,
  command: Command,
): Promise<void> {
  const options = globalOptions(command)
  const { api } = connect(io, options)
  const domain = await verified(io, api, name, wait ? Date.now() + timeout * 1000 : 0)
  if (options.json) writeJson(io, domain)
  if (!domain.verified) {
    throw failed(`${domain.domain} is not verified. ${domain.error?.message ?? ''}`)
  }
  if (options.json) return
  write(io, `${domain.domain} is verified.`)
  if (!domain.configured) warn(io, `Its DNS does not point here yet. ${domain.error?.message ?? ''}`)
}

/** The domain after the check that verifies it, or after the first one past `untilMs`. */
async function verified(io: Io, api: Api, name: string, untilMs: number): Promise<Domain> {
  const { setTimeout } = await import('node:timers/promises')
  for (;;) {
    const domain = await api.domains.verify.mutate({ domain: name })
    if (domain.verified || Date.now() + pauseMs > untilMs) return domain
    await setTimeout(pauseMs, undefined, { signal: io.signal })
  }
}

async function remove(io: Io, name: string, { yes }: { yes?: boolean }, command: Command): Promise<void> {
  const options = globalOptions(command)
  const { api } = connect(io, options)
  const { id, domain } = await api.domains.get.query({ domain: name })
  if (!yes) await confirm(io, `Delete ${domain} and its DNS records?`)
  const deleted = await api.domains.delete.mutate({ domain: id })
  if (options.json) return writeJson(io, deleted)
  write(io, `Deleted ${domain}.`)
}
