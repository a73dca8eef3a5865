'use client'
/** The person's own page: name, password, second factor, passkeys and sessions. */
import { useQuery } from '@tanstack/react-query'
import { useTRPC } from '@/lib/api'
import { PersonShell } from '@/shell/person-shell'
import { Section } from '@/ui/card'
import { Loaded } from '@/ui/loaded'
import { Page } from '@/ui/page'
import { Passkeys } from './passkeys'
import { Password } from './password'
import { Profile } from './profile'
import { SecondFactor } from './second-factor'
import { Sessions } from './sessions'

export function Account() {
  return (
    <PersonShell title="Account">
      <Page title="Account">
        <Parts />
      </Page>
    </PersonShell>
  )
}

function Parts() {
  const trpc = useTRPC()
  const account = useQuery(trpc.account.get.queryOptions({}))
  return (
    <Loaded query={account}>
      {(found) => (
        <>
          <Section title="Profile">
            <Profile key={found.user.name} account={found} />
          </Section>
          <Section title="Password">
            <Password account={found} />
          </Section>
          <Section title="Second factor">
            <SecondFactor account={found} />
          </Section>
          <Section title="Passkeys">
            <Passkeys account={found} />
          </Section>
          <Sessions />
        </>
      )}
    </Loaded>
  )
}
