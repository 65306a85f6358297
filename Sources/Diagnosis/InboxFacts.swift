import Vocabulary

/// The folder that takes what others send.
package struct InboxFacts: Facts, Hashable {
    package let path: String
    /// Why nothing may be taken into it; nil where nothing speaks against it.
    package let refusal: String?

    package init(path: String, refusal: String?) {
        (self.path, self.refusal) = (path, refusal)
    }

    package var findings: [Finding] {
        guard let refusal else { return [] }
        return [
            .fault(
                .files,
                "no files are taken: “\(PrintableText(path, limit: 4096))” can't be the inbox",
                why: "\(refusal); files from others could run by themselves there. Messages and saves go on",
                mend: ["huddle config show", "huddled --into ~/Downloads/huddle"]
            )
        ]
    }
}
