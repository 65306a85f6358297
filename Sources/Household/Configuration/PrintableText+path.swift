import LinuxPlatform
package import Vocabulary

extension PrintableText {
    /// A path in a sentence of this user's daemon or command, with `~/` for the home: a whole path fills most of a line.
    package init(shortPath path: String) {
        self.init(Places(ProgramLaunch.ownEnvironment).short(path), limit: 4096)
    }
}
