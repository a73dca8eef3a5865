/** Calls procedures in the name of a pusher, through the guard that every call passes. */
import type { Context } from '../../trpc/context.ts'
import { proceduresByName } from '../calls/procedures.ts'

const procedures = proceduresByName()

/** The answer of the procedure of this name. @throws AppError as any call of it does. */
export function callProcedure(ctx: Context, name: string, input: unknown): Promise<unknown> {
  const procedure = procedures.get(name)
  if (!procedure) throw new Error(`There is no procedure ${name}.`)
  return procedure.call(ctx, input)
}
