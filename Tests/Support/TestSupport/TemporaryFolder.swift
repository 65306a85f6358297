import Glibc
public import LinuxPlatform

/// The folder of a test, which is removed with its contents when the value is released.
public final class TemporaryFolder: Sendable {
    /// Its path.
    public let path: String

    /// Makes an empty one in memory, for tests that need no real disk.
    public static func inMemory() -> TemporaryFolder {
        access("/dev/shm", W_OK) == 0 ? TemporaryFolder(in: "/dev/shm") : TemporaryFolder()
    }

    /// Makes an empty one.
    public convenience init() {
        self.init(in: getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp")
    }

    private init(in parent: String) {
        var template = Array("\(parent)/huddle-test-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { preconditionFailure("no temporary folder: \(SystemError("mkdtemp"))") }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit {
        Self.removeTree(path)
    }

    /// The path of an entry, which may not exist yet.
    public func path(of name: String) -> String {
        "\(path)/\(name)"
    }

    /// The folder, opened.
    public func opened() throws -> Folder {
        try Folder(at: path)
    }

    /// Writes a file with plain calls.
    public func put(_ text: String, at name: String) throws {
        let file = try retrying("open") { open(path(of: name), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644) }
        defer { close(file) }
        let bytes = Array(text.utf8)
        guard write(file, bytes, bytes.count) == bytes.count else { throw SystemError("write") }
    }

    /// The contents of a file, read with plain calls; nil if there is none.
    public func text(at name: String) -> String? {
        readText(at: path(of: name))
    }

    /// The sorted names in it, or in a folder of it.
    public func names(in folder: String = ".") -> [String] {
        namesInFolder(at: path(of: folder)).sorted()
    }

    private static func removeTree(_ path: String) {
        for name in namesInFolder(at: path) {
            let child = "\(path)/\(name)"
            if unlink(child) != 0, errno == EISDIR || errno == EPERM { removeTree(child) }
        }
        rmdir(path)
    }
}

/// The whole contents of a file, no matter which size it reports; nil if it can't be read.
func readText(at path: String) -> String? {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 4096)
    while true {
        let count = read(file, &chunk, chunk.count)
        guard count > 0 else { return String(decoding: bytes, as: UTF8.self) }
        bytes += chunk.prefix(count)
    }
}

/// The names in a folder without `.` and `..`, in no order; none if it can't be read.
func namesInFolder(at path: String) -> [String] {
    guard let listing = opendir(path) else { return [] }
    defer { closedir(listing) }
    var names: [String] = []
    while let entry = readdir(listing) {
        let name = withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        if name != "." && name != ".." { names.append(name) }
    }
    return names
}
