/** `svc webhooks`: where the team's events are sent. */
import { Command, InvalidArgumentError, Option } from 'commander'
import type { RouterInputs, RouterOutputs } from '../../api/client/index.ts'
import { type EventType, eventTypes } from '../../lib/names/event-types.ts'
import { connect } from '../connection/connect.ts'
import { everyPage, firstRows } from '../connection/every-page.ts'
import { globalOptions, type Io } from '../io.ts'
import { confirm } from '../terminal/confirm.ts'
import { age } from '../terminal/format.ts'
import { warn, write, writeFields, writeJson, writeTable } from '../terminal/output.ts'

type Create = RouterInputs['webhooks']['create']
type Format = NonNullable<Create['format']>
type Delivery = RouterOutputs['webhooks']['redeliver']
type AddOptions = { format: Format; events?: EventType[]; project?: string[] }

/** Each with what `add` says of it. */
const formats: Record<Format, string> = {
  standard: 'signed requests for a program',
  slack: 'messages for a channel, as Mattermost and others take them, too',
  discord: 'messages for a channel',
  mail: 'mails to members who choose them in the dashboard, without a URL',
}

const isEventType = (text: string): text is EventType => eventTypes.some((type) => type === text)

const examples = `
Examples:
  $ svc webhooks
  $ svc webhooks add https://example.com/hooks --events deployment.ready,deployment.error > secret.txt
  $ svc webhooks add https://example.com/hooks --project web --project docs
  $ svc webhooks add https://hooks.slack.com/services/... --format slack
  $ svc webhooks add --format mail --project web
  $ svc webhooks show hook_...
  $ svc webhooks redeliver hook_... dlv_...
  $ svc webhooks rm hook_...

Formats: ${Object.entries(formats)
  .map(([name, text]) => `${name} (${text})`)
  .join('; ')}.

Events: ${eventTypes.join(', ')}.`

/** The command `svc webhooks` and its subcommands. */
export function webhooksCommand(io: Io): Command {
  return new Command('webhooks')
    .description('list webhooks; add, show or remove one, or send a delivery again')
    .addHelpText('afterAll', examples)
    .addCommand(
      new Command('ls')
        .description('list webhooks, newest first (also without ls)')
        .action((_options, command: Command) => list(io, command)),
      { isDefault: true },
    )
    .addCommand(
      new Command('add')
        .description('send events to a URL or by mail; prints the secret that signs requests, only once')
        .argument('[url]', 'https, port 443 or 8443')
        .addOption(
          new Option('--format <format>', 'the format of what is sent')
            .choices(Object.keys(formats))
            .default('standard'),
        )
        .option(
          '--events <types>',
          'a comma list of types of events (default: all; for people, of builds and domains)',
          parseEvents,
        )
        .option('--project <name>', 'only events of this project; repeatable', append)
        .action((url: string | undefined, options: AddOptions, command: Command) =>
          add(io, url, options, command),
        ),
    )
    .addCommand(
      new Command('show')
        .description('show a webhook and its latest deliveries')
        .argument('<webhook>', 'its id')
        .action((id: string, _options, command: Command) => show(io, id, command)),
    )
    .addCommand(
      new Command('rm')
        .description('delete a webhook; deliveries that are under way are dropped')
        .argument('<webhook>', 'its id')
        .option('--yes', 'skip the confirmation')
        .action((id: string, options: { yes?: boolean }, command: Command) =>
          remove(io, id, options, command),
        ),
    )
    .addCommand(
      new Command('redeliver')
        .description('send a delivery again')
        .argument('<webhook>', 'its id')
        .argument('<delivery>', 'its id: `svc webhooks show` lists them')
        .action((webhook: string, delivery: string, _options, command: Command) =>
          redeliver(io, { webhook, delivery }, command),
        ),
    )
}

function parseEvents(text: string): EventType[] {
  const types = text.split(',').map((each) => each.trim())
  const unknown = types.find((each) => !isEventType(each))
  if (unknown !== undefined) {
    throw new InvalidArgumentError(`There is no event ${unknown}: --help lists them.`)
  }
  return types.filter(isEventType)
}

function append(name: string, names: string[] = []): string[] {
  return [...names, name]
}

