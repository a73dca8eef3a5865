/** The tools of one `svc mcp`, and their calls. */
import { getUntypedClient } from '@trpc/client'
import { version } from '../../lib/version.ts'
import { Failure, usageFailure } from '../command-failure.ts'
import { type Api, clientOf } from '../connection/connect.ts'
import { credentials } from '../connection/credentials.ts'
import { healthOf, readiness } from '../connection/readiness.ts'
import { exitCodes } from '../exit-codes.ts'
import { explain } from '../explain.ts'
import type { Io } from '../io.ts'
import { callDeploy, deployTool, isNarrow } from './deploy-tool.ts'
import { fetchOperations, type Operation } from './document.ts'
import type { Tool } from './protocol.ts'
import { callRollback, rollbackTool } from './rollback-tool.ts'
import { secretIn } from './schema.ts'
import { defaultsFor, isReading, toolName, toolOf } from './tools.ts'

export type SessionOptions = {
  /** The server's origin. */
  url: string
  /** The directory that it was started for: a real path. */
  start: string
  /** The name or id of the project that the directory is linked to. */
  project: string | undefined
  /** Whether tools may change something. */
  write: boolean
}

const statusTool: Tool = {
  name: 'status',
  title: 'Show the state of svc',
  description:
    'Show the state of svc: the server, whether it responds and is ready, whether somebody is logged in, ' +
    'the linked project, and whether tools may change anything. Call it where others fail or are missing.',
  inputSchema: { type: 'object', properties: {}, additionalProperties: false },
  annotations: { title: 'Show the state of svc', readOnlyHint: true, destructiveHint: false },
}

type Call = { name: string; args: Record<string, unknown>; signal: AbortSignal }

/**
 * `onMore` is called when tools can be listed that an earlier list lacked, because the server didn't respond.
 */
export function createSession(io: Io, options: SessionOptions, onMore: () => void) {
  const { url, start, project, write } = options
  const mayDeploy = write && isNarrow(start)
  const defaults = project === undefined ? {} : { project }
  let known: Operation[] | undefined
  let isShort = false
  let client: { token: string; api: Api } | undefined

  /** Each time anew: somebody may have logged in since. */
  function api(): Api {
    const { token } = credentials(io, { url })
    if (client?.token !== token) client = { token, api: clientOf(io, { json: true }, { url, token }) }
    return client.api
  }

  async function operations(isOld: boolean, signal: AbortSignal): Promise<Operation[]> {
    if (isOld || !known) known = await fetchOperations(withSignal(io, signal), url)
    if (isShort && !isOld) {
      isShort = false
      onMore()
    }
    return known
  }

  /** The server's own list, and what is there without it. */
  async function list(signal: AbortSignal): Promise<Tool[]> {
    const changing = [...(mayDeploy ? [deployTool()] : []), ...(write ? [rollbackTool(project)] : [])]
    const own = [statusTool, ...changing]
    const found = await operations(true, signal).catch(() => undefined)
    isShort = !found
    const offered = (found ?? []).filter((each) => !each.givesSecret && (write || isReading(each)))
    return [...own, ...offered.map((each) => toolOf(each, defaults))]
  }

  async function status(signal: AbortSignal) {
    const node = await readiness(withSignal(io, signal), url)
    await operations(false, signal)
    return {
      server: url,
      ...{ version: node.version, command_version: version, health: healthOf(node) },
      ...loggedIn(),
      ...{ directory: start, project: project ?? null, write, deploy_directory: mayDeploy },
    }
  }

  function loggedIn() {
    try {
      credentials(io, { url })
      return { logged_in: true }
    } catch (error) {
      return { logged_in: false, message: explain(error).body.message }
    }
  }

  /** @throws Failure, and what the call throws. */
  async function call({ name, args, signal }: Call): Promise<unknown> {
    if (name === statusTool.name) return status(signal)
    if (name === 'deploy_directory') {
      requireWrite(name)
      if (mayDeploy) return callDeploy(withSignal(io, signal), url, start, args)
      throw usageFailure(
        `${start} holds a home directory, all of which could be deployed. ` +
          'Start it for the directory of a site: svc mcp --write <directory>.',
      )
    }
    if (name === 'rollback') {
      requireWrite(name)
      return callRollback(api(), project, args)
    }
    const found = await operations(false, signal)
    const operation = found.find(({ procedure }) => toolName(procedure) === name)
    if (!operation) throw usageFailure(`There is no tool ${name}: list the tools.`)
    if (operation.givesSecret) {
      throw usageFailure(
        `${name} isn't offered, since its answer has a secret, which would be in the conversation. ` +
          'A person can do this with svc or on the dashboard.',
      )
    }
    if (!isReading(operation)) requireWrite(name)
    const secret = secretIn(operation.input, args)
    if (secret !== undefined) {
      throw usageFailure(`${secret}: secrets aren't set by tools. A person can set it with svc.`)
    }
    const { procedure } = operation
    const input = { ...defaultsFor(operation, defaults), ...args }
    const untyped = getUntypedClient(api())
    if (!isReading(operation)) return untyped.mutation(procedure, input, { signal })
    requireShort(input)
    return untyped.query(procedure, input, { signal })
  }

  function requireWrite(name: string): void {
    if (write) return
    throw new Failure(exitCodes.notAllowed, {
      reason: 'read_only',
      message: `${name} changes something, and svc mcp was started without --write. A person can add that.`,
    })
  }

  return { list, call }
}

/** The longest input of a call that reads: it is in the address, which needs some room for the rest. */
const maxAddressCharacters = 7_500

/** @throws Failure (2) that names the longest argument. */
function requireShort(input: Record<string, unknown>): void {
  const lengthOf = (value: unknown) => encodeURIComponent(JSON.stringify(value)).length
  if (lengthOf(input) <= maxAddressCharacters) return
  const [name] = Object.keys(input).sort((a, b) => lengthOf(input[b]) - lengthOf(input[a]))
  throw usageFailure(`${name}: too long. Pass something shorter.`)
}

/** Ends with either. */
function withSignal(io: Io, signal: AbortSignal): Io {
  return { ...io, signal: AbortSignal.any([io.signal, signal]) }
}
