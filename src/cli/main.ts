#!/usr/bin/env node
/** The `svc` command. */
import { parseSettings, readEnvironment, unknownSettings } from '../settings.ts'
import { version } from '../version.ts'
import { adminKey } from './admin-key.ts'

const usage = `Usage: svc <command>

  svc admin key   make a new owner key and print its token
  svc help        print this text
  svc --version   print the version

Settings are read from the environment and from .env in the working directory.`

const exitCodes = { ok: 0, failure: 1, usage: 2 }

const commands = new Map<string, () => Promise<void> | void>([
  ['', help],
  ['help', help],
  ['--help', help],
  ['-h', help],
  ['--version', () => write(version)],
  ['admin key', makeOwnerKey],
])

function help(): void {
  write(usage)
}

async function makeOwnerKey(): Promise<void> {
  const environment = readEnvironment(process.cwd(), process.env)
  for (const line of unknownSettings(environment)) warn(line)
  const settings = parseSettings(environment)
  // Loaded when needed: most of the program, which other commands would only wait for.
  const openDirectly = async () => (await import('../owner-key.ts')).createOwnerKeyDirectly(settings)
  await adminKey({ settings, write, warn, openDirectly })
}

/** What went wrong, without the values that a query was given, which the database driver's messages repeat. */
function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if ('query' in error) return error.cause === undefined ? 'A query failed.' : explain(error.cause)
  // A connection refused at several addresses has a code and no message.
  return error.message || ('code' in error ? String(error.code) : error.name)
}

function write(line: string): void {
  process.stdout.write(`${line}\n`)
}

function warn(line: string): void {
  process.stderr.write(`${line}\n`)
}

/** Runs the command and gives the exit code. */
async function run(args: string[]): Promise<number> {
  const command = commands.get(args.join(' '))
  if (command === undefined) {
    warn(`svc: there is no command ${JSON.stringify(args.join(' '))}. \`svc help\` lists those there are.`)
    return exitCodes.usage
  }
  try {
    await command()
    return exitCodes.ok
  } catch (error) {
    warn(`svc: ${explain(error)}`)
    return exitCodes.failure
  }
}

// Not process.exit(), which could cut off output to a pipe.
process.exitCode = await run(process.argv.slice(2))
