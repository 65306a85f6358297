import Digests
import Glibc
import LinuxPlatform
import SaveRules
import Vocabulary

/// The index file, which makes it unnecessary to read all packs when a history is opened. If it is missing, damaged or
/// does not fit the packs, it is rebuilt from them, so it is not flushed. Only its facts about packs that are gone are
/// nowhere else: an index with such facts is flushed.
enum IndexFile {
    static let name = "index"
    static let newName = "index.new"
    static let form: UInt8 = 2
    /// The older form without collected and lost packs: such an index does not fit if there is a pack that it does not
    /// list.
    private static let olderForm: UInt8 = 1
    private static let letters = Array("HUDINDX".utf8)
    private static let headCount = 56
    private static let packCount = 12
    private static let snapshotCount = 69
    /// A lost snapshot, in place of its state. A program that does not know this value ignores the index and rebuilds
    /// it.
    private static let lost: UInt8 = 4
    /// A lost pack, in place of the number of bytes that the index covers.
    private static let lostPack: UInt64 = 0
    private static let abandonedPack: UInt64 = .max - 1
    private static let collectedPack: UInt64 = .max

    /// The facts in an index beside the pieces.
    struct Contents {
        /// The greatest pack number that the index knows of.
        var lastPack: UInt32 = 0
        /// The number of bytes of each pack that the index covers.
        var packs: [UInt32: UInt64] = [:]
        /// Packs whose files are to be removed if they are there.
        var collected: Set<UInt32> = []
        /// Packs that are missing, as long as a snapshot is lost or incomplete because of them.
        var lostPacks: Set<UInt32> = []
        /// The lost packs that a repair abandoned.
        var abandonedPacks: Set<UInt32> = []
        var catalog = SnapshotCatalog()
        /// Snapshots that were kept and that no pack has, with their former locations.
        var lost: [SnapshotID: SnapshotCatalog.Entry] = [:]
        /// True if a damaged part was found whose contents are unknown.
        var isDamaged = false

        /// True if the index holds facts that no pack holds.
        var isOnlyHere: Bool {
            !lost.isEmpty || !lostPacks.isEmpty || !collected.isEmpty || (lastPack > 0 && packs[lastPack] == nil)
        }
    }

    static func fileName(_ text: String) -> FileName {
        guard let name = try? FileName(text) else { preconditionFailure("“\(text)” is a name") }
        return name
    }

    // MARK: Writing

    /// Writes an index and replaces the one that is there. Flushes the bytes if they hold facts that no pack holds; the
    /// caller flushes the folder.
    ///
    /// - Parameter entries: called once, to pass all pieces by ascending id
    static func write(
        _ contents: Contents,
        in folder: borrowing Folder,
        by calls: StoreCalls,
        sealedBy seal: PackSeal,
        _ entries: ((IndexEntry) throws(HistoryError) -> Void) throws(HistoryError) -> Void
    ) throws(HistoryError) -> IndexBase {
        let new = fileName(newName)
        // An earlier attempt may have left this file behind.
        try? calls.remove(folder, new)
        var output = IndexOutput(try explaining { () throws(SystemError) in try calls.create(folder, new) }, calls)
        do {
            try output.append(head(contents, seal))
            let start = output.count
            var (count, samples) = (0, [UInt64]())
            try entries { entry throws(HistoryError) in
                if count.isMultiple(of: IndexBase.blockEntries) { samples.append(entry.id.words.0) }
                count += 1
                try output.append(entry)
            }
            try output.finish()
            if contents.isOnlyHere { try output.sync() }
            try explaining { () throws(SystemError) in try calls.rename(folder, new, fileName(name)) }
            return IndexBase(output.release(), entriesAt: start, count: count, samples: samples)
        } catch {
            try? calls.remove(folder, new)
            throw error
        }
    }

    private static func head(_ contents: Contents, _ seal: PackSeal) -> [UInt8] {
        var bytes = letters + [form]
        bytes.append(seal.salt)
        bytes += [contents.isDamaged ? 1 : 0, 0, 0, 0]
        let packs =
            contents.packs.map { ($0.key, $0.value) } + contents.collected.map { ($0, collectedPack) }
            + contents.lostPacks.map { ($0, contents.abandonedPacks.contains($0) ? abandonedPack : lostPack) }
        bytes.append(bigEndian: UInt32(packs.count))
        bytes.append(bigEndian: UInt32(contents.catalog.entries.count + contents.lost.count))
        bytes.append(bigEndian: contents.lastPack)
        for (number, length) in packs {
            bytes.append(bigEndian: number)
            bytes.append(bigEndian: length)
        }
        for (id, entry) in contents.catalog.entries { append(id, entry, entry.state.rawValue, to: &bytes) }
        for (id, entry) in contents.lost { append(id, entry, lost, to: &bytes) }
        return bytes
    }

    private static func append(
        _ id: SnapshotID,
        _ entry: SnapshotCatalog.Entry,
        _ state: UInt8,
        to bytes: inout [UInt8]
    ) {
        bytes.append(id.digest)
        bytes += entry.set?.bytes ?? Array(repeating: 0, count: 16)
        bytes += [state | (entry.set == nil ? 0x80 : 0)]
        bytes.append(bigEndian: entry.location.place.pack)
        bytes.append(bigEndian: entry.location.place.offset)
        bytes.append(bigEndian: entry.location.storedCount)
        bytes.append(bigEndian: entry.location.plainCount)
        bytes.append(bigEndian: UInt32(entry.packs.count))
        for pack in entry.packs { bytes.append(bigEndian: pack) }
    }

