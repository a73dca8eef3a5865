import { Project } from '@/views/project/project'

export default function Page() {
  return <Project />
}
