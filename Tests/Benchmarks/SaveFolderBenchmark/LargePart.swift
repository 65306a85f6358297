import Digests
import Glibc
import LinuxPlatform
import SaveFolder
import SaveRules
import TestSupport
import Vocabulary

/// The costs of scanning a change of one MiB in a large file, and of applying the old version.
enum LargePart {
    static func run(mebibytes: Int, rounds: Int) throws {
        let own = try OwnSet()
        let path = "\(own.root)/large"
        let file = OwnedDescriptor(takingOwnershipOf: open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600))
        var dice = SeededGenerator(seed: 1)
        for number in 0..<mebibytes { try write(UInt64(number) << 20, to: file, &dice) }
        try file.sync()
        print("  1 MiB changed in a file of \(mebibytes) MiB, from the page cache")
        try file.close()
        let clock = ContinuousClock()
        let folder = try own.folder()
        var before = try own.capture(folder).manifest
        var (reading, capturing, applying) = (Duration.seconds(1_000), Duration.seconds(1_000), Duration.seconds(1_000))
        for _ in 0..<rounds {
            reading = min(reading, try clock.measure { try read(path) })
            do {
                let file = OwnedDescriptor(takingOwnershipOf: open(path, O_RDWR | O_CLOEXEC))
                try write(UInt64(Int.random(in: 0..<mebibytes, using: &dice)) << 20, to: file, &dice)
            }
            var after = before
            capturing = min(capturing, try clock.measure { after = try own.capture(folder).manifest })
            applying = min(
                applying,
                try clock.measure {
                    guard case .applied = try folder.apply(before, over: after, from: own.history) else {
                        preconditionFailure("no other program changes the folder")
                    }
                }
            )
            swap(&before, &after)
            guard case .applied = try folder.apply(before, over: after, from: own.history) else {
                preconditionFailure("no other program changes the folder")
            }
        }
        SaveFolderBenchmark.show("reading and digesting it once", reading, to: reading)
        SaveFolderBenchmark.show("capturing the change, flushed", capturing, to: reading)
        SaveFolderBenchmark.show("changing it back, flushed", applying, to: reading)
    }

    private static func write(
        _ place: UInt64,
        to file: borrowing OwnedDescriptor,
        _ dice: inout SeededGenerator
    ) throws {
        let words = (0..<(1 << 17)).map { _ in dice.next() }
        try words.withUnsafeBytes { try file.write($0, at: place) }
    }

    private static func read(_ path: String) throws {
        let file = try OwnedDescriptor.openFile(at: path)
        let scratch = Scratch(byteCount: 1 << 20)
        var stream = SHA256Stream()
        var place: UInt64 = 0
        while case let count = try file.read(into: scratch.room, at: place), count > 0 {
            stream.update(UnsafeRawBufferPointer(rebasing: scratch.room.prefix(count)))
            place += UInt64(count)
        }
        _ = stream.finish()
    }
}
