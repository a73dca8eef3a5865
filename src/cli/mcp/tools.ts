/** Tools made of a server's operations. */
import { isRecord } from '../../lib/is-record.ts'
import type { Operation } from './document.ts'
import type { Tool } from './protocol.ts'
import { withoutSecrets } from './schema.ts'
import { visibleText } from './visible.ts'

/** The values of arguments that are left out. */
export type Defaults = { project?: string }

/** The name of a procedure's tool: `tokens_list_keys` for `tokens.listKeys`. */
export function toolName(procedure: string): string {
  return procedure
    .replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
    .replaceAll(/[^a-z0-9_]/g, '_')
    .slice(0, 64)
}

/** Whether the operation changes nothing. */
export function isReading({ method }: Operation): boolean {
  return method === 'get'
}

/** The tool of an operation, without its secrets. */
export function toolOf(operation: Operation, defaults: Defaults): Tool {
  const { procedure, method, summary, description, additive } = operation
  const reads = isReading(operation)
  return {
    name: toolName(procedure),
    title: visibleText(summary),
    description: visibleText(`${summary}. ${description}`.trim()),
    inputSchema: { type: 'object', ...withDefaults(withoutSecrets(operation.input), operation, defaults) },
    annotations: {
      title: visibleText(summary),
      readOnlyHint: reads,
      // Without a word of the definition it may replace or remove something.
      destructiveHint: !reads && !(method === 'post' && additive),
      // As HTTP has it (RFC 9110, section 9.2.2).
      idempotentHint: method !== 'post',
    },
  }
}

/** The defaults that the operation takes: of what it requires, and only where it reads. */
export function defaultsFor(operation: Operation, { project }: Defaults): Defaults {
  const { required } = operation.input
  const takes = isReading(operation) && Array.isArray(required) && required.includes('project')
  return takes && project !== undefined ? { project } : {}
}

function withDefaults(input: Record<string, unknown>, operation: Operation, defaults: Defaults) {
  const names = Object.entries(defaultsFor(operation, defaults))
  const { properties, required } = input
  if (names.length === 0 || !isRecord(properties) || !Array.isArray(required)) return input
  const described = names.map(([name, value]) => {
    const field = properties[name]
    return [name, { ...(isRecord(field) && field), default: value }]
  })
  return {
    ...input,
    properties: { ...properties, ...Object.fromEntries(described) },
    required: required.filter((name) => !names.some(([each]) => each === name)),
  }
}
