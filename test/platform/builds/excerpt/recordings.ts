/**
 * What tools print: in `outputs` there is a file for each, with sections of lines after `1 ` for standard
 * output, `2 ` for standard error, and `= ` for what of it says why it failed.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { createExcerpt, type Excerpt } from '../../../../src/platform/builds/excerpt/excerpt.ts'
import { levelOf } from '../../../../src/platform/builds/excerpt/line-kind.ts'
import type { LineLevel } from '../../../../src/platform/deployments/log/log-writer.ts'
import { createLineReader } from '../../../../src/platform/sandbox/read-lines.ts'
import type { Redactor } from '../../../../src/platform/sandbox/redact.ts'

export type Recording = { title: string; lines: string[]; quote: string[] }

export type Read = { excerpt: Excerpt; levels: { text: string; level: LineLevel }[] }

const directory = new URL('outputs/', import.meta.url)

/** Nothing is secret here. */
const redactor: Redactor = { redact: (text) => text, longest: 0 }

/** All sections of all files. */
export function recordings(): Recording[] {
  return readdirSync(directory).flatMap((file) =>
    readFileSync(new URL(file, directory), 'utf8')
      .split(/^# /m)
      .slice(1)
      .map((section) => {
        const [title = '', ...rest] = section.split('\n')
        return {
          title: `${file.replace('.txt', '')}: ${title}`,
          lines: rest.filter((line) => /^[12]/.test(line)),
          quote: rest.filter((line) => line.startsWith('= ')).map((line) => line.slice(2)),
        }
      }),
  )
}

/** The excerpt of lines after `1 ` or `2 `, which pass through what reads the output of a sandbox. */
export function read(lines: string[]): Read {
  const excerpt = createExcerpt()
  const levels: Read['levels'] = []
  const readerOf = (stream: 'stdout' | 'stderr') =>
    createLineReader(redactor, (text) => levels.push({ text, level: levelOf(excerpt.add({ text, stream })) }))
  const readers = { '1': readerOf('stdout'), '2': readerOf('stderr') }
  for (const line of lines) {
    readers[line.startsWith('1') ? '1' : '2'].write(Buffer.from(`${line.slice(2)}\n`))
  }
  return { excerpt, levels }
}

/** The same of lines of standard error. */
export function readErrors(...texts: string[]): Read {
  return read(texts.map((text) => `2 ${text}`))
}
