import FoundationEssentials
import Glibc

/// The folder of a test, which is removed with its contents when the value is released.
public struct TemporaryFolder: ~Copyable {
    /// Its absolute path.
    public let path: String

    /// Makes the folder below `$TMPDIR`.
    public init() throws {
        let parent = FileManager.default.temporaryDirectory.path
        path = "\(parent)/huddle-\(UInt64.random(in: 0...UInt64.max))"
        guard mkdir(path, 0o700) == 0 else { throw NoTemporaryFolder(path: path, number: errno) }
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    /// Writes a file into it and returns its path.
    @discardableResult
    public func write(_ text: String, to name: String) throws -> String {
        let file = "\(path)/\(name)"
        try Data(text.utf8).write(to: URL(filePath: file))
        return file
    }
}

private struct NoTemporaryFolder: Error {
    let path: String
    let number: CInt
}
