/// The index of a device, up to the last received part.
package struct DeviceIndex: Hashable, Sendable {
    /// The most entries that one device may have in one folder.
    package static let limit = 250_000
    /// The most blocks of all entries together: 640 GiB in the smallest ones, and 240 MiB of memory here.
    package static let blockLimit = 5_000_000

    /// The number by which the device calls this index; 0 before it is known.
    package private(set) var id: UInt64
    package private(set) var entries: [String: FileEntry] = [:]
    /// The greatest received sequence.
    package private(set) var sequence: Int64 = 0
    private var blockCount = 0

    package init(id: UInt64) {
        self.id = id
    }

    /// Takes a part of the index.
    package mutating func take(_ message: IndexMessage) throws(ProtocolViolation) {
        if message.extent == .whole { self = DeviceIndex(id: id) }
        for entry in message.entries {
            blockCount += entry.blocks.count - (entries[entry.name]?.blocks.count ?? 0)
            entries[entry.name] = entry
            sequence = max(sequence, entry.sequence)
        }
        guard entries.count <= Self.limit, blockCount <= Self.blockLimit else {
            self = DeviceIndex(id: id)
            throw ProtocolViolation("shares more than Huddle syncs: \(Self.limit) files")
        }
    }

    /// Entries about files that can be synced. Of files that differ only in capital and small letters, one is synced;
    /// the others count as left out, never as deleted.
    package var synced: [String: FileEntry] {
        let spoken = entries.filter { $0.value.standing != .invalid && [.file, .folder].contains($0.value.kind) }
        let present = BridgedName.sorted(spoken.filter { $0.value.standing == .present }.keys).omitted
        return spoken.filter { present[$0.key] == nil && BridgedName.omission(of: $0.key) == nil }
    }
}
