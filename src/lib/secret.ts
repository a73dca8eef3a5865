/**
 * Secrets, which are marked where they are defined: what encrypts or hashes takes only values of a
 * `secretField`, and a program that acts for people, as `svc mcp` does, neither sends nor gets one.
 */
import type { z } from 'zod'

declare const mark: unique symbol

/** A text that nobody may read but whom it is for. */
export type Secret = string & { readonly [mark]: 'secret' }

/** The format of a field with a secret, in schemas (OpenAPI's format registry). */
export const secretFormat = 'password'

type Marked<T extends z.ZodType> = T & { _zod: { output: Secret | Exclude<z.output<T>, string> } }

type Meta = { description?: string; examples?: string[] }

/** The field of an input that holds a secret: its values are secrets, and documents say so. */
export function secretField<T extends z.ZodType<string | null | undefined>>(schema: T, meta?: Meta): Marked<T>
export function secretField(schema: z.ZodType, meta?: Meta): z.ZodType {
  return returnedSecret(schema, meta)
}

/** The field of an output that holds a secret, which is returned this once: documents say so. */
export function returnedSecret<T extends z.ZodType>(schema: T, meta?: Meta): T {
  return schema.meta({ ...schema.meta(), format: secretFormat, ...meta })
}

/** A secret that is no field of a schema: one that the program made, or the credential of a request. */
export function asSecret(text: string): Secret
export function asSecret(text: string): string {
  return text
}
