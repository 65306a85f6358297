import LinuxPlatform

/// The body of a request as it comes, between the library that brings it and the one who takes it.
struct Upload {
    /// How much may wait to be taken before who sends has to.
    static let limit = 256 << 10

    private(set) var waiting: [UInt8] = []
    /// How much has come that nobody will take.
    var unwanted = 0
    /// Whether all of it has come.
    var isWhole = false
    /// Whoever waits for more.
    var taker: Resumption<Void>?

    var isFull: Bool { waiting.count >= Self.limit }

    mutating func add(_ bytes: UnsafeRawBufferPointer) {
        waiting.append(contentsOf: bytes)
        wakeTaker()
    }

    /// All that has come so far.
    mutating func takeAll() -> [UInt8] {
        defer { waiting = [] }
        return waiting
    }

    mutating func wakeTaker() {
        taker?.resume(with: .success(()))
        taker = nil
    }
}
