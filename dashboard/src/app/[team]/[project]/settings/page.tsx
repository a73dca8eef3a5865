import { ProjectSettings } from '@/views/project-settings/project-settings'

export default function Page() {
  return <ProjectSettings />
}
