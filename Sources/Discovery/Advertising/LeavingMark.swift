/// The word in the TXT record of a service that is about to go.
///
/// A goodbye of mDNS takes effect a second later (RFC 6762 section 10.1), a changed TXT record at once. So a service
/// that ends in order says so there first.
enum LeavingMark {
    static let key = TXTKey(known: "bye")

    /// How long the changed record takes to reach the network: Avahi waits for up to 250 ms so that not everybody speaks at
    /// once, and up to 120 ms to put several answers into one packet.
    static let patience: Duration = .milliseconds(400)

    static func stands(in txt: TXTRecord) -> Bool { txt[key] != nil }

    /// The record with the mark; nil where it has no room for it.
    static func added(to txt: TXTRecord) -> TXTRecord? {
        var marked = txt
        do {
            try marked.set(key, to: .none)
            return marked
        } catch {
            return nil
        }
    }
}
