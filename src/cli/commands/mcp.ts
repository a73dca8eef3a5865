/** `svc mcp`: lets programs with a language model use the server. */
import { realpathSync } from 'node:fs'
import { resolve } from 'node:path'
import { Command } from 'commander'
import { optionsFor, requireServer } from '../connection/connect-linked.ts'
import { serverUrl } from '../connection/credentials.ts'
import { requireDirectory } from '../deploy/walk-site.ts'
import { globalOptions, type Io } from '../io.ts'
import { type FoundProjectFile, findProjectFile } from '../project-file/project-file.ts'
import { warn } from '../terminal/output.ts'

const examples = `
A server of the Model Context Protocol on standard input and output, for Claude Code, Cursor, VS Code and the
like, which start it themselves. Its tools are the operations of the server that svc is logged in to.

Tools only read, unless --write is given. With it they create, change and delete what the key may, and deploy
directories in the one it is started for. Tools never send or get a secret, such as a new API key.

Examples:
  $ svc mcp
  $ svc mcp --write ~/sites/web
  $ claude mcp add svc -- svc mcp --write`

/** The command `svc mcp`. */
export function mcpCommand(io: Io): Command {
  return new Command('mcp')
    .description('serve tools to programs with a language model (Model Context Protocol)')
    .argument('[directory]', 'the directory that it is for (default: the working directory)')
    .option('--write', 'offer tools that change something, too')
    .addHelpText('after', examples)
    .action(
      async (directory: string | undefined, { write = false }: { write?: boolean }, command: Command) => {
        const place = resolve(directory ?? '.')
        requireDirectory(place)
        const start = realpathSync.native(place)
        const linked = findProjectFile(start)
        const url = serverUrl(io, optionsFor(io, globalOptions(command), linked))
        requireServer(linked, url)
        if (io.stdin.isTTY) warn(io, 'svc mcp is started by programs such as Claude Code. Ctrl-C ends it.')
        // Loaded on demand: help needs none of it.
        const { serve } = await import('../mcp/serve.ts')
        await serve(io, { url, start, project: nameIn(linked), write })
      },
    )
}

/** The file may be from anybody, and models read what is taken from it: only what can be a name or an id. */
function nameIn(linked: FoundProjectFile | undefined): string | undefined {
  const project = linked?.project
  return project !== undefined && /^\w[\w-]{0,99}$/.test(project) ? project : undefined
}
