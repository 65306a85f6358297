import LinuxPlatform
import SaveFolder
import SaveRules
import Vocabulary

/// The scan after a restart of a folder with many small unchanged files.
enum RestartPart {
    static func run(files: Int) throws {
        let own = try OwnSet()
        try own.makeFiles(files)
        print("  a restart with \(files) small files")
        let clock = ContinuousClock()
        let looking = try clock.measure { try look(at: Folder(at: own.root)) }
        let first = try clock.measure {
            let folder = try own.folder()
            _ = try own.capture(folder)
            try folder.saveCache()
        }
        var again = Duration.seconds(1_000)
        for _ in 0..<3 {
            var read = ByteCount(0)
            again = min(again, try clock.measure { read = try own.capture(own.folder()).bytesRead })
            precondition(read == ByteCount(0), "all is known")
        }
        SaveFolderBenchmark.show("asking the kernel about each", looking, to: looking)
        SaveFolderBenchmark.show("the first capture", first, to: looking)
        SaveFolderBenchmark.show("a capture after a restart, nothing changed", again, to: looking)
    }

    private static func look(at folder: borrowing Folder) throws {
        for entry in try folder.entries(limit: 1 << 20) {
            guard let name = entry.name else { continue }
            _ = try folder.stamp(of: name)
            if entry.kind == .folder { try look(at: folder.openFolder(name)) }
        }
    }
}
