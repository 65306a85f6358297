import FoundationEssentials
import Glibc
import LinuxPlatform
import Yardstick

/// The folders of a run, which both hosts see.
enum Place {
    static let memory = "/dev/shm/huddle-session-benchmark"
    static let disk = "/var/tmp/huddle-session-benchmark"

    static func make() throws {
        try remove()
        for folder in [memory, disk] { try make(folder) }
    }

    static func make(_ folder: String) throws {
        try retrying("mkdir", on: folder) { mkdir(folder, 0o700) }
    }

    static func remove() throws {
        for folder in [memory, disk] { try remove(folder) }
    }

    static func remove(_ path: String) throws {
        guard access(path, F_OK) == 0 else { return }
        try FileManager.default.removeItem(atPath: path)
    }

    /// Makes a file of random bytes.
    static func writeFile(_ path: String, count: Int) throws {
        let file = try retrying("open", on: path) { open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600) }
        defer { close(file) }
        let room = Room(min(count, 1 << 20))
        var (written, random) = (0, UInt64(1))
        while written < count {
            for place in stride(from: 0, to: room.bytes.count - 7, by: 512) {
                random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                room.bytes.storeBytes(of: random, toByteOffset: place, as: UInt64.self)
            }
            written += try retrying("write") {
                write(file, room.bytes.baseAddress, min(room.bytes.count, count - written))
            }
        }
        try retrying("fsync") { fsync(file) }
    }

    static func writeFolder(_ path: String, files: Int, count: Int) throws {
        try make(path)
        for number in 0..<files { try writeQuickly("\(path)/save-\(number).dat", count, number) }
    }

    private static func writeQuickly(_ path: String, _ count: Int, _ number: Int) throws {
        let file = try retrying("open", on: path) { open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600) }
        defer { close(file) }
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ number &* 13 &+ 1) }
        _ = try retrying("write") { write(file, bytes, count) }
    }
}
