import LinuxPlatform
package import Vocabulary

extension PrintableText {
    /// A path in a sentence, with `~/` for the home: an absolute path fills most of a line.
    package init(shortPath path: String) {
        self.init(Places(ProgramLaunch.ownEnvironment).short(path), limit: 4096)
    }
}
