import Glibc

/// Paths of programs.
public enum Programs {
    /// The folder of this build's programs. The tests' own binary is in it, with any configuration and
    /// `--scratch-path`.
    public static let builtFolder: String = {
        var buffer = [CChar](repeating: 0, count: 4096)
        let count = readlink("/proc/self/exe", &buffer, buffer.count)
        precondition(count > 0, "a process can always read the path of its own binary")
        let path = String(decoding: buffer.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self)
        return String(path.prefix(upTo: path.lastIndex(of: "/") ?? path.startIndex))
    }()

    /// The first program of that name in the search path.
    public static func path(of program: String) -> String? {
        let folders = getenv("PATH").map { String(cString: $0) } ?? "/usr/bin:/bin"
        return folders.split(separator: ":").map { "\($0)/\(program)" }.first { access($0, X_OK) == 0 }
    }
}
