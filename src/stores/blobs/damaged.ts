/** The error for an object that is there, and whose bytes are not those that were stored. */
import { AppError } from '../../lib/errors.ts'

/** Reading it again may help, where the bytes were damaged on their way. */
export class ObjectDamaged extends AppError {
  /** Its name, which begins with the team's id. */
  readonly object: string

  /** `flaw` is what is wrong, for the log. */
  constructor(object: string, flaw = 'is damaged') {
    const message = 'The blob store is unavailable. Nothing was stored; try again later.'
    super('store_unavailable', message, { cause: new Error(`The object ${object} ${flaw}.`) })
    this.name = 'ObjectDamaged'
    this.object = object
  }
}
