import LinuxPlatform
import Vocabulary

/// How much one sender may leave in a folder of what has not arrived whole, beside what it sends now.
struct PartialShare {
    let count: Int
    let bytes: UInt64

    static let usual = PartialShare(count: 256, bytes: 64 << 30)

    /// More than that is not looked through.
    private static let mostEntries = 1_000_000

    /// Removes what was left longest ago, until the rest is within the share by what was announced of it. What is being received stays. So does
    /// what can't be removed now; it keeps nothing from coming.
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
