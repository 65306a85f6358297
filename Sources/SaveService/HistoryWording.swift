import History
import Household
import SaveRules
import Session
import Vocabulary

/// Lines about a check of the history, and its space.
enum HistoryWording {
    private static let shownFiles = 10

    static func checked(_ check: HistoryCheck) -> DaemonLine {
        let found = "\(check.snapshots) versions, \(check.pieces) pieces, \(ByteCount(check.bytes).rounded) read"
        let verdict =
            if check.isSound {
                "all sound"
            } else if check.touched.isEmpty {
                "damaged data was found, which no version needs"
            } else {
                "damaged data was found"
            }
        let event = CheckedEvent(check.bytes, isSound: check.isSound, damages: check.damages.count)
        return DaemonLine(.checked(event), "\(found): \(verdict)", isTrouble: !check.isSound)
    }

    /// - Parameters:
    ///   - name: the name of its game; nil for a game that is not here
    ///   - number: its number in `huddle history`
    static func damaged(_ touched: HistoryCheck.Touched, _ name: SaveSetName?, _ number: Int?) -> DaemonLine {
        let version =
            if let name, let number {
                "\(name)@\(number) (\(touched.snapshot.short))"
            } else if let name {
                "version \(touched.snapshot.short) of \(name)"
            } else {
                "version \(touched.snapshot.short) of a stopped game"
            }
        let files = touched.files.map(\.description)
        let event = DamagedVersionEvent(touched.snapshot, of: touched.set, named: name, number, files)
        return DaemonLine(.damagedVersion(event), "\(version) is damaged\(lost(touched))", isTrouble: true)
    }

    /// - Parameter count: the number of incomplete versions of games here
    static func repaired(incomplete count: Int, after check: HistoryCheck) -> DaemonLine {
        let rest =
            switch count {
            case 0: "all versions of the games here are complete"
            case 1: "one version is incomplete until a machine that has it sends it"
            case _: "\(count) versions are incomplete until a machine that has them sends them"
            }
        if check.isSound { return DaemonLine(.incomplete(IncompleteEvent(.incomplete, count)), rest) }
        let event = IncompleteEvent(.repaired, count)
        return DaemonLine(.incomplete(event), "damaged data was discarded; \(rest)")
    }

    /// The remark about unused data that can't be freed yet; empty if it is little.
    static func remaining(_ garbage: ByteCount) -> String {
        guard garbage >= leastRemaining else { return "" }
        return """
            ; \(garbage.rounded) more of unused data are in packs with used data, until they are the greater part
            """
    }

    private static let leastRemaining = ByteCount(1 << 20)

    private static func lost(_ touched: HistoryCheck.Touched) -> String {
        if touched.pieces.isEmpty { return ": its contents can't be read" }
        if touched.files.isEmpty { return ": its list of files can't be read" }
        let files = touched.files.prefix(shownFiles).map { "\n  \($0)" }.joined()
        let rest = touched.files.count - shownFiles
        return " in\(files)" + (rest > 0 ? "\n  and \(rest) more" : "")
    }
}
