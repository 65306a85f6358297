/// An open folder that several can hold.
public final class OpenFolder: Sendable {
    /// The folder.
    public let folder: Folder

    /// Takes it over.
    public init(_ folder: consuming Folder) {
        self.folder = folder
    }
}
