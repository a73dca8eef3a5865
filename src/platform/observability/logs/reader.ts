/** Who reads the log: what of the team they see, and whose addresses. */
import type { Role } from '../../callers/principal.ts'
import { isSameScope, type Scope } from '../../callers/scope.ts'

/** `role` is what the credential may, and `userId` whom it acts as. */
export type Reader = Scope & { userId: string; role: Role }

/** Whether the reader sees from where this person's requests came: owners do, and everybody of themselves. */
export function seesAddressOf({ userId, role }: Reader, actor: string | null): boolean {
  return role === 'owner' || actor === userId
}

/** Whether both see the same. */
export function isSameReader(one: Reader, other: Reader): boolean {
  return isSameScope(one, other) && one.role === other.role && one.userId === other.userId
}
