/** `svc completion`: completion scripts for shells, which run `svc` for the candidates. */
import { Argument, Command } from 'commander'
import { complete } from '../complete.ts'
import type { Io } from '../io.ts'
import { write } from '../terminal/output.ts'
import { joined, own } from '../terminal/text.ts'

const scripts = {
  bash: own`_svc() {
  local IFS=$'\\n'
  COMPREPLY=($(svc __complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null | cut -f1))
}
complete -o bashdefault -o default -F _svc svc`,
  zsh: own`#compdef svc
_svc() {
  local -a candidates
  candidates=("\${(@f)$(svc __complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  if [[ -n "$candidates" ]]; then _describe svc "(\${(@)candidates//$'\\t'/:})"; else _files; fi
}
compdef _svc svc`,
  fish: joined(
    [
      own`complete -c svc -f -a`,
      own`'(svc __complete -- (commandline -opc)[2..-1] (commandline -ct) 2>/dev/null)'`,
    ],
    ' ',
  ),
}

const examples = `
Examples:
  $ svc completion bash >> ~/.bashrc
  $ svc completion zsh >> ~/.zshrc
  $ svc completion fish > ~/.config/fish/completions/svc.fish`

/** The command `svc completion`. */
export function completionCommand(io: Io): Command {
  return new Command('completion')
    .description('print the script that completes svc in a shell')
    .addArgument(new Argument('<shell>').choices(Object.keys(scripts)))
    .addHelpText('after', examples)
    .action((shell: keyof typeof scripts) => write(io, scripts[shell]))
}

/** The command that those scripts run: prints the candidates, one a line, each with its description. */
export function completeCommand(io: Io): Command {
  return new Command('__complete')
    .argument('[words...]')
    .action(async (words: string[], _options, { parent }: Command) => {
      if (!parent) return
      for (const { name, description } of await complete(io, parent, words)) {
        write(io, joined([name, description], '\t'))
      }
    })
}
