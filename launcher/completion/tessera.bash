# bash completion for the tessera command.
_tessera() {
  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} i
  COMPREPLY=()
  if [ "$COMP_CWORD" = 1 ]; then
    mapfile -t COMPREPLY < <(compgen -W "run info explain --help --version" -- "$word")
    return
  fi
  case ${COMP_WORDS[1]} in
    info) mapfile -t COMPREPLY < <(compgen -W "--config --all" -- "$word") ;;
    explain)
      mapfile -t COMPREPLY < <(compgen -W "--plan $("${COMP_WORDS[0]}" explain 2>/dev/null | cut -d' ' -f1)" -- "$word")
      ;;
    run)
      case $before in
        --launcher) mapfile -t COMPREPLY < <(compgen -W "auto mpirun srun none" -- "$word") && return ;;
        -n | --cpus) return ;;
      esac
      for ((i = 2; i < COMP_CWORD; i++)); do # behind the program: its own arguments, files at best
        case ${COMP_WORDS[i]} in
          -n | --cpus | --launcher) i=$((i + 1)) ;;
          -*) ;;
          *) mapfile -t COMPREPLY < <(compgen -f -- "$word") && return ;;
        esac
      done
      case $word in
        -*) mapfile -t COMPREPLY < <(compgen -W "-n --cpus --launcher --dry-run --verbose" -- "$word") ;;
        *) mapfile -t COMPREPLY < <(compgen -fc -- "$word") ;;
      esac
      ;;
  esac
}
complete -o filenames -F _tessera tessera
