import Vocabulary

/// The rest of the ``ArchiveLimits`` while an archive is read. Every reader asks it before it makes something.
struct ReadingBudget {
    /// The memory of text and data beside their bytes, and of collections beside their elements: headers and rounding.
    private static let allocation = 48
    /// The memory of a box beside its contents.
    private static let box = 32

    let limits: ArchiveLimits
    /// The count of values so far, shared ones counted at each place.
    private(set) var values = 0
    /// The size of all values if each place had its own.
    private(set) var expandedBytes = 0
    private let memoryAllowed: Int
    private var memoryLeft: Int

    /// Refuses an archive that is itself too large.
    init(_ limits: ArchiveLimits, archiveBytes: Int) throws(ArchiveError) {
        guard archiveBytes <= limits.bytes else {
            throw ArchiveError(.tooLarge, "the archive has \(archiveBytes) bytes, \(limits.bytes) are allowed")
        }
        self.limits = limits
        memoryAllowed = max(0, Self.sum(archiveBytes, limits.memoryBeyondArchive))
        memoryLeft = memoryAllowed
    }

    /// Counts values, each alone or with everything it contains.
    mutating func take(values count: Int = 1, bytes: Int = 0) throws(ArchiveError) {
        values = Self.sum(values, count)
        expandedBytes = Self.sum(expandedBytes, Self.sum(bytes, Self.product(count, 8)))
        if values > limits.values { throw tooManyValues }
        if expandedBytes > limits.expandedBytes {
            throw ArchiveError(
                .tooLarge,
                "it would be larger than \(limits.expandedBytes) bytes if it were written out"
            )
        }
    }

    /// Refuses more elements than the limits leave, before memory is allocated for them.
    func check(comingValues count: Int) throws(ArchiveError) {
        if count > limits.values - values { throw tooManyValues }
    }

    private var tooManyValues: ArchiveError {
        ArchiveError(.tooLarge, "there are more than \(limits.values) values")
    }

    /// Memory for text of a size.
    mutating func hold(text count: Int) throws(ArchiveError) {
        // Up to fifteen bytes fit into the value itself.
        if count > 15 { try hold(data: count) }
    }

    /// Memory for data of a size.
    mutating func hold(data count: Int) throws(ArchiveError) {
        if count > 0 { try hold(memory: Self.sum(count, Self.allocation)) }
    }

    /// Memory for a list of keys, without their texts.
    mutating func hold(keys count: Int) throws(ArchiveError) {
        // A text, and in longer lists the slots for finding it.
        try hold(memory: Self.sum(2 * Self.allocation, Self.product(count, count < 12 ? 16 : 48)))
    }

    /// Memory for a collection of a size.
    mutating func hold(elements count: Int) throws(ArchiveError) {
        if count > 0 {
            try hold(memory: Self.sum(Self.product(count, MemoryLayout<ArchiveValue>.stride), Self.allocation))
        }
    }

    /// Memory for the name of a class and its value, in a box of their own.
    mutating func holdTag() throws(ArchiveError) {
        try hold(memory: MemoryLayout<ClassName>.stride + MemoryLayout<ArchiveValue>.stride + Self.box)
    }

    mutating func hold(memory count: Int) throws(ArchiveError) {
        try check(comingMemory: count)
        memoryLeft -= count
    }

    /// Refuses an allocation larger than the memory left: for memory that is needed only briefly, or that is counted
    /// later.
    func check(comingMemory count: Int) throws(ArchiveError) {
        guard count <= memoryLeft else {
            let allowed = ByteCount(UInt64(memoryAllowed)).rounded
            throw ArchiveError(.tooLarge, "reading it would take more than \(allowed) of memory beside its own bytes")
        }
    }

    /// Frees memory that was counted.
    mutating func giveBack(memory count: Int) {
        memoryLeft += count
    }

    /// Refuses a text that is too long.
    func check(textBytes count: Int) throws(ArchiveError) {
        try limits.check(textBytes: count)
    }

    /// Refuses a value that is nested too deeply.
    func check(depth: Int) throws(ArchiveError) {
        if depth > limits.depthInForce {
            throw ArchiveError(.tooLarge, "it is nested more than \(limits.depthInForce) deep")
        }
    }

    private static func sum(_ left: Int, _ right: Int) -> Int {
        let (sum, overflows) = left.addingReportingOverflow(right)
        return overflows ? .max : sum
    }

    private static func product(_ left: Int, _ right: Int) -> Int {
        let (product, overflows) = left.multipliedReportingOverflow(by: right)
        return overflows ? .max : product
    }
}

extension ArchiveLimits {
    /// Refuses a text that is too long.
    func check(textBytes count: Int) throws(ArchiveError) {
        if count > stringBytes {
            throw ArchiveError(.tooLarge, "a text has \(count) bytes, \(stringBytes) are allowed")
        }
    }
}
