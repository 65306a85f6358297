@testable import CommandTable
import Testing

@Suite("Whole texts of a table", .timeLimit(.minutes(5)))
struct WholeTextTests {
    @Test("The manual page is this text")
    func manualPage() {
        #expect(
            Pot.table.manualPages()[1].text == #"""
                .TH POT\-HEAT 1 "" "pot 1.0" "pot manual"
                .nh
                .ad l
                .SH NAME
                pot\-heat \- make it warm
                .SH SYNOPSIS
                \fBpot heat\fR [OPTION]... FILE
                .SH DESCRIPTION
                Make it warm.
                .SH ARGUMENTS
                .TP
                \fIFILE\fR
                What\(aqs in it.
                .SH OPTIONS
                .TP
                \fB\-l\fR, \fB\-\-level\fR \fIWHICH\fR
                How warm [or hot] (low, high; default: low)
                .TP
                \fB\-\-for\fR \fIDURATION\fR
                How long (also POT_FOR in the environment)
                .TP
                \fB\-h\fR, \fB\-\-help\fR
                Show this help.
                .SH "OPTIONS OF EVERY COMMAND"
                .TP
                \fB\-q\fR, \fB\-\-quiet\fR
                Say nothing.
                .SH "EXIT STATUS"
                .TP
                \fB0\fR
                All went well.
                .SH ENVIRONMENT
                .TP
                \fBPOT_FOR\fR
                Gives \-\-for if the command line does not.
                .SH EXAMPLES
                Heat the soup:
                .PP
                .RS 4
                .nf
                pot heat soup \-l high
                .fi
                .RE
                .SH "SEE ALSO"
                \fBpot\fR(1)

                """#
        )
    }

    @Test("The script for bash is this text")
    func bash() {
        #expect(
            Pot.table.completions(for: .bash) == #"""
                # bash completion for pot, made from its table of commands
                _pot() {
                    local word=${COMP_WORDS[COMP_CWORD]} path='pot' option='' dashes='' index part
                    for ((index = 1; index < COMP_CWORD; index++)); do
                        part=${COMP_WORDS[index]}
                        if [[ -n $option ]]; then
                            [[ $part == '=' ]] || option=''
                            continue
                        fi
                        case "$path:$part" in
                            *:--) dashes=yes; break ;;
                            'pot:heat') path='pot heat' ;;
                            'pot:help') path='pot help' ;;
                            'pot:completions') path='pot completions' ;;
                            'pot:manual') path='pot manual' ;;
                            'pot heat:--level' | 'pot heat:-l') option=--level ;;
                            'pot heat:--for') option=--for ;;
                        esac
                    done
                    [[ $word == '=' ]] && word=''
                    COMPREPLY=()
                    if [[ -n $option ]]; then
                        case "$path:$option" in
                            'pot heat:--level') mapfile -t COMPREPLY < <(compgen -W 'low high' -- "$word") ;;
                            *) ;;
                        esac
                    elif [[ -z $dashes && $word == -* ]]; then
                        case "$path" in
                            'pot') mapfile -t COMPREPLY < <(compgen -W '--quiet --help --version' -- "$word") ;;
                            'pot heat') mapfile -t COMPREPLY < <(compgen -W '--quiet --level --for --help' -- "$word") ;;
                            'pot help') mapfile -t COMPREPLY < <(compgen -W '--help' -- "$word") ;;
                            'pot completions') mapfile -t COMPREPLY < <(compgen -W '--help' -- "$word") ;;
                            'pot manual') mapfile -t COMPREPLY < <(compgen -W '--list --help' -- "$word") ;;
                        esac
                    else
                        case "$path:$dashes" in
                            'pot:') mapfile -t COMPREPLY < <(compgen -W 'heat help completions manual' -- "$word") ;;
                            'pot heat':*) compopt -o filenames; mapfile -t COMPREPLY < <(compgen -f -- "$word") ;;
                            'pot help':*) mapfile -t COMPREPLY < <(compgen -W 'heat' -- "$word") ;;
                            'pot completions':*) mapfile -t COMPREPLY < <(compgen -W 'bash zsh fish' -- "$word") ;;
                            *) ;;
                        esac
                    fi
                }
                complete -F _pot pot

                """#
        )
    }

    @Test("The script for zsh is this text")
    func zsh() {
        #expect(
            Pot.table.completions(for: .zsh) == #"""
                #compdef pot
                # zsh completion for pot, made from its table of commands

                _pot() {
                    local curcontext="$curcontext" state line
                    typeset -A opt_args
                    local -a commands=(
                        'heat:make it warm'
                        'help:explain a command'
                        'completions:print a completion script for a shell'
                        'manual:print a manual page as roff'
                    )
                    _arguments -C -s -S : '(--quiet -q)'{--quiet,-q}'[say nothing]' \
                        '(--help -h)'{--help,-h}'[show this help]' \
                        '(--version)'--version'[show the version]' \
                        '1:command:->command' \
                        '*::argument:->argument'
                    case $state in
                    command) _describe command commands ;;
                    argument)
                        case $line[1] in
                        heat) _pot__heat ;;
                        help) _pot__help ;;
                        completions) _pot__completions ;;
                        manual) _pot__manual ;;
                        esac
                        ;;
                    esac
                }

                _pot__heat() {
                    _arguments -s -S : '(--quiet -q)'{--quiet,-q}'[say nothing]' \
                        '(--level -l)'{--level=,-l+}'[how warm \[or hot\]]:WHICH:(low high)' \
                        '(--for)'--for='[how long]:DURATION: ' \
                        '(--help -h)'{--help,-h}'[show this help]' \
                        ':FILE:_files'
                }

                _pot__help() {
                    _arguments -s -S : '(--help -h)'{--help,-h}'[show this help]' \
                        '*:COMMAND:(heat)'
                }

                _pot__completions() {
                    _arguments -s -S : '(--help -h)'{--help,-h}'[show this help]' \
                        ':SHELL:(bash zsh fish)'
                }

                _pot__manual() {
                    _arguments -s -S : '(--list)'--list'[print the names of all pages, one a line]' \
                        '(--help -h)'{--help,-h}'[show this help]' \
                        '::PAGE: '
                }

                if [[ $funcstack[1] == _pot ]]; then
                    _pot "$@"
                else
                    compdef _pot pot
                fi

                """#
        )
    }

    @Test("The script for fish is this text")
    func fish() {
        #expect(
            Pot.table.completions(for: .fish) == #"""
                # fish completion for pot, made from its table of commands
                function __pot_at --argument-names wanted
                    set -l path 'pot'
                    set -l skip
                    for word in (commandline -opc)[2..]
                        if test -n "$skip"
                            set skip
                            continue
                        end
                        switch "$path:$word"
                            case 'pot:heat'; set path 'pot heat'
                            case 'pot:help'; set path 'pot help'
                            case 'pot:completions'; set path 'pot completions'
                            case 'pot:manual'; set path 'pot manual'
                            case 'pot heat:--level'; set skip yes
                            case 'pot heat:-l'; set skip yes
                            case 'pot heat:--for'; set skip yes
                        end
                    end
                    test "$path" = "$wanted"
                end

                complete -c pot -f
                complete -c pot -n '__pot_at "pot"' -a 'heat' -d 'make it warm'
                complete -c pot -n '__pot_at "pot"' -a 'help' -d 'explain a command'
                complete -c pot -n '__pot_at "pot"' -a 'completions' -d 'print a completion script for a shell'
                complete -c pot -n '__pot_at "pot"' -a 'manual' -d 'print a manual page as roff'
                complete -c pot -n '__pot_at "pot"' -l quiet -s q -d 'say nothing'
                complete -c pot -n '__pot_at "pot"' -l help -s h -d 'show this help'
                complete -c pot -n '__pot_at "pot"' -l version -d 'show the version'
                complete -c pot -n '__pot_at "pot heat"' -F -d 'what\'s in it'
                complete -c pot -n '__pot_at "pot heat"' -l quiet -s q -d 'say nothing'
                complete -c pot -n '__pot_at "pot heat"' -l level -s l -r -f -a 'low high' -d 'how warm [or hot]'
                complete -c pot -n '__pot_at "pot heat"' -l for -x -d 'how long'
                complete -c pot -n '__pot_at "pot heat"' -l help -s h -d 'show this help'
                complete -c pot -n '__pot_at "pot help"' -f -a 'heat' -d 'the command to explain'
                complete -c pot -n '__pot_at "pot help"' -l help -s h -d 'show this help'
                complete -c pot -n '__pot_at "pot completions"' -f -a 'bash zsh fish' -d 'the shell to complete in'
                complete -c pot -n '__pot_at "pot completions"' -l help -s h -d 'show this help'
                complete -c pot -n '__pot_at "pot manual"' -l list -d 'print the names of all pages, one a line'
                complete -c pot -n '__pot_at "pot manual"' -l help -s h -d 'show this help'

                """#
        )
    }
}
