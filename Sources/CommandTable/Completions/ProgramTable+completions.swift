extension ProgramTable {
    /// A script that teaches a shell to complete the program's command lines: commands, options, allowed values, files.
    public func completions(for shell: Shell) -> String {
        switch shell {
        case .bash: BashCompletions(outline, names).text
        case .zsh: ZshCompletions(outline, names).text
        case .fish: FishCompletions(outline, names).text
        }
    }
}

extension Outline {
    /// Every option it takes, those it gets without listing them included.
    var completedOptions: [OptionShape] { visibleOptions + BuiltIn.options(of: self) }
}

extension String {
    /// For a shell: nothing between the quotes is special.
    var singleQuoted: String {
        "'" + split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
    }

    /// Fit for the name of a shell function.
    var asFunctionName: String { String(map { $0.isLetter || $0.isNumber ? $0 : "_" }) }
}
