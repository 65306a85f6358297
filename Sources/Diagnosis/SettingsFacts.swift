import Vocabulary

/// The file that says what the daemon is to be like.
package struct SettingsFacts: Facts, Hashable {
    /// Nil where they are no file's.
    package let path: String?
    /// What is wrong with it; nil where it is right or not there.
    package let trouble: String?

    package init(path: String?, trouble: String?) {
        (self.path, self.trouble) = (path, trouble)
    }

    package var findings: [Finding] {
        guard let trouble else { return [] }
        return [
            .fault(
                .settings,
                "the daemon's settings are wrong: \(trouble)",
                why: "it does not start with them",
                mend: path == nil ? ["huddle config show"] : ["huddle config check", "huddle config template"]
            )
        ]
    }
}
