/** `svc dns`: the DNS records of the team's domains. */
import { Argument, Command, InvalidArgumentError } from 'commander'
import type { RouterInputs, RouterOutputs } from '../../api/client/index.ts'
import { type RecordType, recordTypes, spfMessage } from '../../lib/names/record-types.ts'
import { connect } from '../connection/connect.ts'
import { everyPage, firstRows } from '../connection/every-page.ts'
import { exportZone } from '../dns/export-zone.ts'
import { type ImportOptions, importZone } from '../dns/import-zone.ts'
import { dataOf } from '../dns/record-data.ts'
import { globalOptions, type Io } from '../io.ts'
import { numberOption } from '../options.ts'
import { write, writeJson, writeTable } from '../terminal/output.ts'

type DnsRecord = RouterOutputs['dns']['get']
type AddOptions = { ttl?: number; priority?: number; weight?: number; port?: number; comment?: string }
type AddArguments = [
  domain: string,
  name: string,
  type: RecordType,
  value: string,
  options: AddOptions,
  command: Command,
]

const examples = `
Examples:
  $ svc dns ls example.com
  $ svc dns add example.com www CNAME example.com
  $ svc dns add example.com @ MX mail.example.com --priority 10
  $ svc dns add example.com @ HTTPS ". alpn=h2,h3" --priority 1
  $ svc dns add example.com _dmarc TXT "v=DMARC1; p=none" --ttl 3600
  $ svc dns rm example.com rec_...
  $ svc dns export example.com --out example.com.zone
  $ svc dns import example.com example.com.zone --dry-run`

/** The command `svc dns` and its subcommands. */
export function dnsCommand(io: Io): Command {
  const below = (name: string) => new Command(name).argument('<domain>', "the domain's name or id")
  return new Command('dns')
    .description("list a domain's DNS records; add, remove, export or import some")
    .addHelpText('afterAll', examples)
    .addCommand(
      below('ls')
        .description('list records, newest first (also without ls)')
        .action((domain: string, _options, command: Command) => list(io, domain, command)),
      { isDefault: true },
    )
    .addCommand(
      below('add')
        .description('add a record')
        .argument('<name>', 'www, * and the like; @ for the domain itself')
        .addArgument(typeArgument())
        .argument('<value>', 'in the format of the type; TXT: the text, also in quotes as in zone files')
        .addOption(numberOption('--ttl <seconds>', 'of all records of this name and type'))
        .addOption(numberOption('--priority <number>', 'of HTTPS, MX, SRV and SVCB'))
        .addOption(numberOption('--weight <number>', 'of SRV'))
        .addOption(numberOption('--port <number>', 'of SRV'))
        .option('--comment <text>', 'for whoever reads the list')
        .action((...[domain, name, type, value, options, command]: AddArguments) =>
          add(io, { domain, name, type, value, ...options }, command),
        ),
    )
    .addCommand(
      below('rm')
        .description('remove a record')
        .argument('<record>', 'its id')
        .action((domain: string, record: string, _options, command: Command) =>
          remove(io, domain, record, command),
        ),
    )
    .addCommand(
      below('export')
        .description('print all records as a zone file for other name servers')
        .option('--out <file>', 'write to this file')
        .action((domain: string, options: { out?: string }, command: Command) =>
          exportZone(io, domain, options, command),
        ),
    )
    .addCommand(
      below('import')
        .description('replace the records with those of a zone file, after showing the changes')
        .argument('<file>', 'the zone file; - for standard input')
        .option('--dry-run', 'only show the changes')
        .option('--skip', "leave out lines that can't be imported, naming each")
        .option('--yes', 'skip the confirmation')
        .action((domain: string, file: string, options: Omit<ImportOptions, 'file'>, command: Command) =>
          importZone(io, domain, { file, ...options }, command),
        ),
    )
}

/** A record type, in any case. */
function typeArgument(): Argument {
  return new Argument('<type>', 'of the record').choices(recordTypes).argParser((text: string) => {
    const type = recordTypes.find((each) => each === text.toUpperCase())
    if (text.toUpperCase() === 'SPF') throw new InvalidArgumentError(`${spfMessage}.`)
    if (!type) throw new InvalidArgumentError(`Allowed choices are ${recordTypes.join(', ')}.`)
    return type
  })
}

async function list(io: Io, domain: string, command: Command): Promise<void> {
  const options = globalOptions(command)
  const { api } = connect(io, options)
  const records = await firstRows(
    everyPage((cursor) => api.dns.list.query({ domain, limit: 100, ...cursor })),
  )
  if (options.json) return writeJson(io, records)
  writeTable(
    io,
    ['ID', 'NAME', 'TYPE', 'TTL', 'VALUE', 'COMMENT'],
    records.map((record) => [
      record.id,
      record.name,
      record.type,
      String(record.ttl),
      dataOf(record),
      record.managed ? '(managed)' : (record.comment ?? ''),
    ]),
    `${domain} has no records yet: \`svc dns add\` adds one.`,
  )
}

async function add(io: Io, input: RouterInputs['dns']['create'], command: Command): Promise<void> {
  const options = globalOptions(command)
  const { api } = connect(io, options)
  const record: DnsRecord = await api.dns.create.mutate(input)
  if (options.json) return writeJson(io, record)
  const { id, fqdn, type, ttl } = record
  write(io, `Added ${id}: ${fqdn} ${ttl} ${type} ${dataOf(record)}`)
}

async function remove(io: Io, domain: string, record: string, command: Command): Promise<void> {
  const options = globalOptions(command)
  const { api } = connect(io, options)
  const removed = await api.dns.delete.mutate({ domain, record })
  if (options.json) return writeJson(io, removed)
  write(io, `Removed ${removed.id}.`)
}