async function list(io: Io, command: Command): Promise<void> {
  const options = globalOptions(command)
  const { api } = connect(io, options)
  const webhooks = await firstRows(everyPage((cursor) => api.webhooks.list.query({ limit: 100, ...cursor })))
  if (options.json) return writeJson(io, webhooks)
  const nowMs = Date.now()
  writeTable(
    io,
    ['ID', 'URL', 'EVENTS', 'STATE', 'DELIVERED', 'FORMAT'],
    webhooks.map((webhook) => [
      webhook.id,
      webhook.url || '-',
      eventsOf(webhook),
      stateOf(webhook),
      webhook.last_delivery_ms === null ? 'never' : `${age(webhook.last_delivery_ms, nowMs)} ago`,
      formatOf(webhook),
    ]),
    'No webhooks yet: `svc webhooks add <url>` adds one.',
  )
}

type Webhook = RouterOutputs['webhooks']['list']['data'][number]

/** Servers before there were formats have none. */
function formatOf({ format }: { format?: Format }): Format {
  return format ?? 'standard'
}

function eventsOf({ events }: Webhook): string {
  return events.length >= eventTypes.length ? 'all' : events.join(',')
}

function stateOf({ enabled, disabled_reason: reason, failing_since_ms: sinceMs }: Webhook): string {
  if (!enabled) return `disabled (${reason ?? 'by hand'})`
  return sinceMs === null ? 'enabled' : 'failing'
}

async function add(io: Io, url: string | undefined, given: AddOptions, command: Command): Promise<void> {
  const options = globalOptions(command)
  const { api } = connect(io, options)
  const { format, project, events = format === 'standard' ? eventTypes : undefined } = given
  const made = await api.webhooks.create.mutate({
    ...(format !== 'standard' && { format }),
    ...(url !== undefined && { url }),
    ...(events && { events: [...events] }),
    ...(project && { projects: project }),
  })
  if (options.json) return writeJson(io, made)
  if (format !== 'standard') return write(io, `Added ${made.id}: ${formats[format]}.`)
  if (made.secret === undefined) {
    warn(io, `The response with the secret of ${made.id} was lost: remove that webhook, and add it again.`)
    return
  }
  warn(io, `Added ${made.id}. Its secret is printed only once: store it safely.`)
  write(io, made.secret)
}

async function show(io: Io, id: string, command: Command): Promise<void> {
  const options = globalOptions(command)
  const { api } = connect(io, options)
  const webhook = await api.webhooks.get.query({ webhook: id })
  if (options.json) return writeJson(io, webhook)
  const { failing_since_ms: failingMs } = webhook
  writeFields(io, [
    ['id', webhook.id],
    ['format', formatOf(webhook)],
    ['url', webhook.url || '-'],
    ['events', eventsOf(webhook)],
    ['projects', webhook.projects?.join(', ') ?? 'all'],
    ['state', stateOf(webhook)],
    ...(failingMs === null ? [] : [['failing since', timeOf(failingMs)] satisfies [string, string]]),
    ['created', timeOf(webhook.created_ms)],
  ])
  if (webhook.deliveries.length === 0) return
  write(io, '')
  const nowMs = Date.now()
  writeTable(
    io,
    ['DELIVERY', 'STATUS', webhook.format === 'mail' ? 'SENT TO' : 'HTTP', 'ATTEMPTS', 'AGE', 'ERROR'],
    webhook.deliveries.map((delivery) => [
      delivery.id,
      delivery.status,
      String(delivery.http_status ?? delivery.sent_to ?? '-'),
      String(delivery.attempts),
      age(delivery.created_ms, nowMs),
      delivery.error ?? '',
    ]),
    '',
  )
}

function timeOf(ms: number): string {
  return new Date(ms).toISOString()
}

async function remove(io: Io, id: string, { yes }: { yes?: boolean }, command: Command): Promise<void> {
  const options = globalOptions(command)
  const { api } = connect(io, options)
  const { url, format } = await api.webhooks.get.query({ webhook: id })
  const name = format === 'mail' ? 'the mails of the team' : `the webhook to ${url}`
  if (!yes) await confirm(io, `Delete ${name}?`)
  const removed = await api.webhooks.delete.mutate({ webhook: id })
  if (options.json) return writeJson(io, removed)
  write(io, `Deleted ${name}.`)
}

async function redeliver(
  io: Io,
  input: RouterInputs['webhooks']['redeliver'],
  command: Command,
): Promise<void> {
  const options = globalOptions(command)
  const { api } = connect(io, options)
  const delivery: Delivery = await api.webhooks.redeliver.mutate(input)
  if (options.json) return writeJson(io, delivery)
  write(io, `${delivery.id} is sent again: \`svc webhooks show ${input.webhook}\` lists what comes of it.`)
}
