import FoundationEssentials
import Glibc
import LinuxPlatform
import Yardstick

/// The folders of a run, which both hosts see. They are on a disk, since flushing is measured, too.
enum Place {
    static let disk =
        "\(CommandLine.arguments.dropFirst().first { $0.hasPrefix("/") } ?? "/var/tmp")/huddle-saves-benchmark"

    static func make() throws {
        try remove()
        try make(disk)
    }

    static func make(_ folder: String) throws { try retrying("mkdir", on: folder) { mkdir(folder, 0o700) } }

    static func remove(_ path: String = disk) throws {
        guard access(path, F_OK) == 0 else { return }
        try FileManager.default.removeItem(atPath: path)
    }

    /// The bytes of a file from an offset on; nil if there is no file.
    static func bytes(_ path: String, at offset: Int = 0, count: Int = 8) -> [UInt8]? {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: count)
        let done = pread(file, &bytes, count, off_t(offset))
        return done == count ? bytes : nil
    }

    /// Overwrites a part of a file, or makes the file again, with random bytes.
    static func write(_ path: String, seed: UInt64, at offset: Int = 0, count: Int, truncating: Bool) throws {
        let flags = O_WRONLY | O_CREAT | O_CLOEXEC | (truncating ? O_TRUNC : 0)
        let file = try retrying("open", on: path) { open(path, flags, 0o600) }
        defer { close(file) }
        let room = Room(min(count, 1 << 20))
        var (written, random) = (0, seed &* 0x9E37_79B9_7F4A_7C15 | 1)
        while written < count {
            for place in stride(from: 0, to: room.bytes.count - 7, by: 8) {
                random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                room.bytes.storeBytes(of: random ^ random >> 29, toByteOffset: place, as: UInt64.self)
            }
            written += try retrying("pwrite") {
                pwrite(file, room.bytes.baseAddress, min(room.bytes.count, count - written), off_t(offset + written))
            }
        }
    }

    /// Small files in folders of a hundred each.
    static func fill(_ folder: String, files: Int, count: Int, seed: UInt64) throws {
        for number in 0..<files {
            let around = "\(folder)/\(number / 100)"
            if number % 100 == 0 { try make(around) }
            try write("\(around)/\(number).dat", seed: seed &+ UInt64(number), count: count, truncating: true)
        }
    }

    /// The space of a folder on the disk in bytes.
    static func diskUse(_ folder: String) throws -> Int {
        var total = 0
        for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
            var facts = stat()
            guard lstat("\(folder)/\(name)", &facts) == 0 else { continue }
            total += Int(facts.st_blocks) * 512
        }
        return total
    }
}
