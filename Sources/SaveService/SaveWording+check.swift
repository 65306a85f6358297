import History
import Household
import SaveRules
import Session
import Vocabulary

/// Events about a check of the history.
extension SaveWording {
    private static let shownFiles = 10

    static func checked(_ check: HistoryCheck) -> SessionNews {
        let found = "\(check.snapshots) versions, \(check.pieces) pieces, \(ByteCount(check.bytes).rounded) read"
        let verdict =
            if check.isSound {
                "all sound"
            } else if check.touched.isEmpty {
                "damaged data was found, which no version needs"
            } else {
                "damaged data was found"
            }
        return SessionNews("checked", nil, "\(found): \(verdict)") {
            ($0.state, $0.bytes) = (check.isSound ? "sound" : "damaged", check.bytes)
            $0.number = Int64(check.damages.count)
            $0.isTrouble = check.isSound ? nil : true
        }
    }

    /// - Parameters:
    ///   - name: the name of its game; nil for a game that is not here
    ///   - number: its number in `huddle history`
    static func damaged(_ touched: HistoryCheck.Touched, _ name: SaveSetName?, _ number: Int?) -> SessionNews {
        let version =
            if let name, let number {
                "\(name)@\(number) (\(touched.snapshot.short))"
            } else if let name {
                "version \(touched.snapshot.short) of \(name)"
            } else {
                "version \(touched.snapshot.short) of a stopped game"
            }
        return SessionNews("damaged-version", nil, "\(version) is damaged\(lost(touched))") {
            ($0.snapshot, $0.set, $0.isTrouble) = (touched.snapshot.description, touched.set?.description, true)
            ($0.name, $0.number) = (name?.description, number.map { Int64($0) })
            $0.files = touched.files.isEmpty ? nil : touched.files.map(\.description)
        }
    }

    /// - Parameter count: the number of incomplete versions of games here
    static func repaired(lacking count: Int, after check: HistoryCheck) -> SessionNews {
        let rest =
            switch count {
            case 0: "all versions of the games here are complete"
            case 1: "one version is incomplete until a machine that has it sends it"
            case _: "\(count) versions are incomplete until a machine that has them sends them"
            }
        guard !check.isSound else { return SessionNews("lacking", nil, rest) { $0.number = Int64(count) } }
        return SessionNews("repaired", nil, "damaged data was discarded; \(rest)") { $0.number = Int64(count) }
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
