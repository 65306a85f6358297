import Glibc

/// The programs of this build.
enum HuddleProgram {
    /// The path of `huddle`, beside the tests' own binary.
    static let path = beside("huddle")
    static let daemonPath = beside("huddled")

    /// The path of another program of this build.
    static func beside(_ name: String) -> String { "\(folder)/\(name)" }

    private static let folder: String = {
        var buffer = [CChar](repeating: 0, count: 4096)
        let count = readlink("/proc/self/exe", &buffer, buffer.count)
        let own = String(decoding: buffer.prefix(max(count, 0)).map(UInt8.init(bitPattern:)), as: UTF8.self)
        return own.split(separator: "/").dropLast().map { "/\($0)" }.joined()
    }()
}
