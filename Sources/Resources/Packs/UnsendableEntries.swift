/// Treatment of folder entries that can't be sent: pipes, sockets, devices, links that may lead out of the folder, and
/// names that are no valid ``Vocabulary/FileName``.
public enum UnsendableEntries: Sendable {
    /// The folder is refused with the path of the first one.
    case refused
    /// They are skipped.
    case leftOut
}
