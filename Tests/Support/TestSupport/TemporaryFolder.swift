import Glibc
public import LinuxPlatform

/// A folder of a test's own, removed with everything in it when the test lets go.
public final class TemporaryFolder: Sendable {
    /// Where it is.
    public let path: String

    /// Makes an empty one in memory, for tests to which it makes no difference that nothing has to wait for a disk.
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

    /// Where something in it is or would be.
    public func path(of name: String) -> String {
        "\(path)/\(name)"
    }

    /// The folder, opened.
    public func opened() throws -> Folder {
        try Folder(at: path)
    }

    /// Puts a file there, the plain way.
    public func put(_ text: String, at name: String) throws {
        let file = try retrying("open") { open(path(of: name), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644) }
        defer { close(file) }
        let bytes = Array(text.utf8)
        guard write(file, bytes, bytes.count) == bytes.count else { throw SystemError("write") }
    }

    /// What a file holds, read the plain way; nil where there is none.
    public func text(at name: String) -> String? {
        readText(at: path(of: name))
    }

    /// Everything in it, or in a folder in it, sorted.
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

/// The whole of a file, whatever it says its size is; nil where it can't be read.
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

/// The names in a folder, without `.` and `..`, in no order; none where it can't be read.
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
