import LinuxPlatform

/// The packs of a history: their lengths, and the files that are open.
struct PackTable {
    /// The number of readable bytes of each pack.
    var lengths: [UInt32: UInt64] = [:]
    /// The number of bytes of each pack that survive a power cut: all except perhaps the last note.
    var flushed: [UInt32: UInt64] = [:]
    /// Packs without any used record whose files may still be there after a crash.
    var collected: Set<UInt32> = []
    /// The greatest number of a pack that was ever loaded or begun.
    var last: UInt32 = 0
    /// The open packs, the most recently used last.
    private var open: [PackFile] = []

    private static let openLimit = 32

    mutating func file(_ number: UInt32, in folder: borrowing Folder) throws(SystemError) -> PackFile {
        if let place = open.lastIndex(where: { $0.number == number }) {
            let file = open[place]
            if place < open.count - 1 { open.append(open.remove(at: place)) }
            return file
        }
        let file = PackFile(number, try folder.open(PackFile.name(number)))
        keepOpen(file)
        return file
    }

    mutating func keepOpen(_ file: PackFile) {
        if open.count >= Self.openLimit { open.removeFirst() }
        open.append(file)
    }

    mutating func forget(_ gone: Set<UInt32>) {
        for number in gone { (lengths[number], flushed[number]) = (nil, nil) }
        open.removeAll { gone.contains($0.number) }
        collected.formUnion(gone)
    }
}
