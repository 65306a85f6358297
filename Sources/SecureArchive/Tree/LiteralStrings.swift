/// Different texts in the order of insertion, each found by its position.
///
/// Two texts are equal if their bytes are. Swift's own comparison takes an “é” of one scalar and an “é” of two as
/// equal; the programs that write archives do not. The lookup hashes with a key of this process, so that a stranger
/// can't choose texts that collide.
package struct LiteralStrings: Sendable {
    /// With fewer texts, comparing one after the other is faster than hashing and needs no memory.
    private static let indexedFrom = 12

    package private(set) var texts: [String] = []
    /// Empty while there are few texts; else a table whose size is a power of two, at most three quarters full. An
    /// entry is a text's hash above its position plus one, or 0. It is at the first free place from the one that the
    /// hash gives.
    private var slots: [UInt64] = []

    package init(reserving capacity: Int = 0) {
        texts.reserveCapacity(capacity)
        if capacity >= Self.indexedFrom { slots = Self.emptySlots(for: capacity) }
    }

    var count: Int { texts.count }

    /// True if both have the same texts in the same order.
    func isSame(as other: LiteralStrings) -> Bool {
        count == other.count && zip(texts, other.texts).allSatisfy { $0.isLiterally($1) }
    }

    func position(of text: String) -> Int? {
        if slots.isEmpty { return texts.firstIndex { $0.isLiterally(text) } }
        return found(text, hash: Self.hash(of: text)).position
    }

    /// The position of a text, which is appended if it is new.
    package mutating func insert(_ text: String) -> (position: Int, isNew: Bool) {
        if slots.isEmpty {
            if let position = texts.firstIndex(where: { $0.isLiterally(text) }) { return (position, false) }
            texts.append(text)
            if texts.count == Self.indexedFrom { buildSlots() }
            return (texts.count - 1, true)
        }
        let hash = Self.hash(of: text)
        let (position, slot) = found(text, hash: hash)
        if let position { return (position, false) }
        texts.append(text)
        slots[slot] = Self.entry(hash: hash, position: texts.count - 1)
        if texts.count * 4 > slots.count * 3 { growSlots() }
        return (texts.count - 1, true)
    }

    mutating func remove(at position: Int) {
        texts.remove(at: position)
        if texts.count < Self.indexedFrom { slots = [] } else { buildSlots() }
    }

    /// The position of a text, or the free slot for it.
    private func found(_ text: String, hash: UInt32) -> (position: Int?, slot: Int) {
        let mask = slots.count - 1
        var slot = Int(hash) & mask
        while slots[slot] != 0 {
            let entry = slots[slot]
            let position = Int(entry & 0xFFFF_FFFF) - 1
            if entry >> 32 == hash, texts[position].isLiterally(text) { return (position, slot) }
            slot = (slot + 1) & mask
        }
        return (nil, slot)
    }

    private mutating func buildSlots() {
        slots = Self.emptySlots(for: texts.count)
        for (position, text) in texts.enumerated() {
            place(Self.entry(hash: Self.hash(of: text), position: position))
        }
    }

    /// Grows the table. The entries have the hashes, so no text is read.
    private mutating func growSlots() {
        let entries = slots
        slots = Self.emptySlots(for: texts.count)
        for entry in entries where entry != 0 { place(entry) }
    }

    private mutating func place(_ entry: UInt64) {
        let mask = slots.count - 1
        var slot = Int(entry >> 32) & mask
        while slots[slot] != 0 { slot = (slot + 1) & mask }
        slots[slot] = entry
    }

    /// A table for more than twice the texts, so that growing one by one stays linear.
    private static func emptySlots(for count: Int) -> [UInt64] {
        var size = 32
        while size < count * 2 { size *= 2 }
        return Array(repeating: 0, count: size)
    }

    private static func entry(hash: UInt32, position: Int) -> UInt64 {
        UInt64(hash) << 32 | UInt64(position + 1)
    }

    private static func hash(of text: String) -> UInt32 {
        var hasher = Hasher()
        let isDone: Void? = text.utf8.withContiguousStorageIfAvailable { bytes in
            hasher.combine(bytes: UnsafeRawBufferPointer(bytes))
        }
        if isDone == nil {
            for byte in text.utf8 { hasher.combine(byte) }
        }
        return UInt32(truncatingIfNeeded: hasher.finalize())
    }
}

extension String {
    /// True if both have the same bytes.
    package func isLiterally(_ other: String) -> Bool {
        guard utf8.count == other.utf8.count else { return false }
        // The bytes in memory; every text that Swift made itself has them in one piece.
        let isSame = utf8.withContiguousStorageIfAvailable { own in
            other.utf8.withContiguousStorageIfAvailable { own.elementsEqual($0) }
        }
        if case .some(.some(let isSame)) = isSame { return isSame }
        return utf8.elementsEqual(other.utf8)
    }
}
