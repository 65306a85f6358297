/// The purpose for which a history is opened.
public enum HistoryAccess: Sendable {
    /// Reading and writing. No other program can write meanwhile.
    case writing
    /// Reading only. Another program may write meanwhile.
    case reading
}
