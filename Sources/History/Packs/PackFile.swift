import Digests
import LinuxPlatform
import Vocabulary

/// The pack and the byte offset of a record.
struct RecordPlace: Hashable {
    let pack: UInt32
    let offset: UInt32
}

/// One open pack. After its file is removed from the folder it can still be read through this object.
final class PackFile: Sendable {
    /// The greatest number of files in a history: packs for 64 TiB.
    static let fileLimit = 1_000_000

    let number: UInt32
    let descriptor: OwnedDescriptor

    init(_ number: UInt32, _ descriptor: consuming OwnedDescriptor) {
        self.number = number
        self.descriptor = descriptor
    }

    /// The name of a pack: `pack-` and ten digits.
    static func name(_ number: UInt32) -> FileName {
        let digits = String(number)
        let text = "pack-" + String(repeating: "0", count: 10 - digits.count) + digits
        guard let name = try? FileName(text) else { preconditionFailure("letters and digits make a name") }
        return name
    }

    /// The number of a pack by its name; nil for any other file.
    static func number(of name: FileName) -> UInt32? {
        guard name.text.hasPrefix("pack-"), let number = UInt32(name.text.dropFirst(5)), number > 0 else { return nil }
        return Self.name(number) == name ? number : nil
    }

    /// The numbers of all packs in a folder, ascending.
    static func numbers(in folder: borrowing Folder) throws(HistoryError) -> [UInt32] {
        let entries = try explaining { () throws(SystemError) in try folder.entries(limit: fileLimit) }
        return entries.compactMap { entry in
            guard entry.kind == .file, let name = entry.name else { return nil }
            return number(of: name)
        }.sorted()
    }

    /// Reads bytes at an offset; fewer at the end of the pack.
    func read(_ count: Int, at offset: UInt64) throws(SystemError) -> [UInt8] {
        // All threads share the storage of an empty array, which must not be written to.
        guard count > 0 else { return [] }
        var failure: SystemError?
        // because the kernel fills the bytes, and only as many count as it says it filled
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { room, filled in
            do throws(SystemError) {
                filled = try descriptor.read(into: UnsafeMutableRawBufferPointer(room), at: offset)
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        return bytes
    }
}
