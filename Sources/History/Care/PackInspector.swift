import Digests
import LinuxPlatform
import SaveRules
import Synchronization

/// Inspection of single packs.
struct PackInspector {
    private let store: HistoryStore

    init(_ store: HistoryStore) { self.store = store }

    /// Reads and checks every byte of a pack up to a length.
    func inspect(_ file: PackFile, to length: UInt64) throws(HistoryError) -> PackInspection {
        var found = PackInspection()
        let headCount = UInt64(PackSeal.fileByteCount)
        let head = try explaining { () throws(SystemError) in try file.read(PackSeal.fileByteCount, at: 0) }
        if head != store.seal.head(ofPack: file.number) {
            found.damages.append(HistoryCheck.Damage(pack: file.number, range: 0..<headCount, lost: .head))
        }
        var scan = PackScan(file, from: headCount, to: length, sealedBy: store.seal)
        while true {
            switch try explaining({ () throws(SystemError) in try scan.next() }) {
            case .end: return found
            case .gap(let range):
                found.damages.append(
                    HistoryCheck.Damage(pack: file.number, range: range, lost: lost(in: range, of: file.number))
                )
            case .record(let header, let offset): try inspect(header, offset, in: file, &found)
            }
        }
    }

    private func inspect(
        _ header: RecordHeader,
        _ offset: UInt64,
        in file: PackFile,
        _ found: inout PackInspection
    ) throws(HistoryError) {
        guard header.kind != .void else { return }
        let record = try store.record(header, offset, in: file)
        let location = PieceLocation(header, RecordPlace(pack: file.number, offset: UInt32(offset)))
        // For a record that is stored raw the id is the check of its body: `plain(by:)` compares it below.
        let isSound = header.form == .raw && header.kind != .drop && header.kind != .flushed || record.isSound
        switch header.kind {
        case .piece where isSound && store.decompressors.lend({ record.plain(by: $0) }) != nil:
            found.pieces.append((PieceID(header.id), location))
        case .snapshot where isSound && isReadable(record), .expected where isSound && isReadable(record):
            found.snapshots.append((SnapshotID(header.id), location))
        case .drop where isSound, .flushed where isSound, .void: break
        case .piece: found.damages.append(damage(location, .piece(PieceID(header.id))))
        case .snapshot, .expected: found.damages.append(damage(location, .snapshot(SnapshotID(header.id))))
        case .drop, .flushed: found.damages.append(damage(location, .note))
        }
    }

    private func isReadable(_ record: Record) -> Bool {
        guard let plain = store.decompressors.lend({ record.plain(by: $0) }) else { return false }
        return (try? Snapshot(kept: plain, expecting: SnapshotID(record.header.id), hashedBy: Digest.sha256)) != nil
    }

    private func damage(_ location: PieceLocation, _ lost: HistoryCheck.Lost) -> HistoryCheck.Damage {
        let start = UInt64(location.place.offset)
        return HistoryCheck.Damage(pack: location.place.pack, range: start..<(start + location.recordCount), lost: lost)
    }

    /// Looks up in the index the record that begins at a range whose header can't be read.
    private func lost(in range: Range<UInt64>, of pack: UInt32) -> HistoryCheck.Lost? {
        func isThere(_ place: RecordPlace) -> Bool { place.pack == pack && UInt64(place.offset) == range.lowerBound }
        let (base, recent, catalog) = store.shared.withLock { ($0.base, $0.recent, $0.catalog) }
        if let id = catalog.entries.first(where: { isThere($0.value.location.place) })?.key { return .snapshot(id) }
        if let id = recent.first(where: { isThere($0.value.place) })?.key { return .piece(id) }
        var cursor = base?.cursor()
        while let entry = try? cursor?.next() {
            if isThere(entry.location.place) { return .piece(entry.id) }
        }
        return nil
    }
}
