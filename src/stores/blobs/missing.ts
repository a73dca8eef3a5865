/** The error for an object that its store has lost, while the store itself is there. */
import { AppError } from '../../lib/errors.ts'
import { digestOf } from './object-identity.ts'

/** How to heal it, for people. */
const healing =
  'Deploy a site that has it again, or restore it from a backup; `svc admin check` names the deployments.'

/** Trying again doesn't help: the object has to be stored again. */
export class ObjectMissing extends AppError {
  /** Its name, which begins with the team's id. */
  readonly object: string

  /** `place` is the kind of store, for people. */
  constructor(object: string, place: string, cause?: unknown) {
    super('internal_error', `The blob ${digestOf(object)} is missing in ${place}. ${healing}`, { cause })
    this.name = 'ObjectMissing'
    this.object = object
  }
}
