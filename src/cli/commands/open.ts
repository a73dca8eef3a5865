/** `svc open`: opens a project or a deployment in the browser. */
import { Command } from 'commander'
import { Failure } from '../command-failure.ts'
import type { Api } from '../connection/connect.ts'
import { connectLinked } from '../connection/connect-linked.ts'
import { pickProject } from '../connection/pick-project.ts'
import { explain } from '../explain.ts'
import { globalOptions, type Io } from '../io.ts'
import { write, writeJson } from '../terminal/output.ts'

const examples = `
Examples:
  $ svc open
  $ svc open web
  $ curl "$(svc open dpl_...)"

It prints the URL, and opens the browser only from a terminal.`

/** The command `svc open`. */
export function openCommand(io: Io): Command {
  return new Command('open')
    .description('print the address of a project or a deployment, and open it in the browser')
    .argument(
      '[project-or-deployment]',
      "a project's name or id, or a deployment's id " +
        "(default: the project in svc.json, or the team's only one)",
    )
    .addHelpText('after', examples)
    .action(async (reference: string | undefined, _options, command: Command) => {
      const options = globalOptions(command)
      const { api, linked, peer } = connectLinked(io, options)
      const url = await addressOf(api, reference ?? linked?.project)
      if (options.json) return writeJson(io, { url })
      write(io, url)
      if (!io.stdout.isTTY) return
      // Loaded on demand: other commands start faster without it.
      const { isSite, openBrowser } = await import('../terminal/browser.ts')
      if (isSite(url, peer.address)) openBrowser(url, io.env)
    })
}

async function addressOf(api: Api, reference: string | undefined): Promise<string> {
  // Project names contain no _.
  if (reference?.startsWith('dpl_')) return (await api.deployments.get.query({ deployment: reference })).url
  const project = await pickProject(api, reference).catch((error: unknown) => {
    const { body, exitCode } = explain(error)
    if (body.reason !== 'project_not_found') throw error
    const message = `${body.message} Pass the name or id of a project, or the id of a deployment (dpl_...).`
    throw new Failure(exitCode, { ...body, message })
  })
  return project.production_url
}
