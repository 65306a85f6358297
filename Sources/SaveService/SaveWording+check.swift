import History
import Household
import SaveRules
import Session
import Vocabulary

/// What is said of a history that was read as a whole.
extension SaveWording {
    private static let shownFiles = 10

    static func checked(_ check: HistoryCheck) -> SessionNews {
        let found = "\(check.snapshots) versions, \(check.pieces) pieces, \(ByteCount(check.bytes).rounded) read"
        let verdict =
            if check.isSound {
                "all sound"
            } else if check.touched.isEmpty {
                "something is damaged, and no version needs it"
            } else {
                "something is damaged"
            }
        return SessionNews("checked", nil, "\(found): \(verdict)") {
            ($0.state, $0.bytes) = (check.isSound ? "sound" : "damaged", check.bytes)
            $0.number = Int64(check.damages.count)
            $0.isTrouble = check.isSound ? nil : true
        }
    }

    /// - Parameters:
    ///   - name: of its set, where that is still here
    ///   - number: as `huddle history` shows it
    static func damaged(_ touched: HistoryCheck.Touched, _ name: SaveSetName?, _ number: Int?) -> SessionNews {
        let version =
            if let name, let number {
                "\(name)@\(number) (\(touched.snapshot.short))"
            } else if let name {
                "version \(touched.snapshot.short) of \(name)"
            } else {
                "version \(touched.snapshot.short) of a set that is not here any more"
            }
        return SessionNews("damaged-version", nil, "\(version) is damaged\(lost(touched))") {
            ($0.snapshot, $0.set, $0.isTrouble) = (touched.snapshot.description, touched.set?.description, true)
            ($0.name, $0.number) = (name?.description, number.map { Int64($0) })
            $0.files = touched.files.isEmpty ? nil : touched.files.map(\.description)
        }
    }

    /// - Parameter count: how many versions of the sets that are here
    static func repaired(lacking count: Int, after check: HistoryCheck) -> SessionNews {
        let rest =
            switch count {
            case 0: "of the sets that are here no version lacks anything"
            case 1: "one version lacks something until a machine that has it brings it"
            case _: "\(count) versions lack something until a machine that has it brings it"
            }
        guard !check.isSound else { return SessionNews("lacking", nil, rest) { $0.number = Int64(count) } }
        return SessionNews("repaired", nil, "given up what was damaged; \(rest)") { $0.number = Int64(count) }
    }

    /// What no version needs and is not freed, where that is worth a word.
    static func remaining(_ garbage: ByteCount) -> String {
        guard garbage >= leastRemaining else { return "" }
        return """
            ; \(garbage.rounded) more that no version needs lie among what is needed, and go once they are the greater part of it
            """
    }

    private static let leastRemaining = ByteCount(1 << 20)

    private static func lost(_ touched: HistoryCheck.Touched) -> String {
        if touched.pieces.isEmpty { return ": what it is can't be read" }
        if touched.files.isEmpty { return ": which files it has can't be read" }
        let files = touched.files.prefix(shownFiles).map { "\n  \($0)" }.joined()
        let rest = touched.files.count - shownFiles
        return " in\(files)" + (rest > 0 ? "\n  and \(rest) more" : "")
    }
}
