import { Account } from '@/views/account/account'

export default function Page() {
  return <Account />
}
