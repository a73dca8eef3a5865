/** Prompts at the terminal, or reads standard input where there is none. */
import type { Writable } from 'node:stream'
import { interrupted, usageFailure } from '../command-failure.ts'
import type { Io } from '../io.ts'
import { plain } from './text.ts'

const maxBytes = 1024 * 1024

/**
 * The text typed at the prompt, without echo, or all of standard input if it is not a terminal.
 * @throws Failure on Ctrl-C, at the end of input, and if the input exceeds 1 MiB.
 */
export async function readSecret(io: Io, question: string): Promise<string> {
  return io.stdin.isTTY ? askUnseen(io, question) : readAll(io)
}

async function readAll({ stdin }: Io): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of stdin) {
    const buffer = Buffer.from(chunk)
    bytes += buffer.length
    if (bytes > maxBytes) throw usageFailure('Standard input is longer than 1 MiB.')
    chunks.push(buffer)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/**
 * The line typed at the prompt.
 * @throws Failure on Ctrl-C and at the end of input.
 */
export async function ask(io: Io, question: string): Promise<string> {
  return askOn(io.stderr, io, question)
}

async function askUnseen(io: Io, question: string): Promise<string> {
  const { Writable } = await import('node:stream')
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() })
  try {
    return await askOn(nowhere, io, question)
  } finally {
    io.stderr.write('\n')
  }
}

/** Prompts, and echoes to `output`. */
async function askOn(output: Writable, { stdin, stderr, signal }: Io, text: string): Promise<string> {
  const question = plain(text)
  // Loaded on demand: most commands don't prompt.
  const { createInterface } = await import('node:readline/promises')
  // readline puts the terminal into raw mode, in which it doesn't echo, and back when it is closed.
  const lines = createInterface({ input: stdin, output, terminal: true, historySize: 0 })
  // Only now, so that nothing typed is echoed.
  if (output !== stderr) stderr.write(question)
  try {
    return await new Promise<string>((resolve, reject) => {
      lines.once('SIGINT', () => reject(interrupted()))
      lines.once('close', () => reject(interrupted()))
      lines.question(question, { signal }).then(resolve, reject)
    })
  } finally {
    lines.close()
  }
}
