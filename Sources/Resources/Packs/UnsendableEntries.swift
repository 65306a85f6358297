/// What becomes of entries of a folder that can't be sent: pipes, sockets, devices, links that may lead out of the folder,
/// and names that are no ``Vocabulary/FileName``.
public enum UnsendableEntries: Sendable {
    /// The folder is refused, with the path of the first one.
    case refused
    /// They are left out.
    case leftOut
}
