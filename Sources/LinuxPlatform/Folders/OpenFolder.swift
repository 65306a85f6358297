/// An open folder that several owners can hold.
public final class OpenFolder: Sendable {
    /// The folder.
    public let folder: Folder

    /// Takes ownership of the folder.
    public init(_ folder: consuming Folder) {
        self.folder = folder
    }
}
