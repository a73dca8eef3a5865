import { Members } from '@/views/settings/members'

export default function Page() {
  return <Members />
}
