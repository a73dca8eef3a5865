/** A client of `svc mcp`: the protocol's own, with the command as its child. */
import { Client, type ClientOptions } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { z } from 'zod'
import { newHome, svcMain } from '../svc.ts'

type Called = {
  isError: boolean
  /** The text, with the marks. */
  text: string
  /** What is marked as data: the result, or the error. */
  data: unknown
  notes: string[]
}

export type Mcp = {
  client: Client
  /** What the command wrote to standard error. */
  stderr(): string
  call(name: string, args?: Record<string, unknown>, signal?: AbortSignal): Promise<Called>
  names(): Promise<string[]>
  pid: number
}

type Start = { args?: string[]; env?: Record<string, string>; cwd?: string; options?: ClientOptions }

const open: Client[] = []

/** Starts `svc mcp` in a home of its own, and connects to it. */
export async function startMcp({ args = [], env = {}, cwd, options }: Start): Promise<Mcp> {
  const { home } = await newHome()
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [await svcMain(), 'mcp', ...args],
    env: { HOME: home, ...env },
    cwd: cwd ?? `${home}/work`,
    stderr: 'pipe',
  })
  let stderr = ''
  transport.stderr?.on('data', (chunk) => {
    stderr += chunk
  })
  const client = new Client({ name: 'test', version: '1' }, options)
  open.push(client)
  await client.connect(transport)
  return {
    client,
    stderr: () => stderr,
    names: async () => (await client.listTools()).tools.map(({ name }) => name),
    async call(name, args = {}, signal) {
      const result = await client.callTool({ name, arguments: args }, signal ? { signal } : {})
      return calledSchema.parse(result)
    },
    pid: z.number().parse(transport.pid),
  }
}

/** Ends all that were started. */
export async function stopMcps(): Promise<void> {
  await Promise.all(open.splice(0).map((client) => client.close()))
}

const calledSchema = z
  .object({
    isError: z.boolean().default(false),
    content: z.tuple([z.object({ type: z.literal('text'), text: z.string() })]),
    structuredContent: z.object({
      about: z.string(),
      result: z.unknown().optional(),
      error: z.unknown().optional(),
      notes: z.array(z.string()).default([]),
    }),
  })
  .transform(
    ({ isError, content: [{ text }], structuredContent: { result, error, notes } }): Called => ({
      ...{ isError, text, notes },
      data: isError ? error : result,
    }),
  )
