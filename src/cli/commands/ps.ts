/** `svc ps`: servers of deployments, as they run. */
import { Command } from 'commander'
import { connect } from '../connection/connect.ts'
import { connectLinked } from '../connection/connect-linked.ts'
import { projectOfList } from '../connection/project-of-list.ts'
import { globalOptions, type Io } from '../io.ts'
import { age, size } from '../terminal/format.ts'
import { warn, write, writeJson, writeTable } from '../terminal/output.ts'

const examples = `
Examples:
  $ svc ps
  $ svc ps --project web
  $ svc ps --json | jq '.[] | select(.state == "crashed")'
  $ svc ps restart web
  $ svc logs --kind runtime --project web -f

A server starts with the first request to its site, and stops when there was none for a while: one that is
stopped has no row. A deployment may run twice, with the variables of production and with those of previews.`

type ListOptions = { project?: string; all?: boolean }

/** The command `svc ps` and its subcommands. */
export function psCommand(io: Io): Command {
  return new Command('ps')
    .description('list the servers that run; restart those of a project')
    .addHelpText('afterAll', examples)
    .addCommand(
      new Command('ls')
        .description('list the servers that run (also without ls)')
        .option(
          '--project <name>',
          'only those of this project (default: the one in svc.json, if there is one)',
        )
        .option('--all', "those of all of the team's projects, also where svc.json names one")
        .action((options: ListOptions, command: Command) => list(io, options, command)),
      { isDefault: true },
    )
    .addCommand(
      new Command('restart')
        .description('stop the servers of a project: the next request starts them again')
        .argument('<project>', 'its name or id')
        .action((project: string, _options, command: Command) => restart(io, project, command)),
    )
}

async function list(io: Io, { project: named, all }: ListOptions, command: Command): Promise<void> {
  const options = globalOptions(command)
  const { api, linked } = connectLinked(io, options, { project: named })
  const project = projectOfList(io, linked, { named, all, as: '--project' })
  const { data } = await api.ps.list.query({ ...(project !== undefined && { project }) })
  if (options.json) return writeJson(io, data)
  const nowMs = Date.now()
  writeTable(
    io,
    ['PROJECT', 'TARGET', 'STATE', 'MEMORY', 'SINCE', 'RESTARTS', 'NODE', 'DEPLOYMENT'],
    data.map((server) => [
      server.project,
      server.target,
      server.state,
      server.memory_bytes === null ? '-' : size(server.memory_bytes),
      age(server.since_ms, nowMs),
      String(server.restarts),
      server.node,
      server.deployment,
    ]),
    'No server runs: the first request to a site starts its server.',
  )
}

async function restart(io: Io, project: string, command: Command): Promise<void> {
  const options = globalOptions(command)
  const { api } = connect(io, options)
  const restarted = await api.ps.restart.mutate({ project })
  if (options.json) return writeJson(io, restarted)
  const { project: name, servers } = restarted
  if (servers === 0) return warn(io, `No server of ${name} runs: the next request starts it.`)
  write(io, `Restarting ${servers} ${servers === 1 ? 'server' : 'servers'} of ${name}.`)
}
