package import Vocabulary

/// A file or folder that must be private, with its owner and mode.
package struct PathFacts: Facts, Hashable {
    /// Its purpose, as in “the key”.
    package let use: String
    package let path: String
    /// The most permissive allowed mode.
    package let mostMode: FileMode
    package let mode: FileMode
    package let isOwn: Bool
    /// True if root runs the check.
    package let isRoot: Bool

    package init(use: String, path: String, mostMode: FileMode, mode: FileMode, isOwn: Bool, isRoot: Bool = false) {
        (self.use, self.path, self.mostMode, self.mode, self.isOwn) = (use, path, mostMode, mode, isOwn)
        self.isRoot = isRoot
    }

    private var shown: String { "\(PrintableText(path, limit: 4096))" }

    private var isTooOpen: Bool { mode.rawValue & 0o777 & ~mostMode.rawValue != 0 }
    private var isTooShut: Bool { mode.rawValue & 0o600 != 0o600 }

    package var findings: [Finding] {
        guard isOwn else {
            // If root took over the files, their user would lose access.
            if isRoot {
                return [
                    .fault(
                        .files,
                        "\(use) belongs to another user: \(shown)",
                        why: "root checks the files of another user, whose Huddle this is",
                        fix: ["huddle doctor    # as that user"]
                    )
                ]
            }
            return [
                .fault(
                    .files,
                    "\(use) belongs to another user: \(shown)",
                    why: "huddle was run with sudo once, or the folder was copied; huddle can't use it",
                    fix: ["sudo chown -R \"$(id -u):$(id -g)\" \(ShellWord(path))"]
                )
            ]
        }
        guard isTooOpen || isTooShut else { return [] }
        let octal = String(mode.rawValue & 0o777, radix: 8)
        return [
            .fault(
                .files,
                "\(use) has the mode \(octal): \(shown)",
                why: isTooOpen
                    ? "others on this machine could read or change it; huddle does not use a key that others can read"
                    : "its owner has no access to it",
                fix: ["chmod \(String(mostMode.rawValue & 0o777, radix: 8)) \(ShellWord(path))"]
            ).repaired(by: .setMode(mostMode, path: path))
        ]
    }

    /// Findings about several paths.
    package static func findings(of all: [PathFacts]) -> [Finding] {
        guard !all.isEmpty else {
            return [.well(.files, "no files exist yet; the first start of huddled creates them")]
        }
        let findings = all.flatMap(\.findings)
        return findings.isEmpty ? [.well(.files, "the files of huddle are private to this user")] : findings
    }
}
