package import SaveRules
import Vocabulary

/// The number of further differences, or of further files of a version.
package struct MoreEvent: EventPayload, Codable {
    package enum Kind: String, Codable, Sendable {
        case files, values
    }

    package var set: String
    package var count: Int64
    package var kind: Kind

    package init(in set: SaveSetID, _ count: Int, _ kind: Kind) {
        (self.set, self.count, self.kind) = (set.description, Int64(count), kind)
    }

    package var event: String { "more-differ" }

    private enum CodingKeys: String, CodingKey {
        case set
        case count = "number"
        case kind
    }
}
