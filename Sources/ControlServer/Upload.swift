import LinuxPlatform

/// A streamed body between the library and its reader.
struct Upload {
    /// The number of unread bytes at which the sender must wait.
    static let limit = 256 << 10

    private(set) var waiting: [UInt8] = []
    /// The number of bytes that arrived after the handler had responded.
    var unwanted = 0
    /// True after the last byte.
    var isWhole = false
    /// A reader that waits for bytes.
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
