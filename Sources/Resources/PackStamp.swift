package import Vocabulary

/// The mode and the time that a file or folder gets back.
package struct PackStamp: Hashable, Sendable {
    package let mode: FileMode
    package let modified: FileTime

    package init(mode: FileMode, modified: FileTime) {
        self.mode = mode
        self.modified = modified
    }
}
