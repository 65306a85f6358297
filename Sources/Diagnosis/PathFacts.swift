package import Vocabulary

/// A file or folder that nobody else is to use, as it stands.
package struct PathFacts: Facts, Hashable {
    /// What it is for, as in “the key”.
    package let use: String
    package let path: String
    /// What it may have at the most.
    package let mostMode: FileMode
    package let mode: FileMode
    package let isOwn: Bool
    /// Whether root looks.
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
            // Given to root, they would be lost to their user.
            if isRoot {
                return [
                    .fault(
                        .files,
                        "\(use) belongs to another user: \(shown)",
                        why: "root examines the files of somebody else, whose Huddle this is",
                        mend: ["huddle doctor    # as that user"]
                    )
                ]
            }
            return [
                .fault(
                    .files,
                    "\(use) belongs to another user: \(shown)",
                    why: "huddle was run with sudo once, or the folder was copied; it can't be used so",
                    mend: ["sudo chown -R \"$(id -u):$(id -g)\" \(ShellWord(path))"]
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
                    : "not even its owner may use it",
                mend: ["chmod \(String(mostMode.rawValue & 0o777, radix: 8)) \(ShellWord(path))"]
            )
        ]
    }

    /// What follows for several.
    package static func findings(of all: [PathFacts]) -> [Finding] {
        guard !all.isEmpty else {
            return [.well(.files, "nothing is kept here yet; the first start of huddled makes it")]
        }
        let findings = all.flatMap(\.findings)
        return findings.isEmpty ? [.well(.files, "what huddle keeps is for this user alone")] : findings
    }
}
