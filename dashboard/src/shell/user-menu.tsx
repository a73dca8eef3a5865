'use client'
/** Who is signed in, the theme, the documentation, and the way out. */
import { useQuery } from '@tanstack/react-query'
import { useTRPC } from '@/lib/api'
import { accountPath } from '@/lib/paths'
import { setTheme, type Theme, useTheme } from '@/lib/theme'
import { IconButton } from '@/ui/button'
import { Icon } from '@/ui/icons'
import { Menu, MenuChoice, MenuHeading, MenuItem, MenuLine, MenuLink } from '@/ui/menu'

const themes: { value: Theme; label: string }[] = [
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
  { value: 'system', label: 'As the system' },
]

export function UserMenu() {
  const trpc = useTRPC()
  const theme = useTheme()
  const { data } = useQuery(
    trpc.account.get.queryOptions(
      {},
      // Another person may have signed in in another tab.
      { staleTime: 300_000, refetchOnWindowFocus: 'always' },
    ),
  )
  return (
    <Menu
      trigger={
        <IconButton label="Account and theme">
          <Icon name="user" />
        </IconButton>
      }
    >
      {data && <MenuHeading>{data.user.email}</MenuHeading>}
      <MenuLink href={accountPath}>Account</MenuLink>
      <MenuItem onSelect={() => location.assign('/docs')}>Documentation</MenuItem>
      <MenuLine />
      <MenuHeading>Theme</MenuHeading>
      {themes.map(({ value, label }) => (
        <MenuChoice key={value} chosen={theme === value} onSelect={() => setTheme(value)}>
          {label}
        </MenuChoice>
      ))}
      <MenuLine />
      <MenuItem onSelect={signOut}>Sign out</MenuItem>
      {data && <MenuHeading>svc {data.version}</MenuHeading>}
    </Menu>
  )
}

/** By the form that the server's own pages use. */
function signOut(): void {
  const form = document.createElement('form')
  form.method = 'post'
  form.action = '/auth/sign-out/form'
  document.body.append(form)
  form.submit()
}
