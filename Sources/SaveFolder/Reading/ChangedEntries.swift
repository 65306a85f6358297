import Glibc
import LinuxPlatform
import SaveRules
import Vocabulary

/// The entries at the paths that may have changed, where the rest of a folder is known to be as the last scan found it.
struct ChangedEntries: Equatable {
    /// The kind of the entry at each path; nil where nothing is.
    let kinds: [SavePath: SetListing.Entry.Kind?]

    /// Nil unless a look at these paths alone shows all that a listing of the folder would: only files and links that a
    /// version can have, in folders that are known.
    init?(
        at paths: Set<SavePath>,
        in root: borrowing Folder,
        of place: SetPlace,
        among known: Manifest
    ) throws(SaveFolderError) {
        var (kinds, folders) = ([SavePath: SetListing.Entry.Kind?](), FolderCursor())
        do throws(SystemError) {
            let device = try root.facts().device
            for path in paths.sorted() {
                guard path.parent.map({ known[$0]?.isFolder == true }) ?? true, known[path]?.isFolder != true else {
                    return nil
                }
                let around = try folders.folder(around: path, in: root)
                guard try around.folder.facts().device == device, !around.folder.foldsNames else { return nil }
                guard let stamp = try around.folder.stampIfThere(path.name) else {
                    kinds.updateValue(nil, forKey: path)
                    continue
                }
                guard stamp.isPlain(on: device) else { return nil }
                switch stamp.facts.kind {
                case .file: kinds.updateValue(.file(stamp), forKey: path)
                case .symbolicLink:
                    let bytes = try around.folder.target(ofSymbolicLink: path.name)
                    guard let target = LinkTarget(bytes, depth: path.depth - 1) else { return nil }
                    kinds.updateValue(.link(target), forKey: path)
                case .folder, .other: return nil
                }
            }
        } catch {
            // A folder is gone or replaced, or an entry went between two looks.
            if [ENOENT, ENOTDIR, ELOOP, EINVAL].contains(error.number) { return nil }
            throw SaveFolderError(error, at: place.root)
        }
        self.kinds = kinds
    }

    /// The paths of the files.
    var files: [SavePath] {
        kinds.keys.filter { if case .file?? = kinds[$0] { true } else { false } }.sorted()
    }

    /// True if each entry is as the scan cache has it.
    func fits(_ known: ScanCache) -> Bool {
        kinds.allSatisfy { path, kind in
            switch kind {
            case nil: known.manifest[path] == nil
            case .link(let target): known.manifest[path]?.content == .link(target)
            case .file(let stamp): known.file(at: path)?.fingerprint?.fits(stamp, known.file(at: path)?.file) == true
            case .folder: false
            }
        }
    }

    /// True if all are as in another look, except for their status change time, which hard links of this module change.
    func isLike(_ other: ChangedEntries) -> Bool {
        kinds.count == other.kinds.count
            && kinds.allSatisfy { path, kind in
                switch (kind, other.kinds[path]) {
                case (let left?, let right??): SetListing.areAlike(left, right)
                case (nil, .some(nil)): true
                default: false
                }
            }
    }

    /// True if each entry may be that of a manifest, as far as its facts show, except for its mode.
    func seems(_ manifest: Manifest) -> Bool {
        kinds.allSatisfy { path, kind in
            guard let kind, let meant = manifest[path] else { return kind == nil && manifest[path] == nil }
            return kind.seems(meant)
        }
    }
}

extension FileStamp {
    /// True if it has no other name, through which it could change unheard, and is on this file system.
    func isPlain(on device: UInt64) -> Bool {
        facts.device == device && (facts.kind != .file || nameCount == 1)
    }
}

extension Folder {
    fileprivate borrowing func stampIfThere(_ name: FileName) throws(SystemError) -> FileStamp? {
        do throws(SystemError) { return try stamp(of: name) } catch let error where error.number == ENOENT {
            return nil
        }
    }
}
