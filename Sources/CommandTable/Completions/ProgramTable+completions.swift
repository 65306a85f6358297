extension ProgramTable {
    /// Returns the completion script for a shell: commands, options, allowed values, files.
    public func completions(for shell: Shell) -> String {
        switch shell {
        case .bash: BashCompletions(outline, names).text
        case .zsh: ZshCompletions(outline, names).text
        case .fish: FishCompletions(outline, names).text
        }
    }
}

extension Outline {
    /// All options of the command, including the built-in ones.
    var completedOptions: [OptionShape] { visibleOptions + BuiltIn.options(of: self) }
}

extension String {
    /// The text in single quotes for a POSIX shell.
    var singleQuoted: String {
        "'" + split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
    }

    /// The text as part of a shell function's name.
    var asFunctionName: String { String(map { $0.isLetter || $0.isNumber ? $0 : "_" }) }
}
