import Vocabulary

/// The disk below one of the folders that huddle writes to.
package struct DiskFacts: Facts, Hashable {
    /// With less, the next save or message may not fit.
    package static let full: UInt64 = 8 << 20
    package static let low: UInt64 = 128 << 20

    /// What it is for, as in “what is remembered”.
    package let use: String
    package let path: String
    package let freeBytes: UInt64
    /// How many files and folders; nil where that has no limit.
    package let freeEntries: UInt64?
    package let isReadOnly: Bool
    /// Whether this user may write there.
    package let isWritable: Bool
    /// Tells file systems apart.
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
                    "the disk with \(use) can only be read: \(shown)",
                    why:
                        "nothing that comes can be kept; a disk with errors is made so by the kernel, and `dmesg` tells",
                    mend: [
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
                    why: "nothing that comes can be kept there; choose another folder, or have this one given to you",
                    mend: ["ls -ld \(word)", "huddle config show"]
                )
            ]
        }
        return room(for: [self])
    }

    /// What follows for several, where one word is enough about the room on each disk, whatever lies on it.
    package static func findings(of all: [DiskFacts]) -> [Finding] {
        var disks: [UInt64: [DiskFacts]] = [:]
        for facts in all where facts.isAboutRoom { disks[facts.device, default: []].append(facts) }
        return all.flatMap { facts in
            guard facts.isAboutRoom else { return facts.findings }
            // Said where the disk comes first.
            guard let disk = disks.removeValue(forKey: facts.device), let first = disk.first else { return [] }
            return first.room(for: first.isRoomy ? [first] : disk)
        }
    }

    private var isAboutRoom: Bool { !isReadOnly && isWritable }
    private var isRoomy: Bool { freeBytes >= Self.low && freeEntries != 0 }

    /// - Parameter all: what lies on the disk, this first
    private func room(for all: [DiskFacts]) -> [Finding] {
        let uses = all.map(\.use).joined(separator: ", ")
        let places = all.reduce(into: []) { if !$0.contains($1.shown) { $0.append($1.shown) } }.joined(separator: ", ")
        if freeBytes < Self.full || freeEntries == 0 { return [isFull(uses, places)] }
        guard freeBytes >= Self.low else {
            return [
                .warning(
                    .disk,
                    "only \(ByteCount(freeBytes).rounded) are free for \(uses): \(places)",
                    why: "files that come and older versions of saves may not fit",
                    mend: ["huddle history --clean", "df -h \(word)"]
                )
            ]
        }
        return [.well(.disk, "\(ByteCount(freeBytes).rounded) are free for \(uses)")]
    }

    private func isFull(_ uses: String, _ places: String) -> Finding {
        let room = "first make room by removing or moving other files there: cleaning the history takes some itself"
        return .fault(
            .disk,
            "the disk with \(uses) is full: \(places)",
            why: freeEntries == 0
                ? "it can hold no further files, however small (`df -i`); \(room)"
                : "\(ByteCount(freeBytes).rounded) are free; what comes can't be kept; \(room)",
            mend: ["df -h \(word)", "huddle history --clean"]
        )
    }
}
