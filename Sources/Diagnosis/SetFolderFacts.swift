import Vocabulary

/// The folder of a save set that is not there.
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
                "the folder of the saves of \(PrintableText(name)) is not there: \(PrintableText(path, limit: 4096))",
                why: "a memory card may be out, or a disk not mounted; if the folder lies elsewhere now, say where",
                mend: ["huddle set \(ShellWord(name)) --at FOLDER"]
            )
        ]
    }
}
