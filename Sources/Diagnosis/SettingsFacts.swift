import Vocabulary

/// The file of settings of the daemon.
package struct SettingsFacts: Facts, Hashable {
    /// Nil if there is no file.
    package let path: String?
    /// The error in it; nil if it is valid or missing.
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
                why: "the daemon does not start with them",
                fix: path == nil ? ["huddle config show"] : ["huddle config check", "huddle config template"]
            )
        ]
    }
}
