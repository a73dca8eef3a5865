/** The answer to a push: lines for the pusher while something happens, and what became of each ref. */
import { PassThrough } from 'node:stream'
import { bands, flush, onBand, packet } from '../../../platform/git/pkt-line.ts'
import type { Received } from '../../../platform/git/receive-pack.ts'

export type Answer = {
  /** The body of the response. */
  body: PassThrough
  /** Says a line, or several, which git shows with `remote: ` before each; failures alone if it is quiet. */
  say(text: string): void
  /** Passes on what git itself said, with its own ends of lines. */
  pass(text: string): void
  end(received: Received): void
}

/** Proxies and clients give up a connection on which nothing happens. */
const keepAliveMs = 5_000

/** As much may wait for a client that reads slowly; further lines are left out. */
const maxHeldBytes = 1024 * 1024

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are meant.
const controlCharacters = /\u001b\[[0-9;?]*[a-zA-Z]|[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g

/**
 * Without a side band, which `capabilities` name, only the report can be sent.
 */
export function createAnswer(capabilities: ReadonlySet<string>): Answer {
  const isBanded = capabilities.has('side-band-64k')
  const isReported = capabilities.has('report-status') || capabilities.has('report-status-v2')
  const body = new PassThrough()
  // The client may leave before the end.
  body.on('error', () => {})
  const write = (bytes: Buffer) => {
    if (isBanded && !body.destroyed && body.writableLength < maxHeldBytes) body.write(bytes)
  }
  const keepAlive = setInterval(() => write(onBand(bands.progress, Buffer.alloc(1))), keepAliveMs)
  body.once('close', () => clearInterval(keepAlive))
  return {
    body,
    say(text) {
      write(onBand(bands.progress, Buffer.from(`${text.replace(controlCharacters, '')}\n`)))
    },
    pass(text) {
      write(onBand(bands.progress, Buffer.from(text)))
    },
    end(received) {
      clearInterval(keepAlive)
      const report = isReported ? reportOf(received) : Buffer.alloc(0)
      body.end(isBanded ? Buffer.concat([onBand(bands.data, report), flush]) : report)
    },
  }
}

/** A report (gitprotocol-pack, "Report Status"). */
function reportOf({ refused, refs }: Received): Buffer {
  const lines = [`unpack ${refused === undefined ? 'ok' : line(refused)}`]
  for (const [ref, reason] of refs)
    lines.push(reason === undefined ? `ok ${ref}` : `ng ${ref} ${line(reason)}`)
  return Buffer.concat([...lines.map((each) => packet(`${each}\n`)), flush])
}

const line = (text: string) => text.replaceAll(/\s+/g, ' ').slice(0, 500)
