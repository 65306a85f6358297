import Glibc
import Vocabulary

extension AtomicFile {
    /// Removes the temporary files of writers that were killed, and keeps those of writers at work.
    ///
    /// - Parameters:
    ///   - folder: the folder to clean
    ///   - limit: the largest number of entries that the folder may have
    /// - Returns: the number of removed files
    @discardableResult
    public static func removeLeftovers(in folder: borrowing Folder, limit: Int) throws(SystemError) -> Int {
        var removed = 0
        for entry in try folder.entries(limit: limit) where entry.kind == .file {
            guard let name = entry.name, TemporaryName.matches(name.text) else { continue }
            if try removeIfAbandoned(name, in: folder) { removed += 1 }
        }
        return removed
    }

    private static func removeIfAbandoned(_ name: FileName, in folder: borrowing Folder) throws(SystemError) -> Bool {
        do {
            let file = try folder.open(name, for: .reading)
            // A writer holds this lock from the first byte until the rename, and the kernel releases it when the writer
            // dies.
            guard flock(file.number, LOCK_EX | LOCK_NB) == 0 else { return false }
            try folder.remove(name)
            return true
        } catch let error where error.number == ENOENT {
            // Its writer has finished meanwhile.
            return false
        }
    }
}

/// The names of temporary files: hard to guess, so that no other program can take one first, and easy to recognise.
enum TemporaryName {
    private static let prefix = ".huddle-"
    private static let suffix = ".part"
    private static let digitCount = 32

    static func random() -> String {
        let digits = (0..<digitCount).map { _ in String(UInt8.random(in: 0..<16), radix: 16) }
        return prefix + digits.joined() + suffix
    }

    static func matches(_ name: String) -> Bool {
        guard name.hasPrefix(prefix), name.hasSuffix(suffix) else { return false }
        let middle = name.dropFirst(prefix.count).dropLast(suffix.count)
        return middle.count == digitCount && middle.allSatisfy { $0.isASCII && $0.isHexDigit && !$0.isUppercase }
    }
}
