package import SaveRules
import Vocabulary

/// A file that differs between versions, or a value in it.
package struct DifferenceEvent: EventPayload, Codable {
    /// Id of the game.
    package var set: String
    package var path: String
    /// Path of the value, if the file can be read.
    package var value: String?
    /// Content by the id of each version that has one.
    package var contents: [String: String]

    package init(in set: SaveSetID, _ path: String, value: String?, _ contents: [String: String]) {
        (self.set, self.path, self.value, self.contents) = (set.description, path, value, contents)
    }

    package var event: String { "difference" }

    private enum CodingKeys: String, CodingKey {
        case set, path
        case value = "text"
        case contents = "details"
    }
}
