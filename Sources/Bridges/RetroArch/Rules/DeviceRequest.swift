/// A request of RetroArch's cloud sync.
///
/// RetroArch begins with `OPTIONS` on the root, reads `manifest.server`, and then reads, writes or deletes one file
/// after the other. Before it writes a file it creates each folder on the way. It deletes a file by moving it below
/// `deleted`, or with `DELETE` if its setting “destructive” is on. If it has written or deleted something, it ends with
/// a new `manifest.server`.
package enum DeviceRequest: Hashable, Sendable {
    /// Does the server answer, and is the password right?
    case begin
    case readManifest
    /// Everything that the device wanted to write is written.
    case writeManifest
    case read(DevicePath)
    case write(DevicePath)
    case delete(DevicePath)
    /// Folders need no request of their own.
    case createFolder

    /// Why a request gets no other answer.
    package struct Refusal: Error, Hashable, Sendable {
        package let status: Int
        package let reason: String

        package init(_ status: Int, _ reason: String) { (self.status, self.reason) = (status, reason) }
    }

    package static let manifestName = "manifest.server"
    package static let methods = ["OPTIONS", "GET", "HEAD", "PUT", "DELETE", "MKCOL", "MOVE"]
    /// RetroArch moves a deleted file below this folder.
    private static let deletedFolder = "deleted"
    private static let maximumDepth = 64

    /// - Parameters:
    ///   - path: the parts of the path, unescaped
    ///   - destination: the header of this name
    package init(_ method: String, _ path: [String], destination: String? = nil) throws(Refusal) {
        switch method {
        case "OPTIONS": self = .begin
        case "GET", "HEAD":
            self = path == [Self.manifestName] ? .readManifest : .read(try Self.file(path))
        case "PUT":
            self = path == [Self.manifestName] ? .writeManifest : .write(try Self.file(path))
        case "DELETE": self = .delete(try Self.file(path))
        case "MKCOL": self = try Self.folder(path)
        case "MOVE":
            let file = try Self.file(path)
            guard let destination, Self.leadsBelowDeleted(destination) else {
                throw Refusal(403, "a file can only be moved below “\(Self.deletedFolder)”, which deletes it")
            }
            self = .delete(file)
        default: throw Refusal(405, "RetroArch's cloud sync needs no \(method.prefix(16))")
        }
    }

    private static func file(_ path: [String]) throws(Refusal) -> DevicePath {
        if let file = DevicePath(path) { return file }
        switch path.first {
        case "saves", "states": throw Refusal(400, "this is no path of a file in “\(path[0])”")
        case "config", "thumbnails", "system":
            throw Refusal(
                403,
                "only saves and states are synced: turn off the others in RetroArch's settings of Cloud Sync"
            )
        default: throw Refusal(404, "there is no such folder: Huddle has “saves” and “states”")
        }
    }

    private static func folder(_ path: [String]) throws(Refusal) -> DeviceRequest {
        let parts = path.first == deletedFolder ? path.dropFirst() : path[...]
        guard let first = parts.first else { return .createFolder }
        guard DevicePath.Folder(rawValue: first) != nil else {
            _ = try file(Array(parts) + ["x"])
            throw Refusal(403, "this folder is not synced")
        }
        guard parts.count == 1 || DevicePath(parts) != nil, parts.count <= maximumDepth else {
            throw Refusal(400, "this is no path of a folder in “\(first)”")
        }
        return .createFolder
    }

    /// The destination is an URL, such as `http://desk:55380/deleted/saves/Zelda.srm-261128-010203`.
    private static func leadsBelowDeleted(_ destination: String) -> Bool {
        var rest = destination[...]
        if let scheme = rest.range(of: "://") {
            rest = rest[scheme.upperBound...].drop { $0 != "/" }
        }
        let parts = rest.split(separator: "/", omittingEmptySubsequences: true)
        return parts.count > 1 && parts[0] == deletedFolder && !parts.contains("..")
    }
}

extension Substring {
    fileprivate func range(of word: String) -> Range<Index>? {
        var start = startIndex
        while start < endIndex {
            if self[start...].hasPrefix(word) { return start..<index(start, offsetBy: word.count) }
            start = index(after: start)
        }
        return nil
    }
}
