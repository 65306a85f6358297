import Glibc
import LinuxPlatform
import SaveRules
import Vocabulary

/// The entries of a folder, from one pass over all names without reading a file.
struct SetListing {
    /// One entry of the game.
    struct Entry: Hashable {
        enum Kind: Hashable {
            case folder(FileMode)
            case file(FileStamp)
            case link(LinkTarget)
        }

        let path: SavePath
        let kind: Kind
    }

    /// Maximum number of named entries that can't be part of a version.
    static let leftOutLimit = 100

    /// The entries, in the order of their paths.
    private(set) var entries: [Entry] = []
    /// Entries that can't be part of a version: the first ones, and their number.
    private(set) var leftOut: [LeftOut] = []
    private(set) var leftOutCount = 0
    /// True if each file has one name, and all lie on one file system: only then a watch hears of every change of them.
    private(set) var isPlain = true
    private let device: UInt64
    private let place: SetPlace
    private var budget = Manifest.maximumEntryCount * 2

    init(of root: borrowing Folder, _ place: SetPlace) throws(SaveFolderError) {
        self.place = place
        device = try explaining(place.root) { () throws(SystemError) in try root.facts() }.device
        try list(root, nil)
    }

    private mutating func list(_ folder: borrowing Folder, _ path: SavePath?) throws(SaveFolderError) {
        let listed = try explaining(place.path(of: path)) { () throws(SystemError) in try folder.entries(limit: budget)
        }
        budget -= listed.count
        var named: [(name: FileName, entry: FolderEntry)] = []
        named.reserveCapacity(listed.count)
        for entry in listed {
            guard let name = entry.name else {
                // In a folder with other entries, it is not one of the chosen ones.
                if path == nil, case .chosen = place.extent { continue }
                leaveOut(entry, in: path, .badName)
                continue
            }
            if path == nil, StagingName.matches(name) { continue }
            named.append((name, entry))
        }
        named.sort { $0.name < $1.name }
        for (name, entry) in named { try look(at: name, entry, in: folder, path) }
    }

    private mutating func look(
        at name: FileName,
        _ entry: FolderEntry,
        in folder: borrowing Folder,
        _ around: SavePath?
    ) throws(SaveFolderError) {
        guard let path = around.map({ try? $0.appending(name) }) ?? SavePath(name) else {
            return leaveOut(entry, in: around, .tooDeep)
        }
        // An untracked entry may belong to another user, or wait for a server that is down.
        guard place.holds(path, named: name, isFolder: entry.kind == .folder) else { return }
        // An entry that disappears between two calls is missing; one that changes the listing again is found by
        // comparing two.
        guard let stamp = try present(place.path(of: path), { () throws(SystemError) in try folder.stamp(of: name) })
        else {
            return
        }
        guard place.holds(path, named: name, isFolder: stamp.facts.kind == .folder) else { return }
        if !stamp.isPlain(on: device) { isPlain = false }
        switch stamp.facts.kind {
        case .file: entries.append(Entry(path: path, kind: .file(stamp)))
        case .symbolicLink: try takeLink(path, name, entry, in: folder, around)
        case .other: leaveOut(entry, in: around, .special)
        case .folder:
            let inner = try present(place.path(of: path)) { () throws(SystemError) in
                OpenFolder(try folder.openFolder(name))
            }
            guard let inner else { return }
            entries.append(Entry(path: path, kind: .folder(stamp.facts.mode)))
            try list(inner.folder, path)
        }
    }

    private mutating func takeLink(
        _ path: SavePath,
        _ name: FileName,
        _ entry: FolderEntry,
        in folder: borrowing Folder,
        _ around: SavePath?
    ) throws(SaveFolderError) {
        let bytes = try present(place.path(of: path)) { () throws(SystemError) in
            try folder.target(ofSymbolicLink: name)
        }
        guard let bytes else { return }
        guard let target = LinkTarget(bytes, depth: path.depth - 1) else {
            return leaveOut(entry, in: around, .linkLeadsOut)
        }
        entries.append(Entry(path: path, kind: .link(target)))
    }

    /// Returns a value of an entry; nil if the entry is missing by now.
    private func present<Value>(
        _ path: @autoclosure () -> String,
        _ look: () throws(SystemError) -> Value
    ) throws(SaveFolderError) -> Value? {
        do {
            return try look()
        } catch let error where error.number == ENOENT {
            return nil
        } catch {
            throw SaveFolderError(error, at: path())
        }
    }

    private mutating func leaveOut(_ entry: FolderEntry, in folder: SavePath?, _ reason: LeftOut.Reason) {
        leftOutCount += 1
        if leftOut.count < Self.leftOutLimit { leftOut.append(LeftOut(entry, in: folder, reason)) }
    }

    /// The files with their stamps.
    var files: some Sequence<(path: SavePath, stamp: FileStamp)> {
        entries.lazy.compactMap { entry in
            if case .file(let stamp) = entry.kind { (entry.path, stamp) } else { nil }
        }
    }
}

extension SetPlace {
    /// The full path of an entry, for messages.
    func path(of path: SavePath?) -> String { path.map { "\(root)/\($0.text)" } ?? root }
}
