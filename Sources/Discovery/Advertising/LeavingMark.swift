/// The mark in the TXT record of a service that is about to end.
///
/// A goodbye of mDNS takes effect after a second (RFC 6762 section 10.1), a changed TXT record at once. So a service
/// that ends in order sets this mark first.
enum LeavingMark {
    static let key = TXTKey(known: "bye")

    /// Time for the changed record to reach the network: Avahi delays a reply by up to 250 ms to avoid collisions, and
    /// by up to 120 ms to put several replies into one packet.
    static let patience: Duration = .milliseconds(400)

    static func stands(in txt: TXTRecord) -> Bool { txt[key] != nil }

    /// The record with the mark; nil if it has no room.
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
