import Vocabulary

/// The disk of a folder that huddle writes to.
package struct DiskFacts: Facts, Hashable {
    /// Free space below which the next save or message may not fit.
    package static let full: UInt64 = 8 << 20
    package static let low: UInt64 = 128 << 20

    /// Its purpose, as in “the state”.
    package let use: String
    package let path: String
    package let freeBytes: UInt64
    /// Number of free file entries; nil if it has no limit.
    package let freeEntries: UInt64?
    package let isReadOnly: Bool
    /// True if this user may write there.
    package let isWritable: Bool
    /// Distinguishes file systems.
    package let device: UInt64

    package init(
        use: String,
        path: String,
        freeBytes: UInt64,
        freeEntries: UInt64? = nil,
        isReadOnly: Bool = false,
        isWritable: Bool = true,
        device: UInt64 = 0
    ) {
        (self.use, self.path, self.freeBytes, self.freeEntries) = (use, path, freeBytes, freeEntries)
        (self.isReadOnly, self.isWritable, self.device) = (isReadOnly, isWritable, device)
    }

    private var shown: String { "\(PrintableText(path, limit: 4096))" }
    private var word: ShellWord { ShellWord(path) }

    package var findings: [Finding] {
        if isReadOnly {
            return [
                .fault(
                    .disk,
                    "the disk with \(use) is read-only: \(shown)",
                    why:
                        "received data can't be stored; the kernel makes a disk with errors read-only, "
                        + "and `dmesg` shows them",
                    fix: [
                        "findmnt --target \(word)",
                        "sudo mount -o remount,rw \"$(findmnt -no TARGET --target \(word))\"",
                    ]
                )
            ]
        }
        if !isWritable {
            return [
                .fault(
                    .disk,
                    "this user can't write to \(use): \(shown)",
                    why: "received data can't be stored there; choose another folder, or change its owner",
                    fix: ["ls -ld \(word)", "huddle config show"]
                )
            ]
        }
        return room(for: [self])
    }

    /// Findings about several folders; the free space is reported once for each disk, with all folders on it.
    package static func findings(of all: [DiskFacts]) -> [Finding] {
        var disks: [UInt64: [DiskFacts]] = [:]
        for facts in all where facts.isAboutRoom { disks[facts.device, default: []].append(facts) }
        return all.flatMap { facts in
            guard facts.isAboutRoom else { return facts.findings }
            // Reported at the first folder of the disk.
            guard let disk = disks.removeValue(forKey: facts.device), let first = disk.first else { return [] }
            return first.room(for: first.isRoomy ? [first] : disk)
        }
    }

    private var isAboutRoom: Bool { !isReadOnly && isWritable }
    private var isRoomy: Bool { freeBytes >= Self.low && freeEntries != 0 }

    /// - Parameter all: folders on the disk, this one first
    private func room(for all: [DiskFacts]) -> [Finding] {
        let uses = all.map(\.use).joined(separator: ", ")
        let places = all.reduce(into: []) { if !$0.contains($1.shown) { $0.append($1.shown) } }.joined(separator: ", ")
        if freeBytes < Self.full || freeEntries == 0 { return [isFull(uses, places)] }
        guard freeBytes >= Self.low else {
            return [
                .warning(
                    .disk,
                    "only \(ByteCount(freeBytes).rounded) are free for \(uses): \(places)",
                    why: "received files and older versions of saves may not fit",
                    fix: ["huddle history --clean", "df -h \(word)"]
                ).repaired(by: .cleanHistory)
            ]
        }
        return [.well(.disk, "\(ByteCount(freeBytes).rounded) are free for \(uses)")]
    }

    private func isFull(_ uses: String, _ places: String) -> Finding {
        let room = "first remove or move other files there: cleaning the history needs some space itself"
        return .fault(
            .disk,
            "the disk with \(uses) is full: \(places)",
            why: freeEntries == 0
                ? "it can't have more files, however small (`df -i`); \(room)"
                : "\(ByteCount(freeBytes).rounded) are free; received data can't be stored; \(room)",
            fix: ["df -h \(word)", "huddle history --clean"]
        )
    }
}
