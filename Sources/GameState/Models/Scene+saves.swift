import SecureArchive

extension Scene: SavedGame {
    static let game = "scene"

    static func isSave(_ state: GameState) -> Bool {
        state.contains("nodes[0].type") || (try? state.string(at: "element")) == "scene"
    }

    init(readingSave state: GameState, _ strictness: Strictness) throws(ModelFaults) {
        if state.contains("element"), let tree = try? XMLTree(state.root) {
            try self.init(readingXML: tree, strictness)
        } else {
            try self.init(reading: state.root, strictness)
        }
    }

    /// Nodes are merged one by one as long as there are as many.
    static let rules = MergeRules()

    var summary: [Summary.Line] {
        Node.Kind.allCases.compactMap { kind in
            let count = nodes.count { $0.kind == kind }
            return count == 0 ? nil : Summary.Line(kind.rawValue, "\(count)", .integer(ArchiveInteger(count)))
        }
    }
}
