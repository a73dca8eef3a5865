/** Log lines as a terminal gets them: short ones for people, each from a line of JSON. */
import { styleText } from 'node:util'
import { z } from 'zod'
import { toPrintable } from '../names/printable.ts'
import type { Answered } from './request-summary.ts'

/** The levels of pino. */
const levels = { warning: 40, error: 50 }

/** Longer addresses are cut. */
const maxAddressLength = 100

const lineSchema = z.looseObject({ level: z.number(), time: z.number() })

const requestSchema = z.looseObject({
  method: z.string(),
  host: z.string().default(''),
  path: z.string(),
  status: z.number(),
  ms: z.number(),
})

type DescribedError = {
  message?: string | undefined
  stack?: string | undefined
  cause?: string | DescribedError | undefined
}

const errorSchema: z.ZodType<string | DescribedError> = z.union([
  z.string(),
  z.looseObject({
    message: z.string().optional(),
    stack: z.string().optional(),
    get cause() {
      return errorSchema.optional()
    },
  }),
])

const messageSchema = z.looseObject({ msg: z.string().default(''), err: errorSchema.optional() })

type Format = 'dim' | 'yellow' | 'red'

/** Fields that the text of a line has already. */
const own = new Set(['level', 'time', 'msg', 'err'])

/**
 * The lines for a line of the log, without a line end: of a request its time, status, method, address and
 * duration, of anything else the message and its fields, below it the stack of an error. Nothing in it can
 * move the cursor or choose a colour but what `isColoured` allows.
 */
export function terminalLine(json: string, isColoured: boolean): string {
  const found = lineSchema.safeParse(parse(json))
  if (!found.success) return toPrintable(json)
  const paint = (format: Format | undefined, text: string) =>
    isColoured && format ? styleText(format, text, { validateStream: false }) : text
  const time = paint('dim', clockTime(found.data.time))
  const request = requestSchema.safeParse(found.data)
  if (!request.success) return `${time} ${messageOf(found.data, paint)}`
  const { method, host, path, status, ms } = request.data
  const code = paint(status >= 500 ? 'red' : status >= 400 ? 'yellow' : undefined, String(status))
  const address = shortened(toPrintable(host + path))
  return `${time} ${code} ${toPrintable(method)} ${address} ${paint('dim', `${Math.round(ms)} ms`)}`
}

/** The request that a line is about; undefined for other lines. */
export function answeredIn(json: string): Answered | undefined {
  return requestSchema.safeParse(parse(json)).data
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}

/** In the machine's own time zone. */
function clockTime(timeMs: number): string {
  return new Date(timeMs).toTimeString().slice(0, 8)
}

function shortened(address: string): string {
  return address.length > maxAddressLength ? `${address.slice(0, maxAddressLength - 1)}…` : address
}

type Line = z.infer<typeof lineSchema>

function messageOf(line: Line, paint: (format: Format | undefined, text: string) => string): string {
  const { msg, err } = messageSchema.catch({ msg: '' }).parse(line)
  const name = line.level >= levels.error ? 'error' : line.level >= levels.warning ? 'warning' : undefined
  const format = name === 'error' ? 'red' : name && 'yellow'
  const fields = Object.entries(line).filter(([key]) => !own.has(key))
  const details = fields.map(([key, value]) => toPrintable(`${key}=${JSON.stringify(value)}`)).join(' ')
  const text = paint(format, `${name ? `${name}: ` : ''}${toPrintable(msg)}`)
  const first = details === '' ? text : `${text} ${paint('dim', details)}`
  return [first, ...(err === undefined ? [] : stackOf(err))].join('\n')
}

/** Indented lines: the stack, then those of its causes. */
function stackOf(error: string | DescribedError): string[] {
  if (typeof error === 'string') return [`  ${toPrintable(error)}`]
  const { message = '', stack = message, cause } = error
  const lines = stack.split('\n').map((line) => `  ${toPrintable(line.trimEnd())}`)
  return [...lines, ...(cause === undefined ? [] : ['  caused by', ...stackOf(cause)])]
}
