import Vocabulary

/// The folder for received files.
package struct InboxFacts: Facts, Hashable {
    package let path: String
    /// Reason why it can't be used; nil if it can.
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
                why: "\(refusal); files from others could run by themselves there. Messages and saves still work",
                fix: ["huddle config show", "huddled --into ~/Downloads/huddle"]
            )
        ]
    }
}
