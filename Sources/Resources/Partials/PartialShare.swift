import LinuxPlatform
import Vocabulary

/// The limit of one sender's incomplete resources in a folder, in addition to the one that it sends now.
struct PartialShare {
    let count: Int
    let bytes: UInt64

    static let usual = PartialShare(count: 256, bytes: 64 << 30)

    /// Maximum number of entries to search.
    private static let mostEntries = 1_000_000

    /// Removes the oldest incomplete resources of the sender until the announced sizes of the rest are within the
    /// limit. It keeps those that are being received. If one can't be removed, the transfer still continues.
    func enforce(in target: TargetFolder, of sender: PeerID, beside own: FileName) {
        let mark = PartialName.mark(of: sender)
        let names = (try? target.folder.entries(limit: Self.mostEntries))?.compactMap(\.name) ?? []
        var left: [FileName: UInt64] = [:]
        for name in names where name != own {
            guard let parts = PartialName.parts(of: name.text), parts.sender == mark else { continue }
            left[name] = parts.total
        }
        guard !isWithin(left) else { return }
        let future = FileTime(seconds: .max, nanoseconds: 0)
        let stale = (try? StalePartial.list(in: target.path, before: future, limit: Self.mostEntries)) ?? []
        for oldest in stale.filter({ left[$0.name] != nil }).sorted(by: { $0.modified < $1.modified }) {
            guard (try? oldest.remove(in: target.path)) == true else { continue }
            left[oldest.name] = nil
            if isWithin(left) { return }
        }
    }

    private func isWithin(_ left: [FileName: UInt64]) -> Bool {
        guard left.count <= count else { return false }
        var room = bytes
        for total in left.values {
            guard total <= room else { return false }
            room -= total
        }
        return true
    }
}
