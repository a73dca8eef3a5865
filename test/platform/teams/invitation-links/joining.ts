/** Invitations with links, and people who join by them. */
import { createClient } from '../../../../src/api/client/index.ts'
import { newId } from '../../../../src/lib/ids.ts'
import { asSecret } from '../../../../src/lib/secret.ts'
import { hashPassword } from '../../../../src/platform/people/password.ts'
import { setPassword } from '../../../../src/platform/people/set-password.ts'
import { insertClaimant } from '../../../../src/platform/people/sign-up.ts'
import { findLinkedInvitation } from '../../../../src/platform/teams/invitation-links/find-invitation-link.ts'
import { joinTeam } from '../../../../src/platform/teams/join.ts'
import { type Browser, newBrowser, type Page } from '../../../support/browser.ts'
import { knowSecret, knowSecretsIn } from '../../../support/kept-logs.ts'
import type { TestNode } from '../../../support/node.ts'
import { clientOf, type Person, signIn } from '../../../support/person.ts'
import { newTeam, type TestTeam } from '../../../support/team.ts'
import { newEmail } from '../people.ts'

type Role = 'owner' | 'member'

export type Invited = { team: TestTeam; email: string; token: string; id: string }

/** The typed client with a key. */
export const keyClient = (node: TestNode, token: string) =>
  createClient({ url: node.apiUrl, token, retry: false })

/** Invites these addresses alone, beside the owners without an address. */
export const invite = (team: TestTeam, ...people: { email: string; role?: Role }[]) =>
  team.owner('PUT', `/v1/teams/${team.slug}`, {
    members: [
      { email: null, role: 'owner' },
      ...people.map(({ email, role = 'member' }) => ({ email, role })),
    ],
  })

/** Makes a link of the invitation, and returns its token. */
export async function makeLink(node: TestNode, team: TestTeam, email: string, key = team.ownerKey) {
  const { id, url } = await keyClient(node, key).invitationLinks.create.mutate({ team: team.slug, email })
  const token = new URL(url).searchParams.get('token') ?? ''
  knowSecret("a link's token", token)
  return { id, token, url }
}

/** An address that a new team, or this one, has invited, with a link. */
export async function newInvited(
  node: TestNode,
  {
    email = newEmail(),
    role = 'member' as Role,
    team,
  }: { email?: string; role?: Role; team?: TestTeam } = {},
): Promise<Invited> {
  const inviting = team ?? (await newTeam(node))
  await invite(inviting, { email, role })
  return { team: inviting, email, ...(await makeLink(node, inviting, email)) }
}

export const joinPassword = 'the password of who joined'

/** Fills in the form of the link's page. */
export function submitJoin(
  node: TestNode,
  token: string,
  { name = 'Grace', secret = joinPassword, browser = newBrowser() }: Joining = {},
): Promise<Page> {
  knowSecretsIn({ password: secret })
  const fields = { token, name, password: secret, again: secret }
  return browser.submit(`${node.apiUrl}/auth/join`, fields)
}

type Joining = { name?: string; secret?: string; browser?: Browser }

const hashes = new Map<string, Promise<string>>()

/** Somebody who joined by the link, with a new account: as the page does it, but hashed once for all. */
export async function joined(
  node: TestNode,
  { email, token }: Invited,
  { name = 'Grace', secret = joinPassword }: Joining = {},
): Promise<Person> {
  const { store } = node.installation
  const nowMs = Date.now()
  const invitation = await findLinkedInvitation(store.db, token, nowMs)
  if (!invitation) throw new Error('The link is invalid.')
  const passwordHash = await (hashes.get(secret) ?? hashPassword(asSecret(secret)))
  hashes.set(secret, Promise.resolve(passwordHash))
  const userId = newId('user', nowMs)
  const origin = { userId, keyId: null, address: '127.0.0.1', requestId: newId('request', nowMs) }
  await store.transact(async (tx) => {
    await insertClaimant(tx, { id: userId, email, name }, nowMs)
    await setPassword(tx, { userId, passwordHash }, nowMs)
    await joinTeam(tx, invitation, { origin, nowMs })
  })
  return signIn(node, { email, password: secret })
}

/** The account of who is signed in there, or undefined. */
export async function accountOf(node: TestNode, person: Pick<Person, 'browser'>) {
  const url = `${node.apiUrl}/trpc/account.get?input=%7B%7D`
  const { status, text } = await person.browser.call('GET', url)
  return status === 200 ? JSON.parse(text).result.data : undefined
}

/** The slugs of the teams of who is signed in there. */
export async function teamsOf(node: TestNode, person: Person): Promise<string[]> {
  const { data } = await clientOf(node, person).teams.list.query({ limit: 100 })
  return data.map(({ slug }) => slug)
}

/** The members of the team as its owner sees them, without the owner. */
export async function membersOf(team: TestTeam) {
  const { body } = await team.owner('GET', `/v1/teams/${team.slug}`)
  return body.members.filter(({ email }: { email: string | null }) => email !== null)
}
