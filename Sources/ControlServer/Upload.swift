import LinuxPlatform

/// A streamed body between the library and its reader.
struct Upload {
    /// Maximum number of unread bytes before the sender must wait.
    static let limit = 256 << 10

    private(set) var waiting: [UInt8] = []
    /// Number of bytes that have no reader.
    var unwanted = 0
    /// True after the last byte.
    var isWhole = false
    /// A waiting reader.
    var taker: Resumption<Void>?

    var isFull: Bool { waiting.count >= Self.limit }

    mutating func add(_ bytes: UnsafeRawBufferPointer) {
        waiting.append(contentsOf: bytes)
        wakeTaker()
    }

    /// All unread bytes.
    mutating func takeAll() -> [UInt8] {
        defer { waiting = [] }
        return waiting
    }

    mutating func wakeTaker() {
        taker?.resume(with: .success(()))
        taker = nil
    }
}
