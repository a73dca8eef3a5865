/** The lines of a history: JSON, one event each, in the order in which the harness saw them. */
import { z } from 'zod'

/** Parts of the fleet that an operation may need. */
const needSchema = z.enum(['api', 'edge', 'dns', 'database', 'bucket'])
export type Need = z.infer<typeof needSchema>

/** Milliseconds of the harness's monotonic clock since the start of the run. */
const timeMs = z.number().nonnegative()

/** What a register holds, or what a response contained: a version, an address, `valid`; null: nothing. */
const value = z.string().nullable()

const invokeLine = z.strictObject({
  type: z.literal('invoke'),
  id: z.int(),
  timeMs,
  /** The logical process: it has one operation at a time. */
  process: z.string(),
  kind: z.string(),
  /** What it is about, such as a project, a key or a DNS name. */
  subject: z.string(),
  /** What a write is to set. */
  value: value.optional(),
})

/**
 * `ok`: it took effect, or was answered; `fail`: it had no effect; `info`: nobody knows. A write without a
 * `value` here left its register as it was.
 */
const resultLine = z.strictObject({
  type: z.enum(['ok', 'fail', 'info']),
  id: z.int(),
  timeMs,
  value: value.optional(),
  /** The id of what it made or changed. */
  made: z.string().optional(),
  /** What a list contained. */
  list: z.array(z.string()).optional(),
  /** The status of the last response; 0 if there was none. */
  status: z.int().optional(),
  /** The process of the fleet that the load balancer chose. */
  node: z.string().optional(),
  note: z.string().optional(),
})

const nemesisLine = z.strictObject({
  type: z.literal('nemesis'),
  phase: z.enum(['begin', 'end']),
  id: z.int(),
  timeMs,
  name: z.string(),
  /** What it takes away. */
  disturbs: z.array(needSchema),
  /** The only process that it takes away, if it is one. */
  node: z.string().optional(),
})

/** A webhook request that arrived. */
const eventLine = z.strictObject({
  type: z.literal('event'),
  timeMs,
  /** The team whose address it was sent to. */
  team: z.string(),
  id: z.string(),
  event: z.string(),
  /** The id of its subject. */
  about: z.string(),
  /** What is wrong with it. */
  problem: z.string().optional(),
})

/** A process of the fleet started, or ended by itself. */
const processLine = z.strictObject({
  type: z.enum(['started', 'died']),
  timeMs,
  process: z.string(),
  /** How long the start took. */
  tookMs: z.number().optional(),
  note: z.string().optional(),
})

/** The machine, or the harness itself, did not run for a while. */
const stallLine = z.strictObject({ type: z.literal('stall'), timeMs, sinceMs: timeMs })

/** A part of a run with attacks that has ended: without an attacker, or with one. */
const stretchLine = z.strictObject({
  type: z.literal('stretch'),
  timeMs,
  name: z.enum(['calm', 'attacked']),
  sinceMs: timeMs,
  /** Seconds of the processors, by what took them. */
  busy: z.record(z.string(), z.number()),
})

/** The most memory that a process of the fleet had with its children, and what it may have, in bytes. */
const memoryLine = z.strictObject({
  type: z.literal('memory'),
  timeMs,
  process: z.string(),
  peakBytes: z.int(),
  limitBytes: z.int(),
  /** How many of them the kernel ended because the bound was reached. */
  kills: z.int(),
})

/** What came of an attack, in the attacker's words. */
const attackLine = z.strictObject({
  type: z.literal('attack'),
  timeMs,
  name: z.string(),
  outcome: z.string(),
})

export const lineSchema = z.discriminatedUnion('type', [
  invokeLine,
  resultLine,
  nemesisLine,
  eventLine,
  processLine,
  stallLine,
  stretchLine,
  memoryLine,
  attackLine,
])

export type Line = z.infer<typeof lineSchema>
export type NemesisLine = z.infer<typeof nemesisLine>
export type EventLine = z.infer<typeof eventLine>
export type ProcessLine = z.infer<typeof processLine>
export type StretchLine = z.infer<typeof stretchLine>
export type MemoryLine = z.infer<typeof memoryLine>
export type AttackLine = z.infer<typeof attackLine>
export type ResultLine = z.infer<typeof resultLine>
export type InvokeLine = z.infer<typeof invokeLine>
