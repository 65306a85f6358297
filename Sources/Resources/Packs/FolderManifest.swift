import LinuxPlatform
import Vocabulary

/// The content of a folder's pack except for the bytes of its files, created when the folder is offered.
struct FolderManifest {
    /// One record and its position in the pack.
    struct Item {
        let record: PackRecord
        /// Index of the parent folder's item; for the folder itself and its end, the folder's own index.
        let folder: Int
        let facts: FileFacts
        /// The offset of the record's first byte.
        let start: UInt64

        /// The offset of the first byte after the record; a file's bytes start there.
        var contentStart: UInt64 { start + UInt64(record.byteCount) }
    }

    private(set) var items: [Item] = []
    private(set) var total: UInt64 = 0
    private(set) var entryCount = 0
    /// Total size of all files.
    private(set) var contentBytes: UInt64 = 0
    var leftOut = LeftOutEntries()
    /// Total size of all records.
    private var packBytes: UInt64 = 0
    let rootPath: String

    init(rootPath: String) {
        self.rootPath = rootPath
    }

    mutating func append(_ record: PackRecord, in folder: Int, _ facts: FileFacts) {
        items.append(Item(record: record, folder: folder, facts: facts, start: total))
        total += UInt64(record.byteCount)
        packBytes += UInt64(record.byteCount)
        switch record {
        case .root, .leave, .end: return
        case .file(_, _, let size):
            let sum = total.addingReportingOverflow(size)
            total = sum.overflow ? .max : sum.partialValue
            contentBytes = total - packBytes
        case .folder, .link: break
        }
        entryCount += 1
    }

    /// The item that contains the offset.
    func index(at offset: UInt64, near hint: Int) -> Int {
        if holds(hint, offset) { return hint }
        if holds(hint + 1, offset) { return hint + 1 }
        var (low, high) = (0, items.count)
        while high - low > 1 {
            let middle = (low + high) / 2
            if items[middle].start <= offset { low = middle } else { high = middle }
        }
        return low
    }

    private func holds(_ index: Int, _ offset: UInt64) -> Bool {
        guard items.indices.contains(index), items[index].start <= offset else { return false }
        return index + 1 == items.count || offset < items[index + 1].start
    }

    /// The path of an item, for messages.
    func path(of index: Int) -> String {
        let item = items[index]
        guard let name = item.record.name else { return rootPath }
        return "\(path(of: item.folder))/\(name)"
    }

    var identity: ResourceIdentity {
        let state = DigestState()
        state.update(Array("folder".utf8))
        for item in items {
            state.update(item.record.bytes)
            state.update(item.facts)
        }
        return state.identity
    }
}

extension PackRecord {
    /// The name in the record, if it has one.
    var name: FileName? {
        switch self {
        case .folder(let name, _), .file(let name, _, _), .link(let name, _, _): name
        case .root, .leave, .end: nil
        }
    }
}
