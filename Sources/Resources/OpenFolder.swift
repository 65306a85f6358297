import LinuxPlatform

/// An open folder that several can hold.
final class OpenFolder {
    let folder: Folder

    init(_ folder: consuming Folder) {
        self.folder = folder
    }
}
