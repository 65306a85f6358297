import Vocabulary

/// The TXT record of a service: keys, each with or without a value (RFC 6763 section 6).
///
/// The entries keep their order. A value is bytes, not text: make it printable before you print it.
public struct TXTRecord: Hashable, Sendable {
    /// Value of a key.
    public enum Value: Hashable, Sendable {
        /// A key without `=`: its presence is the information.
        case none
        /// The bytes after `=`, possibly none.
        case bytes([UInt8])
    }

    /// One key with its value.
    public struct Entry: Hashable, Sendable {
        /// The key.
        public let key: TXTKey
        /// The value of the key.
        public let value: Value

        /// True if the entry has no meaning for the user.
        public var isForProgramsOnly: Bool { [RunToken.key, RunToken.portKey, LeavingMark.key].contains(key) }
    }

    /// Maximum size of a record in bytes, length bytes included. RFC 6763 recommends that it fits into one packet with
    /// the other records of the service.
    public static let maximumByteCount = 1300

    /// The entries in the order of their insertion.
    public private(set) var entries: [Entry] = []

    /// An empty record.
    public init() {}

    /// The value of a key; nil if the record has no such key.
    public subscript(key: TXTKey) -> Value? {
        entries.first { $0.key == key }?.value
    }

    /// The value of a key as text; nil if the key is missing, has no value, or its value is not UTF-8.
    public func text(_ key: TXTKey) -> String? {
        guard case .bytes(let bytes) = self[key] else { return nil }
        return String(validating: bytes, as: UTF8.self)
    }

    /// Sets a key. A key that exists keeps its position.
    public mutating func set(_ key: TXTKey, to value: Value) throws(InvalidTXT) {
        var changed = self
        if let place = entries.firstIndex(where: { $0.key == key }) {
            changed.entries[place] = Entry(key: key, value: value)
        } else {
            changed.entries.append(Entry(key: key, value: value))
        }
        guard changed.entries.allSatisfy({ $0.byteCount <= 255 }) else {
            throw InvalidTXT(
                ErrorCode(.invalid, "txt.entry-too-long"),
                "the TXT entry “\(key.text.prefix(20))” has more than 255 bytes with its key",
                nextStep: "shorten the value, or send it in a message once connected"
            )
        }
        guard changed.byteCount <= Self.maximumByteCount else {
            throw InvalidTXT(
                ErrorCode(.invalid, "txt.record-too-long"),
                "the TXT record would have \(changed.byteCount) bytes and \(Self.maximumByteCount) are allowed",
                nextStep: "advertise only what browsers need, and send the rest in a message once connected"
            )
        }
        self = changed
    }

    /// Sets a key to a text.
    public mutating func set(_ key: TXTKey, to text: String) throws(InvalidTXT) {
        try set(key, to: .bytes(Array(text.utf8)))
    }

    /// Removes a key.
    public mutating func remove(_ key: TXTKey) {
        entries.removeAll { $0.key == key }
    }

    mutating func append(_ entry: Entry) {
        entries.append(entry)
    }

    private var byteCount: Int { entries.reduce(0) { $0 + 1 + $1.byteCount } }
}

extension TXTRecord.Entry {
    fileprivate var byteCount: Int {
        switch value {
        case .none: key.text.utf8.count
        case .bytes(let bytes): key.text.utf8.count + 1 + bytes.count
        }
    }
}
