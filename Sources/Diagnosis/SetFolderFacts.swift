import Vocabulary

/// The missing folder of a game.
package struct SetFolderFacts: Facts, Hashable {
    package let name: String
    package let path: String

    package init(missing path: String, of name: String) {
        (self.name, self.path) = (name, path)
    }

    package var findings: [Finding] {
        [
            .fault(
                .disk,
                "the folder of the saves of \(PrintableText(name)) is missing: \(PrintableText(path, limit: 4096))",
                why: "a memory card may be removed, or a disk not mounted; if the folder moved, set its new path",
                fix: ["huddle set \(ShellWord(name)) --at FOLDER"]
            )
        ]
    }
}
