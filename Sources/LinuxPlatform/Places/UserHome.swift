import Vocabulary

/// The home of a user who can log in here.
package struct UserHome: Hashable, Sendable {
    package let user: UInt32
    package let path: String

    package init(user: UInt32, path: String) {
        (self.user, self.path) = (user, path)
    }

    /// The homes in the machine's own list of users; users of a network directory are not looked up.
    package static var all: [UserHome] {
        guard let name = try? FileName("passwd"), let folder = try? Folder(at: "/etc"),
            let bytes = try? AtomicFile(name).read(in: folder, limit: 1 << 20)
        else { return [] }
        return read(String(decoding: bytes, as: UTF8.self))
    }

    /// The users of a list in the form of `/etc/passwd`.
    static func read(_ list: String) -> [UserHome] {
        list.split(separator: "\n").compactMap { line in
            let fields = line.split(separator: ":", omittingEmptySubsequences: false)
            guard fields.count >= 7, let user = UInt32(fields[2]) else { return nil }
            let (home, shell) = (String(fields[5]), fields[6].split(separator: "/").last ?? "")
            guard home.hasPrefix("/"), home.count > 1, !["nologin", "false", "sync"].contains(shell) else { return nil }
            return UserHome(user: user, path: home)
        }
    }
}
