/** Why a forge didn't say which branches a repository has. */
import { type AppError, invalidField } from '../../../lib/errors.ts'
import type { ForgeFailure, ForgeResponse } from '../api/forge-fetch.ts'

/** Whether the forge answered, and goes on answering so until somebody changes something. */
export function isRefused(answer: ForgeResponse | ForgeFailure): answer is ForgeResponse {
  return 'status' in answer && answer.status >= 300 && answer.status < 500 && !isBusy(answer.status)
}

const isBusy = (status: number) => status === 408 || status === 429

/** The refusal for the field that it is about; it says nothing that the forge said. */
export function refusedRefs(answer: ForgeResponse | ForgeFailure, hasToken: boolean): AppError {
  if ('failure' in answer) return ofAddress(`leads to no forge that can be reached: ${hintOf(answer)}`)
  const { status } = answer
  if (status >= 300 && status < 400) return ofAddress('redirects to another one: give that')
  if ([401, 403, 404].includes(status))
    return hasToken
      ? invalidField('git.token', 'has no right to read the repository, or there is none at this address')
      : ofAddress('leads to no repository, or to a private one, which needs a token that may read it')
  if (status >= 500 || isBusy(status))
    return ofAddress(`leads to a forge that has a problem at present (status ${status}): try it again later`)
  return ofAddress('leads to something else than a repository of git')
}

function ofAddress(problem: string): AppError {
  return invalidField('git.url', problem)
}

function hintOf({ failure }: ForgeFailure): string {
  if (!/public|must have the port/.test(failure)) return failure
  return `${failure} The operator of this server lists private forges in SVC_GIT_HOSTS.`
}
