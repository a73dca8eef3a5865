import { ProjectDomains } from '@/views/domains/domains'

export default function Page() {
  return <ProjectDomains />
}