    // MARK: Reading

    /// Reads the seal of the history that an index was made for; nil if there is no whole index.
    static func seal(in folder: borrowing Folder) throws(SystemError) -> PackSeal? {
        guard try folder.holds(fileName(name)) else { return nil }
        let head = try PackFile(0, try folder.open(fileName(name))).read(headCount, at: 0)
        guard head.count == headCount else { return nil }
        let seal = PackSeal(salt: head.withUnsafeBytes { $0.digest(at: 8) })
        return try read(in: folder, sealedBy: seal) == nil ? nil : seal
    }

    /// Reads the index; nil if there is none that is whole and belongs to this history.
    static func read(
        in folder: borrowing Folder,
        sealedBy seal: PackSeal
    ) throws(SystemError) -> (contents: Contents, base: IndexBase)? {
        let file: OwnedDescriptor
        do throws(SystemError) {
            file = try folder.open(fileName(name))
        } catch let error where error.number == ENOENT {
            return nil
        }
        let size = UInt64(try file.facts().size)
        guard size >= UInt64(headCount + Digest.byteCount) else { return nil }
        var input = IndexInput(file, upTo: size - UInt64(Digest.byteCount))
        guard let contents = try contents(&input, seal) else { return nil }
        let start = input.offset
        guard input.left.isMultiple(of: UInt64(IndexEntry.byteCount)) else { return nil }
        let count = Int(input.left) / IndexEntry.byteCount
        var samples: [UInt64] = []
        samples.reserveCapacity(count / IndexBase.blockEntries + 1)
        while input.left > 0 {
            let part = Int(min(input.left, UInt64(64 * IndexBase.blockEntries * IndexEntry.byteCount)))
            guard let bytes = try input.read(part) else { return nil }
            for first in stride(from: 0, to: part, by: IndexBase.blockEntries * IndexEntry.byteCount) {
                samples.append(bytes.withUnsafeBytes { $0.number(at: first, as: UInt64.self) })
            }
        }
        guard try input.endsWithDigest() else { return nil }
        return (contents, IndexBase(input.release(), entriesAt: start, count: count, samples: samples))
    }

    private static func contents(_ input: inout IndexInput, _ seal: PackSeal) throws(SystemError) -> Contents? {
        guard let head = try input.read(headCount) else { return nil }
        let counts = head.withUnsafeBytes { bytes -> (packs: UInt32, snapshots: UInt32)? in
            guard bytes.prefix(7).elementsEqual(letters), [form, olderForm].contains(bytes[7]),
                bytes.digest(at: 8) == seal.salt
            else { return nil }
            return (bytes.number(at: 44, as: UInt32.self), bytes.number(at: 48, as: UInt32.self))
        }
        guard let counts else { return nil }
        var contents = Contents()
        contents.isDamaged = head[40] == 1
        contents.lastPack = head.withUnsafeBytes { $0.number(at: 52, as: UInt32.self) }
        for _ in 0..<counts.packs {
            guard let bytes = try input.read(packCount) else { return nil }
            let (number, length) = bytes.withUnsafeBytes {
                ($0.number(at: 0, as: UInt32.self), $0.number(at: 4, as: UInt64.self))
            }
            switch length {
            case lostPack: contents.lostPacks.insert(number)
            case abandonedPack:
                contents.lostPacks.insert(number)
                contents.abandonedPacks.insert(number)
            case collectedPack: contents.collected.insert(number)
            default: contents.packs[number] = length
            }
        }
        for _ in 0..<counts.snapshots {
            guard let bytes = try input.read(snapshotCount) else { return nil }
            let listed = bytes.withUnsafeBytes { $0.number(at: 65, as: UInt32.self) }
            guard let packs = try input.read(4 * Int(listed)) else { return nil }
            let state = bytes[48] & 0x7F
            // A lost snapshot was kept before it was lost.
            guard
                let known = SnapshotCatalog.State(rawValue: state == lost ? SnapshotCatalog.State.kept.rawValue : state)
            else { return nil }
            let (id, entry) = entry(bytes, packs, known)
            if state == lost { contents.lost[id] = entry } else { contents.catalog.restore(id, to: entry) }
        }
        return contents
    }

    private static func entry(
        _ bytes: [UInt8],
        _ packs: [UInt8],
        _ state: SnapshotCatalog.State
    ) -> (id: SnapshotID, entry: SnapshotCatalog.Entry) {
        bytes.withUnsafeBytes { bytes in
            let location = PieceLocation(
                place: RecordPlace(
                    pack: bytes.number(at: 49, as: UInt32.self),
                    offset: bytes.number(at: 53, as: UInt32.self)
                ),
                storedCount: bytes.number(at: 57, as: UInt32.self),
                plainCount: bytes.number(at: 61, as: UInt32.self)
            )
            let entry = SnapshotCatalog.Entry(
                set: bytes[48] & 0x80 == 0 ? SaveSetID(bytes: bytes[32..<48]) : nil,
                state: state,
                location: location,
                packs: packs.withUnsafeBytes { packs in
                    stride(from: 0, to: packs.count, by: 4).map { packs.number(at: $0, as: UInt32.self) }
                }
            )
            return (SnapshotID(bytes.digest(at: 0)), entry)
        }
    }
}
